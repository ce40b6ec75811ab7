import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { presentOwners } from "./present-owners";
import { recentRuns } from "./recent-runs";
import { Lifecycle, type Skill, type SkillOwner, SkillSource, type Trust, VersionState } from "./schema";
import type { Place } from "./scopes/find-places";
import { placesForCaller } from "./scopes/places-for-caller";
import type { SkillRow } from "./skill-access";
import { NO_TRUST, trustOf } from "./trust";
import { withFilesAndDecisions } from "./version-access";

const Strings = z.array(z.string());
const NO_PLACE: Place = { scope: null, isAdopted: false, shadowedBy: null, shadows: [] };

/** Rows as the API gives them, with owners' names and the last runs. */
export async function presentSkills(ctx: Ctx, rows: SkillRow[]): Promise<Skill[]> {
  const owners = await presentOwners(ctx, rows);
  const places = await placesForCaller(ctx, rows);
  const runs = await recentRuns(
    ctx,
    rows.map((row) => row.id),
  );
  const trusts = await trustOfSkills(ctx, rows);
  return rows.map((row) =>
    presentSkill(row, {
      owner: owners.get(row.ownerKey) ?? { kind: "org", id: null, name: "" },
      place: places.get(row.id) ?? NO_PLACE,
      recent: runs.get(row.id) ?? [],
      trust: trusts.get(row.id) ?? NO_TRUST,
    }),
  );
}

/** Trust in what each skill serves; skills that serve nothing are left out. */
async function trustOfSkills(ctx: Ctx, rows: SkillRow[]): Promise<Map<string, Trust>> {
  const serving = rows.filter((row) => row.currentId !== null);
  const versions = await ctx.db.version.findMany({
    where: { id: { in: serving.flatMap((row) => row.currentId ?? []) } },
    include: withFilesAndDecisions,
  });
  const byId = new Map(versions.map((version) => [version.id, version]));
  const trusts = await Promise.all(
    serving.map(async (row): Promise<[string, Trust]> => {
      const version = byId.get(row.currentId ?? "");
      return [row.id, version ? await trustOf(ctx, row, version) : NO_TRUST];
    }),
  );
  return new Map(trusts);
}

type Around = { owner: SkillOwner; place: Place; recent: Skill["recentRuns"]; trust: Trust };

function presentSkill(row: SkillRow, { owner, place, recent, trust }: Around): Skill {
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
    owner,
    visibility: row.visibility === "public" ? "public" : "private",
    enabled: row.enabled,
    pinned: row.pinned,
    listed: row.listed,
    lifecycle: Lifecycle.parse(row.lifecycle),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    nameScope: place.scope,
    adopted: place.isAdopted,
    shadowedBy: place.shadowedBy,
    shadows: place.shadows,
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
    trust,
    recentRuns: recent,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function versionRef(version: SkillRow["current"]): Skill["currentVersion"] {
  return version && { digest: version.digest, number: version.number, state: VersionState.parse(version.state) };
}
