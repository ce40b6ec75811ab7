import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { findCredentialUsers } from "./find-users";
import { requireCredential } from "./update-credential";

const NAMED = 10;

/**
 * Deletes a credential and its value. `conflict`, with their names, while approved skills are given it; with `force` it goes
 * all the same, and their runs are refused until there is one of that name again.
 */
export async function deleteCredential(ctx: Ctx, id: string, { force }: { force: boolean }): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const { name } = await requireCredential(tx, id);
    const users = (await findCredentialUsers(tx)).get(name) ?? [];
    if (users.length > 0 && !force) {
      throw new AppError("conflict", `The credential ${name} is given to ${listNames(users)}, whose runs need it.`);
    }
    await tx.credential.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "credential.delete",
      summary:
        users.length > 0
          ? `deleted the credential ${name}, given to ${listNames(users)}`
          : `deleted the credential ${name}`,
      target: { kind: "credential", id, name },
      data: { usedBy: users.map((user) => user.name) },
    });
  });
}

function listNames(users: { name: string }[]): string {
  const names = users.slice(0, NAMED).map((user) => `“${user.name}”`);
  const more = users.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
