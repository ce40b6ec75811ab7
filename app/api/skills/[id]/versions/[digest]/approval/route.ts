import { z } from "zod";
import { route } from "@/lib/http/route";
import { exportApproval } from "@/lib/review/export-approval";
import { ApprovalBundle } from "@/lib/review/schema";

export const GET = route({
  access: "read",
  summary: "The approval of a version with its signatures, to be checked offline",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: ApprovalBundle,
  handle: ({ ctx, params }) => exportApproval(ctx, params.id, params.digest),
});
