import type { DeprecateInput } from "@/lib/skills/community/schema";
import {
  type CloseReportInput,
  type CreateReportInput,
  Report,
  ReportPage,
  ReportReceipt,
  StarState,
} from "@/lib/skills/community/schema";
import { Skill } from "@/lib/skills/schema";
import { Version } from "@/lib/skills/versions/schema";
import { api, sendPatch, sendPost, sendPut, withQuery } from "./api";
import { answerQuery } from "./queries";

import { skillPath } from "./skills";
import { versionPath } from "./versions";

export const starSkill = (skillId: string, starred: boolean) =>
  api(`${skillPath(skillId)}/star`, { method: starred ? "PUT" : "DELETE", schema: StarState });

export const deprecateSkill = (skillId: string, input: DeprecateInput) =>
  sendPost(`${skillPath(skillId)}/deprecate`, Skill, input);

export const undeprecateSkill = (skillId: string) =>
  api(`${skillPath(skillId)}/deprecate`, { method: "DELETE", schema: Skill });

export const setChangelog = (skillId: string, digest: string, changelog: string) =>
  sendPut(`${versionPath(skillId, digest)}/changelog`, Version, { changelog });

export const reportsKey = ["reports"] as const;

export const reportsQuery = (state: Report["state"]) =>
  answerQuery([...reportsKey, state], withQuery("/api/admin/reports", { state, limit: 100 }), ReportPage, {
    staleTime: 10_000,
  });

export const createReport = (skillId: string, input: CreateReportInput) =>
  sendPost(`${skillPath(skillId)}/reports`, ReportReceipt, input);

export const closeReport = (id: string, input: CloseReportInput) =>
  sendPatch(`/api/admin/reports/${id}`, Report, input);
