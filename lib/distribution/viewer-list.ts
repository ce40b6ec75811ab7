import { setImmediate as otherWork } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { isAgent, isPerson } from "@/lib/core/actor";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { query, sqlOf } from "@/lib/db/sql";
import { rankSkills } from "@/lib/policy/ownership";
import { seesAll } from "@/lib/policy/require-scope";
import { releaseManifest } from "@/lib/skills/approval/release-manifest";
import { publishersOf } from "@/lib/skills/community/publishers";
import { isVisible, scopeCaller } from "@/lib/skills/skill-access";
import { loadPackages } from "./load-packages";
import { offeredTo } from "./offered-skills";
import type { SkillPackage } from "./package-files";
import { presentRow } from "./present-published";
import type { Published, PublishedRow, PublishedSkill, PublishedVersion } from "./published";

/** A listed, enabled skill with its approved active version, before any check whether a viewer is offered it. */
type ActiveVersion = PublishedRow & {
  /** Undefined while it could not be built. */
  package: SkillPackage | undefined;
  publisher: Published["publisher"] | undefined;
  /** It may call other skills, whose classes count. */
  mayBePipeline: boolean;
};

type Joined = Omit<PublishedSkill, "id" | "createdAt"> &
  Omit<PublishedVersion, "id" | "createdAt" | "decisions"> & {
    skillId: string;
    skillCreatedAt: Date;
    versionId: string;
    versionCreatedAt: Date;
    mayBePipeline: boolean;
  };

const ACTIVE = query<Joined>(
  `SELECT s."id" AS "skillId", s."ownerKey", s."ownerId", s."name", s."slug", s."liveSlug", s."toolName", s."label",
     s."class", s."category", s."license", s."tags", s."allowedTools", s."requires", s."source", s."sourceId", s."visibility",
     s."enabled", s."listed", s."currentId", s."createdAt" AS "skillCreatedAt", s."deletedAt", s."deprecatedAt",
     s."deprecatedReason", s."replacedById", v."id" AS "versionId", v."digest", v."number", v."state", v."grants",
     v."provenance", v."changelog", v."createdAt" AS "versionCreatedAt", v."decidedAt", v."tampered", v."createdById",
     v."submittedById", (s."runnable" AND v."manifest" LIKE '%"pipeline"%') AS "mayBePipeline"
   FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
   WHERE s."enabled" = ? AND s."deletedAt" IS NULL AND s."listed" = ? AND v."state" = 'approved' ORDER BY s."id"`,
  {
    ...{ enabled: "flag", listed: "flag", mayBePipeline: "flag" },
    ...{ skillCreatedAt: "date", deletedAt: "date", deprecatedAt: "date", versionCreatedAt: "date", decidedAt: "date" },
  },
);
const COUNTING = query<PublishedVersion["decisions"][number] & { versionId: string }>(
  `SELECT d."versionId", d."standing", d."statement" FROM "Skill" s JOIN "Decision" d ON d."versionId" = s."currentId"
   WHERE s."enabled" = ? AND s."deletedAt" IS NULL AND d."standing" = 'counts' ORDER BY d."id"`,
);

type Kept = { revision: number; versions: Promise<ActiveVersion[]>; until: number };

/** While a package is missing, it is tried again once a minute. */
const RETRY_MS = 60_000;

/**
 * The active versions of all owners, by skill id, kept in memory under the offer revision: triggers raise it with every
 * write to a column that is read here, so what is returned is never older than the last commit. The same list is returned
 * until something changes.
 */
export async function activeVersions(ctx: Ctx): Promise<readonly ActiveVersion[]> {
  if (ctx.tx) return readActive(ctx);
  // Read first: the versions are then at least as new as this revision.
  const revision = await readOfferRevision(ctx);
  const kept = storeOf(ctx.database, "active-versions", (): { last: Kept | null } => ({ last: null }));
  const now = ctx.now().getTime();
  if (kept.last?.revision === revision && now < kept.last.until) return kept.last.versions;
  const mine: Kept = { revision, versions: readActive(ctx), until: Number.POSITIVE_INFINITY };
  kept.last = mine;
  mine.versions.then(
    (versions) => {
      if (versions.some(isUnpacked)) mine.until = now + RETRY_MS;
    },
    () => {
      if (kept.last === mine) kept.last = null;
    },
  );
  return mine.versions;
}

function isUnpacked({ version, package: packed }: ActiveVersion): boolean {
  return packed === undefined && version.tampered === null;
}

/** Rows between which other requests are served. */
const AT_ONCE = 500;

async function readActive(ctx: Ctx): Promise<ActiveVersion[]> {
  const sql = sqlOf(ctx);
  const rows = await sql.all(ACTIVE, true, true);
  await otherWork();
  const counting = new Map<string, PublishedVersion["decisions"]>();
  for (const { versionId, ...decision } of await sql.all(COUNTING, true)) {
    const others = counting.get(versionId);
    if (others === undefined) counting.set(versionId, [decision]);
    else others.push(decision);
  }
  await otherWork();
  const packages = await loadPackages(
    ctx,
    rows.flatMap(({ versionId, name, slug, tampered }) =>
      tampered === null ? [{ versionId, skill: { name, slug } }] : [],
    ),
  );
  const publishers = await publishersOf(ctx, rows);
  const versions: ActiveVersion[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await otherWork();
    versions.push({
      ...splitRow(row, counting.get(row.versionId) ?? []),
      package: packages.get(row.versionId),
      publisher: publishers.get(row.ownerKey),
      mayBePipeline: row.mayBePipeline,
    });
  }
  return versions;
}

