import { z } from "zod";
import { getEvent } from "@/lib/audit/list-events";
import { AuditDetail } from "@/lib/audit/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "One audit event with its place in the chain and related events",
  params: z.object({ seq: z.coerce.number().int().min(1) }),
  answer: AuditDetail,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getEvent(ctx, params.seq),
});
