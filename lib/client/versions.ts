import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { ActivateVersionInput } from "@/lib/review/schema";
import type { Skill } from "@/lib/skills/schema";
import type {
  DeclaredToolList,
  Version,
  VersionAdvice,
  VersionDiff,
  VersionFile,
  VersionSummary,
} from "@/lib/skills/versions/schema";
import { answerOf, apiResponse, listOf, sendPost, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";

import { skillPath, skillsKey } from "./skills";

type VersionPage = Page<VersionSummary>;
const versionsKey = [...skillsKey, "versions"] as const;
const pageSize = 10;

export const versionsQuery = (skillId: string) =>
  pagesQuery(
    [...versionsKey, "list", skillId],
    `${skillPath(skillId)}/versions`,
    { limit: pageSize },
    listOf<VersionPage>(),
    {
      staleTime: 10_000,
    },
  );

export const versionQuery = (skillId: string, digest: string) =>
  answerQuery([...versionsKey, "one", skillId, digest], versionPath(skillId, digest), answerOf<Version>(), {
    staleTime: 10_000,
  });

/** Compares with the active version by default. */
export const versionDiffQuery = (skillId: string, digest: string, against?: string) =>
  answerQuery(
    [...versionsKey, "diff", skillId, digest, against ?? ""],
    withQuery(`${versionPath(skillId, digest)}/diff`, { against }),
    answerOf<VersionDiff>(),
    { staleTime: 60_000 },
  );

/** Suggestions for a version, and losses of its standard form. */
export const versionAdviceQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...versionsKey, "advice", skillId, digest],
    `${versionPath(skillId, digest)}/advice`,
    answerOf<VersionAdvice>(),
    {
      staleTime: Number.POSITIVE_INFINITY,
    },
  );

/** Declared tools with their built-ins, which change with workers and approvals. */
export const declaredToolsQuery = (skillId: string, digest: string) =>
  answerQuery(
    [...versionsKey, "tools", skillId, digest],
    `${versionPath(skillId, digest)}/tools`,
    listOf<DeclaredToolList>(),
    {
      staleTime: 10_000,
    },
  );

/** A text file of a version. Cached forever: the hash identifies its bytes. */
export const fileTextQuery = (skillId: string, digest: string, file: Pick<VersionFile, "path" | "sha256">) =>
  queryOptions({
    queryKey: ["file-text", skillId, file.sha256],
    queryFn: async ({ signal }) => (await apiResponse(filePath(skillId, digest, file.path), { signal })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const submitVersion = (skillId: string, digest: string) =>
  sendPost(`${versionPath(skillId, digest)}/submit`, answerOf<Version>());

/** Activates an approved version in place of the one that the caller saw. */
export const activateVersion = (skillId: string, digest: string, activation: z.input<typeof ActivateVersionInput>) =>
  sendPost(`${versionPath(skillId, digest)}/activate`, answerOf<Skill>(), activation);

/** Address of a file's raw bytes. */
export function filePath(skillId: string, digest: string, path: string): string {
  return `${versionPath(skillId, digest)}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export function versionPath(skillId: string, digest: string): string {
  return `${skillPath(skillId)}/versions/${digest}`;
}
