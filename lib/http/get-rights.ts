import { findPersona } from "@/lib/auth/find-persona";
import { Rights } from "@/lib/auth/schema";
import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { gateRun } from "@/lib/policy/gate-run";
import { effectiveScopes } from "@/lib/policy/require-scope";
import type { SkillClass } from "@/lib/skill-format/schema";

/** What the caller may do: the rights of the person, cut down to the token's scopes and to the persona. */
export async function getRights(ctx: Ctx, actor: PersonActor, soloMode: boolean): Promise<Rights> {
  const persona = await findPersona(ctx, actor);
  // The lists speak of single skills and are shown as they are; here it is about the classes.
  const policy = persona === null || persona === "missing" ? persona : { ...persona, allow: [], deny: [] };
  const skill = { name: "a skill", slug: "a-skill", toolName: "a_skill" };
  const outcomeOf = (runClass: SkillClass) => {
    const gate = gateRun({ class: runClass, persona: policy, confirmed: false, soloMode, skill });
    return { outcome: gate.outcome, rule: gate.rule, reason: gate.reason };
  };
  return Rights.parse({
    via: actor.kind === "token" ? "token" : "session",
    scopes: effectiveScopes(actor),
    persona: persona === "missing" ? null : persona,
    runs: { safe: outcomeOf("safe"), mutating: outcomeOf("mutating"), dangerous: outcomeOf("dangerous") },
  });
}
