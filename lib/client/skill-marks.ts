import { queryOptions } from "@tanstack/react-query";
import type { DeprecateInput } from "@/lib/skills/deprecation/schema";
import {
  type CloseReportInput,
  type CreateReportInput,
  Report,
  ReportPage,
  type ReportReason,
  ReportReceipt,
  type ReportResolution,
} from "@/lib/skills/reports/schema";
import { Skill, Version } from "@/lib/skills/schema";
import { StarState } from "@/lib/skills/stars/schema";
import { api, withQuery } from "./api";
import { skillPath } from "./skills";
import { versionPath } from "./versions";

export function starSkill(skillId: string, starred: boolean): Promise<StarState> {
  return api(`${skillPath(skillId)}/star`, { method: starred ? "PUT" : "DELETE", schema: StarState });
}

export function deprecateSkill(skillId: string, input: DeprecateInput): Promise<Skill> {
  return api(`${skillPath(skillId)}/deprecate`, { method: "POST", body: input, schema: Skill });
}

export function undeprecateSkill(skillId: string): Promise<Skill> {
  return api(`${skillPath(skillId)}/deprecate`, { method: "DELETE", schema: Skill });
}

/** Says what is new in a version that is not decided on yet. */
export function setChangelog(skillId: string, digest: string, changelog: string): Promise<Version> {
  return api(`${versionPath(skillId, digest)}/changelog`, { method: "PUT", body: { changelog }, schema: Version });
}

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
