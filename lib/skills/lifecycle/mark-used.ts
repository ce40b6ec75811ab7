import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx, Tx } from "@/lib/db/context";
import { updateRows } from "@/lib/db/rows";

type UsedSkill = { id: string; name: string; toolName: string; lifecycle: string; ownerId: string | null };

/** Notes that a skill is used now, in the caller’s transaction; one that had gone stale is active again. */
export async function markUsed(tx: Tx, ctx: Ctx, skill: UsedSkill): Promise<void> {
  const used = { lastUsedAt: ctx.now(), lifecycle: "active" };
  await updateRows(ctx.database.writeSql, "Skill", { id: skill.id }, used);
  if (skill.lifecycle === "active") return;
  await recordEvent(tx, ctx, {
    action: "skill.revive",
    summary: `used ${skill.name}, which is active again`,
    target: { kind: "skill", id: skill.id, name: skill.name },
    skillId: skill.id,
    tool: skill.toolName,
    concerns: skill.ownerId,
    data: { before: skill.lifecycle },
  });
}
