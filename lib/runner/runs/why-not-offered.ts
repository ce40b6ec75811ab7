import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { assertOffered } from "@/lib/skills/access/assert-offered";
import { requireSkill } from "@/lib/skills/skill-access";

/**
 * Why an agent would not be offered, at this moment, the skill of a run it asked for earlier; null when it would be. People
 * and background work may run what is offered to no agent, and nothing is read for them.
 */
export async function whyNotOffered(ctx: Ctx, caller: PersonActor | null, skillId: string): Promise<string | null> {
  if (caller === null || !isAgent(caller)) return null;
  const asCaller = { ...ctx, actor: caller };
  try {
    await assertOffered(asCaller, await requireSkill(asCaller, skillId));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
