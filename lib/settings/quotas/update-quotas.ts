import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { listQuotas } from "./list-quotas";
import { ownQuotas } from "./quotas-of";
import { OwnQuotas, type PatchQuotasInput, type QuotaList } from "./schema";

/** Sets quotas of one person, or leaves them to the settings again (null). They hold from the next request on. */
export async function updateQuotas(ctx: Ctx, input: { userId: string; patch: PatchQuotasInput }): Promise<QuotaList> {
  requireScope(ctx.actor, "admin");
  const { userId, patch } = input;
  return inTransaction(ctx, async (tx, txCtx) => {
    const person = await tx.user.findUnique({ where: { id: userId }, select: { name: true } });
    if (person === null) throw new AppError("not_found", `There is no person ${userId}.`);
    const before: Record<string, number | undefined> = await ownQuotas(txCtx, userId);
    const changes = Object.entries(patch).filter(([key, value]) => (before[key] ?? null) !== value);
    if (changes.length > 0) {
      const merged = Object.entries({ ...before, ...Object.fromEntries(changes) }).filter(
        ([, value]) => value !== null,
      );
      const quotas = OwnQuotas.parse(Object.fromEntries(merged));
      await tx.user.update({ where: { id: userId }, data: { quotas: JSON.stringify(quotas), updatedAt: ctx.now() } });
      const words = changes.map(([key, value]) => `${key} to ${value === null ? "what the settings say" : value}`);
      await recordEvent(tx, txCtx, {
        action: "user.quotas",
        summary: `set quotas of ${person.name}: ${words.join(", ")}`,
        concerns: userId,
        target: { kind: "user", id: userId, name: person.name },
        data: {
          before: Object.fromEntries(changes.map(([key]) => [key, before[key] ?? null])),
          after: Object.fromEntries(changes),
        },
      });
    }
    return listQuotas(txCtx, userId);
  });
}
