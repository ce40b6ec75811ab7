import { findPersona } from "@/lib/auth/personas";
import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { findEntry } from "@/lib/policy/eligibility/find-entry";
import { whyRefused } from "@/lib/policy/gate-run";
import { seesAll } from "@/lib/policy/require-scope";
import { refusedPipelines } from "@/lib/skills/pipeline/plan-pipeline";
import { type SkillRow, scopeCaller, servedClass, visibleTo } from "@/lib/skills/skill-access";
import { readEligibilityPolicy } from "./eligibility-policy";
import { addressOfStored } from "./judge-stored-skill";

/**
 * Filter for the skills in lists: visible and listed ones. Unlisted skills stay visible to their owner, reviewers and
 * admins. `personaFilter` narrows it for agents.
 */
export function listedTo(actor: PersonActor): Prisma.SkillWhereInput {
  return { AND: [visibleTo(actor), listedFor(actor)] };
}

function listedFor(actor: PersonActor): Prisma.SkillWhereInput {
  if (scopeCaller(actor).personaId !== null) return { listed: true };
  return seesAll(actor) ? {} : { OR: [{ listed: true }, { ownerId: actor.userId }] };
}

/** Fetches pages until `wanted` rows pass a filter that SQL cannot apply. */
export async function readFiltered<Row, Position>(
  wanted: number,
  after: Position | null,
  { readPage, positionOf, isShown }: PagedRows<Row, Position>,
): Promise<Row[]> {
  const shown: Row[] = [];
  for (let from = after; ; ) {
    const rows = await readPage(from);
    shown.push(...rows.filter(isShown).slice(0, wanted - shown.length));
    const last = rows.at(-1);
    if (!last || rows.length < wanted || shown.length === wanted) return shown;
    from = positionOf(last);
  }
}

type PagedRows<Row, Position> = {
  /** Reads up to `wanted` rows after a position. */
  readPage(after: Position | null): Promise<Row[]>;
  positionOf(row: Row): Position;
  isShown(row: NoInfer<Row>): boolean;
};

/** What the rules read of a skill. */
export type FilteredRow = Pick<
  SkillRow,
  "id" | "name" | "slug" | "toolName" | "class" | "currentId" | "ownerKey" | "sourceId"
> & { current: { provenance: string } | null; pending: { provenance: string } | null };

/** Applies the rules of a persona and the eligibility policy to rows, which SQL cannot do. People see all rows. */
export async function personaFilter(ctx: Ctx, actor: PersonActor): Promise<(row: FilteredRow) => boolean> {
  const persona = await findPersona(ctx, actor);
  if (persona === "missing") return () => false;
  if (persona === null) return () => true;
  const policy = await readEligibilityPolicy(ctx);
  const bySteps = await refusedPipelines(ctx, persona, visibleTo(actor));
  return (row) =>
    !bySteps.has(row.id) &&
    whyRefused(persona, { ...row, class: servedClass(row) }) === null &&
    findEntry(policy, addressOfStored(row))?.entry.enabled !== false;
}
