import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { recordEvent } from "../record-event";
import { type SavedView, UpdateViewInput } from "./schema";
import { assertNameFree, clearDefault, presentView, requireOwnView } from "./view-access";

/** Gives a view of one's own another name or other filters, or makes it the default. */
export async function updateView(ctx: Ctx, id: string, input: UpdateViewInput): Promise<SavedView> {
  const { name, query, isDefault } = UpdateViewInput.parse(input);
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await requireOwnView(ctx, tx, id);
    const { userId } = before;
    if (name !== undefined) await assertNameFree(tx, { userId, name, besides: id });
    if (isDefault) await clearDefault(tx, userId);
    const row = await tx.savedView.update({
      where: { id },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(query === undefined ? {} : { query }),
        ...(isDefault === undefined ? {} : { isDefault }),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "saved_view.update",
      summary: `changed the view “${row.name}” of the audit`,
      target: { kind: "saved_view", id, name: row.name },
      data: { before: presentView(before), after: presentView(row) },
    });
    return presentView(row);
  });
}
