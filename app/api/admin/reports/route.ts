import { route } from "@/lib/http/route";
import { listReports } from "@/lib/skills/community/reports";
import { ListReportsQuery, ReportPage } from "@/lib/skills/community/schema";

export const GET = route({
  access: "admin",
  summary: "List reports, newest first",
  query: ListReportsQuery,
  answer: ReportPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listReports(ctx, query),
});
