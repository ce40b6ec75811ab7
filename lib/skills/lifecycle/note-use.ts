import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { SkillRow } from "../skill-access";
import { markUsed } from "./mark-used";

/** Reading a playbook again within this time writes nothing. */
const QUIET_MS = 60 * 60 * 1000;

/** Reading the instructions by a token is use. What a person reads in a browser is not. */
export async function noteUse(ctx: Ctx, skill: SkillRow): Promise<void> {
  if (ctx.actor.kind !== "token") return;
  const isFresh = skill.lastUsedAt !== null && ctx.now().getTime() - skill.lastUsedAt.getTime() < QUIET_MS;
  if (isFresh && skill.lifecycle === "active") return;
  await inTransaction(ctx, (tx, txCtx) => markUsed(tx, txCtx, skill));
}