function splitRow(row: Joined, decisions: PublishedVersion["decisions"]): PublishedRow {
  const { digest, number, state, grants, provenance, changelog, decidedAt, tampered, createdById, ...rest } = row;
  const { submittedById, skillId, skillCreatedAt, versionId, versionCreatedAt, mayBePipeline: _, ...skill } = rest;
  return {
    skill: { ...skill, id: skillId, createdAt: skillCreatedAt },
    version: {
      ...{ id: versionId, digest, number, state, grants, provenance, changelog, createdAt: versionCreatedAt },
      ...{ decidedAt, tampered, createdById, submittedById, decisions },
    },
  };
}

/** What one viewer is offered, and the parts of it that were asked for. */
type ViewerList = {
  /** The preferred skill of each name comes first. */
  ranked: readonly Published[];
  /** Lists of scopes by `key` of `InScope`. */
  byScope: LRUCache<string, readonly Published[]>;
};

/** The skills of a scope; equal keys include the same skills. */
export type InScope = { key: string; includes(skill: PublishedSkill): boolean };

const MAX_VIEWERS = 300;
const MAX_SCOPES = 20;

type KeptList = { active: readonly ActiveVersion[]; list: Promise<ViewerList> };

const ADOPTED = query<{ skillId: string }>(`SELECT "skillId" FROM "Adoption" WHERE "userId" = ?`);

/**
 * The skills that the viewer of `ctx` is offered. Kept per viewer with the active versions: the revision of both rises with
 * every change that could alter the list. Not kept for an agent while pipelines are offered, because the class of a
 * pipeline also depends on skills that are off.
 */
export async function viewerList(ctx: Ctx): Promise<ViewerList> {
  const active = await activeVersions(ctx);
  const released = new Set((await releaseManifest()).builtins.map(({ digest }) => digest));
  const dependsOnMore = isAgent(ctx.actor) && active.some(({ mayBePipeline }) => mayBePipeline);
  if (ctx.tx || dependsOnMore) return readList(ctx, active, released);
  const lists = storeOf(ctx.database, "viewer-lists", () => new LRUCache<string, KeptList>({ max: MAX_VIEWERS }));
  const key = `${viewerKey(ctx)} ${[...released].join(" ")}`;
  const known = lists.get(key);
  if (known?.active === active) return known.list;
  const mine: KeptList = { active, list: readList(ctx, active, released) };
  lists.set(key, mine);
  mine.list.catch(() => {
    if (lists.get(key) === mine) lists.delete(key);
  });
  return mine.list;
}

/** Everything about a viewer that the list depends on; rights and personas are columns under the revision. */
function viewerKey({ actor }: Ctx): string {
  if (!isPerson(actor)) return "anonymous";
  const isCapability = actor.kind === "token" && actor.isCapabilityUrl === true;
  return JSON.stringify([actor.userId, scopeCaller(actor).personaId, seesAll(actor), isCapability]);
}

async function readList(
  ctx: Ctx,
  active: readonly ActiveVersion[],
  released: ReadonlySet<string>,
): Promise<ViewerList> {
  const { actor } = ctx;
  const { isOffered } = await offeredTo(ctx);
  const rows = isPerson(actor) ? await sqlOf(ctx).all(ADOPTED, actor.userId) : [];
  const adopted = new Set(rows.map(({ skillId }) => skillId));
  const isKnown = (skill: PublishedSkill) =>
    isPerson(actor) ? isVisible(actor, { ...skill, isAdopted: adopted.has(skill.id) }) : skill.visibility === "public";
  const offered = new Map<string, ActiveVersion>();
  for (const [index, one] of active.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await otherWork();
    if (isKnown(one.skill) && isOffered(one.skill, one.version)) offered.set(one.skill.id, one);
  }
  const nameOf = (id: string | null) => {
    const replacement = id === null ? undefined : offered.get(id);
    return replacement ? `@${replacement.publisher?.handle}/${replacement.skill.slug}` : null;
  };
  const caller = isPerson(actor) ? scopeCaller(actor) : { userId: "", personaId: null };
  const scoped = [...offered.values()]
    // A tampered skill must not break the index of the others.
    .filter(({ version }) => version.tampered === null)
    .map(({ skill: { id, ownerKey, source } }) => ({ id, ownerKey, source, isAdopted: adopted.has(id) }));
  const ranked = rankSkills(scoped, caller).flatMap(({ id }) => {
    const one = offered.get(id);
    return (one && presentRow(actor, one, { released, nameOf })) ?? [];
  });
  return { ranked, byScope: new LRUCache({ max: MAX_SCOPES }) };
}

/**
 * The skills of a scope, by name: of several with one name the first by `rankSkills`. `name` selects one. Lists of whole
 * scopes are the same object until the list changes, so that what is derived from them can be kept.
 */
export function listScope(
  { ranked, byScope }: ViewerList,
  { key, includes }: InScope,
  name: string | undefined,
): readonly Published[] {
  if (name !== undefined) {
    const first = ranked.filter(({ skill }) => skill.liveSlug === name && includes(skill));
    return pickWinners(first);
  }
  let list = byScope.get(key);
  if (list === undefined) {
    list = pickWinners(ranked.filter(({ skill }) => includes(skill)));
    byScope.set(key, list);
  }
  return list;
}

function pickWinners(ranked: readonly Published[]): readonly Published[] {
  const winners = new Map<string, Published>();
  for (const one of ranked) if (!winners.has(one.name)) winners.set(one.name, one);
  return [...winners.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
