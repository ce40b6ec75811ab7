import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Credential as CredentialRow } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { findCredentialUsers } from "./find-users";
import { presentCredential } from "./list-credentials";
import type { Credential, PatchCredentialInput } from "./schema";
import { sealCredential } from "./seal-credential";

/** Gives a credential another value, which runs get from the next start on, or another description. */
export async function updateCredential(ctx: Ctx, id: string, input: PatchCredentialInput): Promise<Credential> {
  const actor = requireScope(ctx.actor, "admin");
  const sealed = input.value === undefined ? null : await sealCredential(ctx, id, input.value);
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await requireCredential(tx, id);
    const { description = before.description } = input;
    const data = { description, ...(sealed ? { sealed } : {}), updatedAt: ctx.now(), updatedBy: actor.name };
    const row = await tx.credential.update({ where: { id }, data });
    await recordEvent(tx, txCtx, {
      action: sealed ? "credential.rotate" : "credential.update",
      summary: sealed ? `gave the credential ${row.name} a new value` : `described the credential ${row.name} anew`,
      target: { kind: "credential", id, name: row.name },
      data: description === before.description ? {} : { before: before.description, after: description },
    });
    return presentCredential(row, (await findCredentialUsers(tx)).get(row.name) ?? []);
  });
}

export async function requireCredential(tx: Tx, id: string): Promise<CredentialRow> {
  const row = await tx.credential.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `There is no credential ${id.slice(0, 64)}.`);
  return row;
}
