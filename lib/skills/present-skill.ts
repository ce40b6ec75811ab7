import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { recentRuns } from "./recent-runs";
import { type Skill, SkillSource, VersionState } from "./schema";
import { ORG, type SkillRow } from "./skill-access";

const Strings = z.array(z.string());

/** Rows as the API gives them, with owners' names and the last runs. */
export async function presentSkills(ctx: Ctx, rows: SkillRow[]): Promise<Skill[]> {
  const ownerIds = [...new Set(rows.flatMap((row) => row.ownerId ?? []))];
  const owners = await ctx.db.user.findMany({ where: { id: { in: ownerIds } }, select: { id: true, name: true } });
  const names = new Map(owners.map((owner) => [owner.id, owner.name]));
  const runs = await recentRuns(
    ctx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => presentSkill(row, names.get(row.ownerId ?? "") ?? "", runs.get(row.id) ?? []));
}

function presentSkill(row: SkillRow, ownerName: string, recent: Skill["recentRuns"]): Skill {
  const isOrg = row.ownerKey === ORG;
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    toolName: row.toolName,
    description: row.description,
    whenToUse: row.whenToUse,
    label: row.label,
    class: SkillClass.parse(row.class),
    scope: row.scope === "host" ? "host" : "manager",
    category: row.category,
    resultPreview: row.resultPreview,
    schema: row.argsSchema === null ? null : parseJsonColumn(JsonObject, row.argsSchema),
    author: row.author,
    version: row.version,
    depends: parseJsonColumn(Strings, row.depends),
    userInvocable: row.userInvocable,
    source: SkillSource.parse(row.source),
    sourceId: row.sourceId,
    sourceVersion: row.sourceVersion,
    owner: isOrg ? { kind: "org", id: null, name: "Organisation" } : { kind: "user", id: row.ownerId, name: ownerName },
    visibility: row.visibility === "public" ? "public" : "private",
    enabled: row.enabled,
    pinned: row.pinned,
    runnable: row.runnable,
    allowedTools: row.allowedTools === null ? null : parseJsonColumn(Strings, row.allowedTools),
    contextFork: row.contextFork,
    license: row.license,
    compatibility: row.compatibility,
    homepage: row.homepage,
    always: row.always,
    tags: parseJsonColumn(Strings, row.tags),
    requires: parseJsonColumn(JsonObject, row.requires),
    meta: parseJsonColumn(JsonObject, row.meta),
    currentVersion: versionRef(row.current),
    pendingVersion: versionRef(row.pending),
    recentRuns: recent,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function versionRef(version: SkillRow["current"]): Skill["currentVersion"] {
  return version && { digest: version.digest, number: version.number, state: VersionState.parse(version.state) };
}
