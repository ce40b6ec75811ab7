import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";

/** Refuses a change that would leave nobody to administer the server. */
export async function assertNotLastAdmin(ctx: Ctx, person: { id: string; role: string; state: string }): Promise<void> {
  if (person.role !== "admin" || person.state !== "active") return;
  const others = await ctx.db.user.count({ where: { role: "admin", state: "active", id: { not: person.id } } });
  if (others === 0) throw new AppError("conflict", "This is the last active admin; make somebody else admin first.");
}
