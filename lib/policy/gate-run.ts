import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { SkillClass } from "@/lib/skill-format/schema";

type GateQuestion = { class: SkillClass; actor: PersonActor; confirmed: boolean; soloMode: boolean; skillName: string };

/**
 * Whether a run may start now. Safe ones start; mutating ones need the caller's own confirmation, which only a person
 * without a persona can give; dangerous ones need it too and, with solo mode off, are refused: they need other people.
 */
export function gateRun({ class: runClass, actor, confirmed, soloMode, skillName }: GateQuestion): void {
  if (runClass === "safe") return;
  if (actor.kind === "token" && actor.personaId !== null) {
    throw new AppError(
      "forbidden",
      `“${skillName}” is ${runClass}; an agent cannot confirm it, a person has to run it.`,
    );
  }
  if (runClass === "dangerous" && !soloMode) {
    throw new AppError("forbidden", `“${skillName}” is dangerous; with solo mode off its runs need two other people.`);
  }
  if (!confirmed) {
    throw new AppError(
      "confirmation_required",
      `“${skillName}” is ${runClass}: it changes things. Send confirm: true to run it.`,
    );
  }
}
