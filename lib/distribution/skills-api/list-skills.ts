import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { listPublished } from "../list-published";
import type { Published } from "../published";
import { viewerList } from "../viewer-list";
import { presentSkill } from "./present-skill";
import type { SkillsApiListQuery, SkillsApiPage, SkillsApiSkill } from "./schema";
import { comparePositions, type Position, takePage } from "./take-page";

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
