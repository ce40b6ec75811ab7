import { queryOptions } from "@tanstack/react-query";
import {
  type CloseReportInput,
  type CreateReportInput,
  Report,
  ReportPage,
  type ReportReason,
  ReportReceipt,
  type ReportResolution,
} from "@/lib/skills/community/schema";
import { api, withQuery } from "./api";
import { skillPath } from "./skills";

export type { Report, ReportReason, ReportResolution };

export const reportsKey = ["reports"] as const;

export const reportsQuery = (state: Report["state"]) =>
  queryOptions({
    queryKey: [...reportsKey, state],
    queryFn: ({ signal }) =>
      api(withQuery("/api/admin/reports", { state, limit: 100 }), { schema: ReportPage, signal }),
    staleTime: 10_000,
  });

export function createReport(skillId: string, input: CreateReportInput): Promise<ReportReceipt> {
  return api(`${skillPath(skillId)}/reports`, { method: "POST", body: input, schema: ReportReceipt });
}

export function closeReport(id: string, input: CloseReportInput): Promise<Report> {
  return api(`/api/admin/reports/${id}`, { method: "PATCH", body: input, schema: Report });
}
