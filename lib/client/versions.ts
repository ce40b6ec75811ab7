import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { pageOf } from "@/lib/core/schema";
import type { ActivateVersionInput } from "@/lib/review/schema";
import { Skill } from "@/lib/skills/schema";
import {
  DeclaredToolList,
  Version,
  VersionAdvice,
  VersionDiff,
  type VersionFile,
  VersionSummary,
} from "@/lib/skills/versions/schema";
import { apiResponse, sendPost, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";

import { skillPath, skillsKey } from "./skills";

const VersionPage = pageOf(VersionSummary);
const versionsKey = [...skillsKey, "versions"] as const;
const pageSize = 10;

/** The versions of a skill, newest first. */
export const versionsQuery = (skillId: string) =>
  pagesQuery([...versionsKey, "list", skillId], `${skillPath(skillId)}/versions`, { limit: pageSize }, VersionPage, {
    staleTime: 10_000,
  });

export const versionQuery = (skillId: string, digest: string) =>
  answerQuery([...versionsKey, "one", skillId, digest], versionPath(skillId, digest), Version, { staleTime: 10_000 });

/** Without `against`, the comparison is with the version that serves now. */
export const versionDiffQuery = (skillId: string, digest: string, against?: string) =>
  answerQuery(
    [...versionsKey, "diff", skillId, digest, against ?? ""],
    withQuery(`${versionPath(skillId, digest)}/diff`, { against }),
    VersionDiff,
    { staleTime: 60_000 },
  );

/** What could be better about a version, and what its standard form leaves out. */
export const versionAdviceQuery = (skillId: string, digest: string) =>
  answerQuery([...versionsKey, "advice", skillId, digest], `${versionPath(skillId, digest)}/advice`, VersionAdvice, {
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The tools a version declares, with the built-ins behind them, which come and go with workers and approvals. */
export const declaredToolsQuery = (skillId: string, digest: string) =>
  answerQuery([...versionsKey, "tools", skillId, digest], `${versionPath(skillId, digest)}/tools`, DeclaredToolList, {
    staleTime: 10_000,
  });

/** A text file of a version. Bytes with this hash never change, so neither does the answer. */
export const fileTextQuery = (skillId: string, digest: string, file: Pick<VersionFile, "path" | "sha256">) =>
  queryOptions({
    queryKey: ["file-text", skillId, file.sha256],
    queryFn: async ({ signal }) => (await apiResponse(filePath(skillId, digest, file.path), { signal })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Hands a draft to review. */
export const submitVersion = (skillId: string, digest: string) =>
  sendPost(`${versionPath(skillId, digest)}/submit`, Version);

/** Makes an approved version the active one, in place of the one that the caller saw. */
export const activateVersion = (skillId: string, digest: string, activation: z.input<typeof ActivateVersionInput>) =>
  sendPost(`${versionPath(skillId, digest)}/activate`, Skill, activation);

/** The address of a file's raw bytes. */
export function filePath(skillId: string, digest: string, path: string): string {
  return `${versionPath(skillId, digest)}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export function versionPath(skillId: string, digest: string): string {
  return `${skillPath(skillId)}/versions/${digest}`;
}
