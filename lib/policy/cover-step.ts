import type { SkillClass } from "@/lib/skill-format/schema";
import type { Gate } from "./gate-run";
import { highestClass } from "./signatures-needed";

/** Whether what was confirmed for a pipeline of this class is a confirmation of a step too. */
export function confirmsStep(pipelineClass: SkillClass, stepClass: SkillClass): boolean {
  return pipelineClass !== "safe" && highestClass(pipelineClass, stepClass) === pipelineClass;
}

/**
 * What asking for a step of a pipeline leads to. Whoever confirmed or signed the pipeline did so for its mutating steps;
 * a dangerous one is signed for itself, and what is refused stays refused.
 */
export function coverStep(gate: Gate, stepClass: SkillClass, pipelineClass: SkillClass): Gate {
  if (gate.outcome !== "park" && gate.outcome !== "confirm") return gate;
  if (stepClass !== "mutating" || !confirmsStep(pipelineClass, stepClass)) return gate;
  const reason = "It was confirmed with the pipeline that it is a step of.";
  return { outcome: "start", rule: "mutating-confirmed", reason, signatures: 0 };
}
