import { setImmediate as otherWork } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { isAgent, isPerson } from "@/lib/core/actor";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { rankSkills } from "@/lib/policy/ownership";
import { seesAll } from "@/lib/policy/require-scope";
import { releaseManifest } from "@/lib/skills/approval/release-manifest";
import { isVisible, scopeCaller } from "@/lib/skills/skill-access";
import { type ActiveVersion, activeVersions } from "./active-versions";
import { offeredTo } from "./offered-skills";
import { presentRow } from "./present-published";
import type { Published, PublishedSkill } from "./published";

/** What one viewer is offered, and the parts of it that were asked for. */
export type ViewerList = {
  /** The preferred skill of each name comes first. */
  ranked: readonly Published[];
  /** Lists of scopes by `key` of `InScope`. */
  byScope: LRUCache<string, readonly Published[]>;
};

/** The skills of a scope; equal keys include the same skills. */
export type InScope = { key: string; includes(skill: PublishedSkill): boolean };

const MAX_VIEWERS = 300;
const MAX_SCOPES = 20;
/** Rows between which other requests are served. */
const AT_ONCE = 500;

type Kept = { active: readonly ActiveVersion[]; list: Promise<ViewerList> };

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
  const lists = storeOf(ctx.database, "viewer-lists", () => new LRUCache<string, Kept>({ max: MAX_VIEWERS }));
  const key = `${viewerKey(ctx)} ${[...released].join(" ")}`;
  const known = lists.get(key);
  if (known?.active === active) return known.list;
  const mine: Kept = { active, list: readList(ctx, active, released) };
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
