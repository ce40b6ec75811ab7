import type { AuditEntry } from "@/lib/audit/record-event";
import type { SkillRow } from "./skill-access";

/** What an audit event says of the skill that it is about. */
export function aboutSkill(
  skill: SkillRow,
): Required<Pick<AuditEntry, "target" | "skillId" | "tool">> & Pick<AuditEntry, "concerns"> {
  return {
    concerns: skill.ownerId,
    target: { kind: "skill", id: skill.id, name: skill.name },
    skillId: skill.id,
    tool: skill.toolName,
  };
}
