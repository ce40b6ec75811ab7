import type { Me } from "@/lib/client/me";
import type { Skill } from "@/lib/skills/schema";

/** Whether this person may change a skill: its owner and admins; the organisation's also reviewers. The server decides. */
export function canManage(skill: Pick<Skill, "owner">, me: Me | undefined): boolean {
  if (!me) return false;
  if (me.user.role === "admin") return true;
  if (skill.owner.kind === "org") return me.user.role !== "user";
  return skill.owner.id === me.user.id;
}
