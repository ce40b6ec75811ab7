import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, encodeCursor } from "@/lib/db/cursor";
import { listPublished } from "../list-published";
import { describePublished, displayNameOf, type Published } from "../published";
import { viewerList } from "../viewer-list";
import type { SkillsApiListQuery, SkillsApiPage, SkillsApiSkill, SkillsApiVersion } from "./schema";

const MAX_DISPLAY_NAME_CHARS = 255;

/** Place in a list that descends by a number, and by a text where numbers are equal. */
const Position = z.tuple([z.number(), z.string()]);

/** `GET /v1/skills`: the skills of the viewer's index, newest first. */
export async function listSkills(ctx: Ctx, query: SkillsApiListQuery): Promise<SkillsApiPage<SkillsApiSkill>> {
  const { source = "custom" } = query;
  const sorted = source === "custom" ? newestFirst(await listPublished(ctx, { kind: "root" })) : [];
  return takePage(sorted, query, { positionOf, present: presentSkill });
}

/** `GET /v1/skills/{id}`: any skill that the viewer is offered, shadowed ones included. Throws `not_found`. */
export async function getSkill(ctx: Ctx, id: string): Promise<SkillsApiSkill> {
  return presentSkill(await findActive(ctx, id));
}

/** The active version of a skill that the viewer is offered. Throws `not_found`. */
export async function findActive(ctx: Ctx, id: string): Promise<Published> {
  const found = (await viewerList(ctx)).ranked.find(({ skill }) => skill.id === id);
  if (found === undefined) throw new AppError("not_found", "There is no such skill that you are offered.");
  return found;
}

const sortedLists = new WeakMap<readonly Published[], readonly Published[]>();

/** Kept with the list, which is the same object until it changes. */
function newestFirst(list: readonly Published[]): readonly Published[] {
  const known = sortedLists.get(list);
  if (known !== undefined) return known;
  const sorted = [...list].sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
  sortedLists.set(list, sorted);
  return sorted;
}

function positionOf({ skill }: Published): Position {
  return [skill.createdAt.getTime(), skill.id];
}

export type Position = z.infer<typeof Position>;

/** Order of positions, for `sort`. */
export function comparePositions(a: Position, b: Position): number {
  return b[0] - a[0] || (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0);
}

/**
 * One page of a sorted list. The cursor is a position, so that approvals in between do not move the pages. Throws
 * `malformed` for a page that this list did not give.
 */
export function takePage<T, Item>(
  sorted: readonly T[],
  { limit, page = "" }: { limit: number; page?: string | undefined },
  { positionOf, present }: { positionOf(one: T): Position; present(one: T): Item },
): SkillsApiPage<Item> {
  const after = page === "" ? null : decodeCursor(Position, page);
  const first = after === null ? 0 : sorted.findIndex((one) => comparePositions(after, positionOf(one)) < 0);
  const rest = first === -1 ? [] : sorted.slice(first, first + limit + 1);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const next = rest.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null;
  return { data: shown.map((one) => present(one)), has_more: next !== null, next_page: next };
}

/** A skill with its active version. */
function presentSkill({ skill, version }: Published): SkillsApiSkill {
  const name = displayNameOf(skill).slice(0, MAX_DISPLAY_NAME_CHARS);
  return {
    id: skill.id,
    type: "skill",
    display_name: name,
    display_title: name,
    latest_version_id: version.digest,
    latest_version: String(version.number),
    source: { type: "custom" },
    created_at: skill.createdAt.toISOString(),
    updated_at: (version.decidedAt ?? version.createdAt).toISOString(),
  };
}

export function presentVersion(published: Published): SkillsApiVersion {
  const { skill, version, name } = published;
  return {
    id: version.digest,
    type: "skill_version",
    skill_id: skill.id,
    name,
    directory: name,
    description: describePublished(published),
    version: String(version.number),
    created_at: version.createdAt.toISOString(),
  };
}
