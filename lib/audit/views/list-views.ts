import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { SavedView } from "./schema";
import { AUDIT_PAGE, presentView } from "./view-access";

/** The caller's own views of the audit, by name; fifty at most, for that many can be saved. */
export async function listViews(ctx: Ctx): Promise<{ items: SavedView[]; nextCursor: null }> {
  const { userId } = requireScope(ctx.actor, "read");
  const rows = await ctx.db.savedView.findMany({ where: { userId, page: AUDIT_PAGE }, orderBy: { name: "asc" } });
  return { items: rows.map(presentView), nextCursor: null };
}
