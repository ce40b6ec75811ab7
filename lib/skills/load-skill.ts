import type { Ctx } from "@/lib/db/context";
import type { Decision, Skill, Version, VersionFile } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";

const SKILL = query<Skill>(`SELECT * FROM "Skill" WHERE "id" = ?`, {
  always: "flag",
  userInvocable: "flag",
  contextFork: "flag",
  runnable: "flag",
  enabled: "flag",
  pinned: "flag",
  listed: "flag",
  revivedAt: "date",
  createdAt: "date",
  updatedAt: "date",
  lastUsedAt: "date",
  deletedAt: "date",
  deprecatedAt: "date",
});
const VERSION = query<Version>(`SELECT * FROM "Version" WHERE "id" = ?`, {
  createdAt: "date",
  submittedAt: "date",
  decidedAt: "date",
});
const FILES = query<VersionFile>(`SELECT * FROM "VersionFile" WHERE "versionId" = ? ORDER BY "path"`, {
  isText: "flag",
});
const DECISIONS = query<Decision>(`SELECT * FROM "Decision" WHERE "versionId" = ? ORDER BY "id"`, {
  soloMode: "flag",
  createdAt: "date",
});

type Reading = Pick<Ctx, "database" | "tx">;

/** A skill by its id, whoever may see it. */
export function loadSkill(ctx: Reading, id: string): Promise<Skill | undefined> {
  return sqlOf(ctx).get(SKILL, id);
}

/** A version by its id, without files and decisions; null for no id. */
export async function loadVersion(ctx: Reading, id: string | null): Promise<Version | null> {
  return id === null ? null : ((await sqlOf(ctx).get(VERSION, id)) ?? null);
}

/** What a version consists of and what was decided on it. */
export async function loadFilesAndDecisions(
  ctx: Reading,
  versionId: string,
): Promise<{ files: VersionFile[]; decisions: Decision[] }> {
  const sql = sqlOf(ctx);
  return { files: await sql.all(FILES, versionId), decisions: await sql.all(DECISIONS, versionId) };
}
