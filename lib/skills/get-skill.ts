import { z } from "zod";
import { isPerson } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { callSchema } from "@/lib/skill-format/arguments/call-arguments";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { type NameResolution, presentOwners, resolveNamesForCaller } from "./access/name-resolution";
import { releaseManifest } from "./approval/release-manifest";
import { NO_TRUST, trustOfSkills } from "./approval/trust";
import { countInstalls, countStars, NO_STARS } from "./community/popularity";
import { publisherRef, publishersOf } from "./community/publishers";
import type { Deprecation, StarState } from "./community/schema";
import { planStoredPipeline } from "./pipeline/plan-pipeline";
import type { PipelinePlan } from "./pipeline/schema";
import { Lifecycle, type Skill, type SkillOwner, SkillSource } from "./schema";
import { requireSkill, type SkillRow, visibleTo } from "./skill-access";
import { type Trust, VersionState } from "./versions/schema";

/** One skill by id or name; `not_found` also when the caller may not see it. */
export async function getSkill(ctx: Ctx, idOrName: string): Promise<Skill> {
  const [skill] = await presentSkills(ctx, [await requireSkill(ctx, idOrName)]);
  if (!skill) throw new Error("presenting one row gave none");
  return skill;
}

const SHOWN = 12;

type RecentRun = { skillId: string; state: string; durationMs: number | null };

const Strings = z.array(z.string());
const NO_PLACE: NameResolution = { scope: null, isAdopted: false, shadowedBy: null, shadows: [] };

/** Formats skills for the API. */
export async function presentSkills(ctx: Ctx, rows: SkillRow[]): Promise<Skill[]> {
  const owners = await presentOwners(ctx, rows);
  const publishers = await publishersOf(ctx, rows);
  const deprecations = await presentDeprecations(ctx, rows);
  const ids = rows.map((row) => row.id);
  const stars = await countStars(ctx, ids);
  const installs = await countInstalls(ctx, ids);
  const places = await resolveNamesForCaller(ctx, rows);
  const runs = await recentRuns(ctx, ids);
  const trusts = await trustOfSkills(ctx, rows);
  const offered = await offeredAmong(ctx, rows);
  const released = new Set((await releaseManifest()).builtins.map(({ digest }) => digest));
  const plans = new Map<string, PipelinePlan | null>();
  for (const row of rows) plans.set(row.id, await planStoredPipeline(ctx, row));
  return rows.map((row) =>
    presentSkill(row, {
      plan: plans.get(row.id) ?? null,
      owner: owners.get(row.ownerKey) ?? { kind: "org", id: null, name: "" },
      place: places.get(row.id) ?? NO_PLACE,
      recent: runs.get(row.id) ?? [],
      trust: trusts.get(row.id) ?? NO_TRUST,
      isOffered: offered.has(row.id),
      publisher: publisherRef(publishers.get(row.ownerKey) ?? missingPublisher()),
      stars: stars.get(row.id) ?? NO_STARS,
      installs: installs.get(row.id) ?? 0,
      deprecated: deprecations.get(row.id) ?? null,
      isBuiltin: row.source === "worker" && released.has(row.current?.digest ?? ""),
    }),
  );
}

function missingPublisher(): never {
  throw new Error("a skill without a publisher");
}

const offeredOf = (dialect: Dialect) =>
  `SELECT s."skillId" FROM "WorkerSkill" s JOIN "Worker" w ON w."id" = s."workerId"
   WHERE w."revokedAt" IS NULL AND s."skillId" IN ${jsonList(dialect)}`;
const OFFERED = query<{ skillId: string }>({ sqlite: offeredOf("sqlite"), postgresql: offeredOf("postgresql") });

async function offeredAmong(ctx: Ctx, rows: SkillRow[]): Promise<Set<string>> {
  const ids = rows.filter((row) => row.source === "worker").map((row) => row.id);
  if (ids.length === 0) return new Set();
  const found = await sqlOf(ctx).all(OFFERED, JSON.stringify(ids));
  return new Set(found.map(({ skillId }) => skillId));
}

