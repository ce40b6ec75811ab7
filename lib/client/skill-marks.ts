import type { z } from "zod";
import type {
  CloseReportInput,
  CreateReportInput,
  DeprecateInput,
  Report,
  ReportPage,
  ReportReceipt,
  StarState,
} from "@/lib/skills/community/schema";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { answerOf, api, listOf, sendPatch, sendPost, sendPut, withQuery } from "./api";
import { answerQuery } from "./queries";

import { skillPath } from "./skills";
import { versionPath } from "./versions";

export const starSkill = (skillId: string, starred: boolean) =>
  api(`${skillPath(skillId)}/star`, { method: starred ? "PUT" : "DELETE", shape: answerOf<StarState>() });

export const deprecateSkill = (skillId: string, input: DeprecateInput) =>
  sendPost(`${skillPath(skillId)}/deprecate`, answerOf<Skill>(), input);

export const undeprecateSkill = (skillId: string) =>
  api(`${skillPath(skillId)}/deprecate`, { method: "DELETE", shape: answerOf<Skill>() });

export const setChangelog = (skillId: string, digest: string, changelog: string) =>
  sendPut(`${versionPath(skillId, digest)}/changelog`, answerOf<Version>(), { changelog });

export const reportsKey = ["reports"] as const;

export const reportsQuery = (state: Report["state"]) =>
  answerQuery(
    [...reportsKey, state],
    withQuery("/api/admin/reports", { state, limit: 100 }),
    listOf<z.infer<typeof ReportPage>>(),
    {
      staleTime: 10_000,
    },
  );

export const createReport = (skillId: string, input: CreateReportInput) =>
  sendPost(`${skillPath(skillId)}/reports`, answerOf<ReportReceipt>(), input);

export const closeReport = (id: string, input: CloseReportInput) =>
  sendPatch(`/api/admin/reports/${id}`, answerOf<Report>(), input);
