import { z } from "zod";
import { route } from "@/lib/http/route";
import { closeReport, getReport } from "@/lib/skills/community/reports";
import { CloseReportInput, Report } from "@/lib/skills/community/schema";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "admin",
  summary: "One report",
  params,
  answer: Report,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getReport(ctx, params.id),
});

export const PATCH = route({
  access: "admin",
  summary: "Close a report with a resolution",
  params,
  body: CloseReportInput,
  answer: Report,
  ifMatch: ({ ctx, params }) => getReport(ctx, params.id),
  handle: ({ ctx, params, body }) => closeReport(ctx, params.id, body),
});