type Around = {
  plan: PipelinePlan | null;
  owner: SkillOwner;
  place: NameResolution;
  recent: Skill["recentRuns"];
  trust: Trust;
  isOffered: boolean;
  isBuiltin: boolean;
} & Pick<Skill, "publisher" | "installs" | "deprecated"> & { stars: StarState };

function presentSkill(row: SkillRow, around: Around): Skill {
  const { plan, owner, place, recent, trust, isOffered, isBuiltin, publisher, stars, installs, deprecated } = around;
  const scope = row.scope === "host" ? "host" : "manager";
  const schema = row.argsSchema === null ? null : parseJsonColumn(JsonObject, row.argsSchema);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    toolName: row.toolName,
    description: row.description,
    whenToUse: row.whenToUse,
    label: row.label,
    class: plan?.class ?? SkillClass.parse(row.class),
    scope,
    category: row.category,
    resultPreview: row.resultPreview,
    schema,
    callSchema: plan?.schema ?? callSchema({ scope, schema }),
    author: row.author,
    version: row.version,
    depends: parseJsonColumn(Strings, row.depends),
    userInvocable: row.userInvocable,
    source: SkillSource.parse(row.source),
    sourceId: row.sourceId,
    sourceVersion: row.sourceVersion,
    builtin: isBuiltin,
    offered: row.source === "worker" ? isOffered : null,
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
    publisher,
    ...stars,
    installs,
    deprecated,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function versionRef(version: SkillRow["current"]): Skill["currentVersion"] {
  return version && { digest: version.digest, number: version.number, state: VersionState.parse(version.state) };
}

/** One short walk of the index for each skill. */
const RECENT = query<RecentRun>({
  sqlite: `SELECT r."skillId", r."state", r."durationMs" FROM json_each(?) s JOIN "Run" r ON r."id" IN (
    SELECT "id" FROM "Run" WHERE "skillId" = s."value" AND "finishedAt" IS NOT NULL ORDER BY "id" DESC LIMIT ${SHOWN}
  ) ORDER BY r."id"`,
  postgresql: `SELECT r.* FROM json_array_elements_text(CAST(? AS json)) s CROSS JOIN LATERAL (
    SELECT "id", "skillId", "state", "durationMs" FROM "Run"
    WHERE "skillId" = s AND "finishedAt" IS NOT NULL ORDER BY "id" DESC LIMIT ${SHOWN}
  ) r ORDER BY r."id"`,
});

/** The last finished runs of each skill, oldest first. */
async function recentRuns(ctx: Ctx, skillIds: string[]): Promise<Map<string, Skill["recentRuns"]>> {
  const found = new Map<string, Skill["recentRuns"]>();
  for (const { skillId, state, durationMs } of await sqlOf(ctx).all(RECENT, JSON.stringify(skillIds))) {
    const runs = found.get(skillId);
    if (runs) runs.push({ state, durationMs });
    else found.set(skillId, [{ state, durationMs }]);
  }
  return found;
}

type Marked = Pick<SkillRow, "id" | "deprecatedAt" | "deprecatedReason" | "replacedById">;

/** Deprecations by skill id. A replacement that the caller cannot see is omitted. */
async function presentDeprecations(ctx: Ctx, rows: Marked[]): Promise<Map<string, Deprecation>> {
  const ids = rows.flatMap(({ deprecatedAt, replacedById }) => (deprecatedAt && replacedById ? [replacedById] : []));
  const replacements =
    ids.length === 0 || !isPerson(ctx.actor)
      ? []
      : await ctx.db.skill.findMany({
          where: { AND: [visibleTo(ctx.actor), { id: { in: ids }, listed: true }] },
          select: { id: true, name: true, label: true },
        });
  const byId = new Map(replacements.map((skill) => [skill.id, skill]));
  return new Map(
    rows.flatMap(({ id, deprecatedAt, deprecatedReason, replacedById }): [string, Deprecation][] => {
      if (deprecatedAt === null) return [];
      const replacedBy = byId.get(replacedById ?? "") ?? null;
      return [[id, { at: deprecatedAt.toISOString(), reason: deprecatedReason ?? "", replacedBy }]];
    }),
  );
}
