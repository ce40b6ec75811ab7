import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { recordEvent } from "../record-event";
import { type SavedView, SaveViewInput } from "./schema";
import { AUDIT_PAGE, assertNameFree, clearDefault, presentView } from "./view-access";

const MOST = 50;

/** Keeps filters of the audit under a name, for the caller alone; fifty at most. */
export async function saveView(ctx: Ctx, input: SaveViewInput): Promise<SavedView> {
  const { userId } = requireScope(ctx.actor, "write");
  const { name, query, isDefault } = SaveViewInput.parse(input);
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertNameFree(tx, { userId, name });
    const count = await tx.savedView.count({ where: { userId, page: AUDIT_PAGE } });
    if (count >= MOST) throw new AppError("conflict", `You have ${MOST} views already. Delete one first.`);
    if (isDefault) await clearDefault(tx, userId);
    const data = { id: newId(), userId, page: AUDIT_PAGE, name, query, isDefault, createdAt: ctx.now() };
    const row = await tx.savedView.create({ data });
    await recordEvent(tx, txCtx, {
      action: "saved_view.create",
      summary: `saved the view “${name}” of the audit`,
      target: { kind: "saved_view", id: row.id, name },
      data: { query, isDefault },
    });
    return presentView(row);
  });
}
