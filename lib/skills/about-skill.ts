import type { AuditEntry } from "@/lib/audit/record-event";
import type { Skill } from "@/lib/db/generated/client";

/** Fields of an audit event that name its skill. */
export function aboutSkill(
  skill: Pick<Skill, "id" | "name" | "toolName">,
): Required<Pick<AuditEntry, "target" | "skillId" | "tool">> {
  return { target: { kind: "skill", id: skill.id, name: skill.name }, skillId: skill.id, tool: skill.toolName };
}
