import { AppError } from "@/lib/core/errors";
import type { Ctx, Tx } from "@/lib/db/context";
import type { SavedView as ViewRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import type { SavedView } from "./schema";

export const AUDIT_PAGE = "audit";

/** A view of the caller's own; `not_found` for anybody else's. */
export async function requireOwnView(ctx: Ctx, tx: Tx, id: string): Promise<ViewRow> {
  const { userId } = requireScope(ctx.actor, "write");
  const row = await tx.savedView.findFirst({ where: { id, userId, page: AUDIT_PAGE } });
  if (row === null) throw new AppError("not_found", "There is no such view.");
  return row;
}

/** `conflict` when another view of the person has this name. */
export async function assertNameFree(tx: Tx, view: { userId: string; name: string; besides?: string }): Promise<void> {
  const { userId, name, besides } = view;
  const same = await tx.savedView.findFirst({ where: { userId, page: AUDIT_PAGE, name } });
  if (same !== null && same.id !== besides) throw new AppError("conflict", `You have a view called “${name}” already.`);
}

/** One of a person's views is the default at most. */
export async function clearDefault(tx: Tx, userId: string): Promise<void> {
  await tx.savedView.updateMany({ where: { userId, page: AUDIT_PAGE }, data: { isDefault: false } });
}

export function presentView({ id, name, query, isDefault }: ViewRow): SavedView {
  return { id, name, query, isDefault };
}
