import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { SavedView as ViewRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { recordEvent } from "./record-event";
import { type SavedView, SaveViewInput, UpdateViewInput } from "./schema";

const AUDIT_PAGE = "audit";

async function requireOwnView(ctx: Ctx, tx: Tx, id: string): Promise<ViewRow> {
  const { userId } = requireScope(ctx.actor, "write");
  const row = await tx.savedView.findFirst({ where: { id, userId, page: AUDIT_PAGE } });
  if (row === null) throw new AppError("not_found", "There is no such view.");
  return row;
}

/** Throws `conflict` when another view of the person has this name. */
export async function assertNameFree(tx: Tx, view: { userId: string; name: string; besides?: string }): Promise<void> {
  const { userId, name, besides } = view;
  const same = await tx.savedView.findFirst({ where: { userId, page: AUDIT_PAGE, name } });
  if (same !== null && same.id !== besides) throw new AppError("conflict", `You already have a view “${name}”.`);
}

async function clearDefault(tx: Tx, userId: string): Promise<void> {
  await tx.savedView.updateMany({ where: { userId, page: AUDIT_PAGE }, data: { isDefault: false } });
}

function presentView({ id, name, query, isDefault }: ViewRow): SavedView {
  return { id, name, query, isDefault };
}

/** The caller's views of the audit log, by name (at most 50). */
export async function listViews(ctx: Ctx): Promise<{ items: SavedView[]; nextCursor: null }> {
  const { userId } = requireScope(ctx.actor, "read");
  const rows = await ctx.db.savedView.findMany({ where: { userId, page: AUDIT_PAGE }, orderBy: { name: "asc" } });
  return { items: rows.map(presentView), nextCursor: null };
}

const MAX_VIEWS = 50;

/** Saves filters of the audit log for the caller; at most 50. */
export async function saveView(ctx: Ctx, input: SaveViewInput): Promise<SavedView> {
  const { userId } = requireScope(ctx.actor, "write");
  const { name, query, isDefault } = SaveViewInput.parse(input);
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertNameFree(tx, { userId, name });
    const count = await tx.savedView.count({ where: { userId, page: AUDIT_PAGE } });
    if (count >= MAX_VIEWS) throw new AppError("conflict", `You already have ${MAX_VIEWS} views. Delete one first.`);
    if (isDefault) await clearDefault(tx, userId);
    const data = { id: newId(), userId, page: AUDIT_PAGE, name, query, isDefault, createdAt: ctx.now() };
    const row = await tx.savedView.create({ data });
    await recordEvent(tx, txCtx, {
      action: "saved_view.create",
      summary: `saved the view “${name}” of the audit log`,
      target: { kind: "saved_view", id: row.id, name },
      data: { query, isDefault },
    });
    return presentView(row);
  });
}

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
      summary: `changed the view “${row.name}” of the audit log`,
      target: { kind: "saved_view", id, name: row.name },
      data: { before: presentView(before), after: presentView(row) },
    });
    return presentView(row);
  });
}

export async function deleteView(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const { name } = await requireOwnView(ctx, tx, id);
    await tx.savedView.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "saved_view.delete",
      summary: `deleted the view “${name}” of the audit log`,
      target: { kind: "saved_view", id, name },
    });
  });
}
