import { z } from "zod";
import { route } from "@/lib/http/route";
import { ApprovalBundle } from "@/lib/review/schema";
import { exportApproval } from "@/lib/review/signatures";

export const GET = route({
  access: "read",
  summary: "Approval of a version with its signatures, for offline verification",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: ApprovalBundle,
  answersFrom: "rows",
  handle: ({ ctx, params }) => exportApproval(ctx, params.id, params.digest),
});
