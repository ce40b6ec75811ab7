import { z } from "zod";
import { route } from "@/lib/http/route";
import { createReport } from "@/lib/skills/community/reports";
import { CreateReportInput, ReportReceipt } from "@/lib/skills/community/schema";

export const POST = route({
  access: "write",
  summary: "Report a problem with a skill to the admins",
  params: z.object({ id: z.string() }),
  body: CreateReportInput,
  answer: ReportReceipt,
  status: 201,
  handle: ({ ctx, params, body }) => createReport(ctx, params.id, body),
});
