import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx, Tx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";

const USE = query(`UPDATE "Skill" SET "lastUsedAt" = ?, "lifecycle" = 'active' WHERE "id" = ?`);

type UsedSkill = { id: string; name: string; toolName: string; lifecycle: string; ownerId: string | null };

/** Notes that a skill is used now, in the caller’s transaction; one that had gone stale is active again. */
export async function markUsed(tx: Tx, ctx: Ctx, skill: UsedSkill): Promise<void> {
  await ctx.database.writeSql.run(USE, ctx.now(), skill.id);
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
