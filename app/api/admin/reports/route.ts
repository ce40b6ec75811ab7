import { route } from "@/lib/http/route";
import { listReports } from "@/lib/skills/reports/list-reports";
import { ListReportsQuery, ReportPage } from "@/lib/skills/reports/schema";

export const GET = route({
  access: "admin",
  summary: "What people reported, newest first",
  query: ListReportsQuery,
  answer: ReportPage,
  handle: ({ ctx, query }) => listReports(ctx, query),
});
