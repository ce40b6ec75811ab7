import { recordEvent } from "@/lib/audit/record-event";
import type { PatchUserInput, User } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { User as UserRow } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { assertNotLastAdmin } from "./assert-not-last-admin";
import { endAccess } from "./end-access";
import { getUser, getUserRow } from "./get-user";

/**
 * Changes a person's name, role or state, from their next request on. Disabling ends their sessions, and their tokens
 * rest until they are enabled again. The last active admin stays one.
 */
export async function updateUser(ctx: Ctx, { id, patch }: { id: string; patch: PatchUserInput }): Promise<User> {
  requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await getUserRow(txCtx, id);
    const changes = Object.entries(patch).filter(([key, value]) => before[key as keyof PatchUserInput] !== value);
    if (changes.length === 0) return getUser(txCtx, id);
    assertCanBecomeActive(before, patch);
    const staysAdmin = (patch.role ?? before.role) === "admin" && (patch.state ?? before.state) === "active";
    if (!staysAdmin) await assertNotLastAdmin(txCtx, before);
    await tx.user.update({ where: { id }, data: { ...Object.fromEntries(changes), updatedAt: ctx.now() } });
    if (patch.state === "disabled") await endAccess(txCtx, { userId: id, tokens: false });
    await recordEvent(tx, txCtx, {
      action: "user.update",
      summary: `changed ${before.name}: ${changes.map(([key, value]) => `${key} to ${value}`).join(", ")}`,
      target: { kind: "user", id, name: before.name },
      data: {
        before: Object.fromEntries(changes.map(([key]) => [key, before[key as keyof PatchUserInput]])),
        after: Object.fromEntries(changes),
      },
    });
    return getUser(txCtx, id);
  });
}

function assertCanBecomeActive(before: UserRow, patch: PatchUserInput): void {
  if (patch.state !== "active" || before.passwordHash !== null) return;
  throw new AppError("conflict", `${before.name} has not set a password; make a new invitation link instead.`);
}
