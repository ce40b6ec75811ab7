import { findPersona } from "@/lib/auth/personas";
import { isAgent, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { type PersonaPolicy, RUN_POLICY, whyRefused } from "@/lib/policy/gate-run";
import type { SkillRow } from "../skill-access";
import { planStoredPipeline } from "./plan-pipeline";

/**
 * Ids of the pipelines among `where` that the persona's mode refuses because of a step's class: the class of a pipeline
 * is the highest of its steps, which its own column does not contain. Sends no query without a persona, or for a mode
 * that refuses no class.
 */
export async function refusedPipelines(
  ctx: Ctx,
  persona: PersonaPolicy | null,
  where: Prisma.SkillWhereInput,
): Promise<ReadonlySet<string>> {
  if (persona === null || !Object.values(RUN_POLICY[persona.permissionMode]).includes("refuse")) return new Set();
  const rows = await ctx.db.skill.findMany({
    where: { AND: [where, { deletedAt: null, runnable: true, current: { manifest: { contains: '"pipeline"' } } }] },
    include: { current: true, pending: true },
  });
  const refused = new Set<string>();
  for (const row of rows) if ((await whyStepsRefused(ctx, persona, row)) !== null) refused.add(row.id);
  return refused;
}

/** Throws `forbidden` with the rule when the mode of an agent's persona refuses a step's class. */
export async function assertStepsAllowed(ctx: Ctx, skill: SkillRow): Promise<void> {
  if (!isPerson(ctx.actor) || !isAgent(ctx.actor)) return;
  const refused = await whyStepsRefused(ctx, await findPersona(ctx, ctx.actor), skill);
  if (refused !== null) throw new AppError("forbidden", refused.reason, { rule: refused.rule });
}

async function whyStepsRefused(ctx: Ctx, persona: PersonaPolicy | null | "missing", skill: SkillRow) {
  // Without an active version only the lists of the persona apply, as in `servedClass`.
  const plan = skill.currentId === null ? null : await planStoredPipeline(ctx, skill);
  return plan && whyRefused(persona, { ...skill, class: plan.class });
}
