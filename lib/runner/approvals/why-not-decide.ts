import { isAgent, type PersonActor } from "@/lib/core/actor";
import { hasScope } from "@/lib/policy/require-scope";
import { type WhyNot, whyNotSignRun } from "@/lib/policy/sign-run";
import { SkillClass } from "@/lib/skill-format/schema";
import { isSoloFor } from "./count-signatures";

type DecidableRun = { class: string; callerId: string; signatures: number | null };

/** Why somebody may not approve a parked run, by policy; null when they may. */
export function whyNotDecide(actor: PersonActor, run: DecidableRun, soloMode: boolean): WhyNot | null {
  return whyNotSignRun({
    class: SkillClass.parse(run.class),
    signer: { userId: actor.userId, canReview: hasScope(actor, "review"), isAgent: isAgent(actor) },
    callerId: run.callerId,
    soloMode: isSoloFor(run, soloMode),
  });
}
