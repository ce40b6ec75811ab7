import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { findCredentialUsers } from "./find-users";
import { presentCredential } from "./list-credentials";
import type { CreateCredentialInput, Credential } from "./schema";
import { sealCredential } from "./seal-credential";

/**
 * Stores a credential, sealed. `conflict` when there is one of this name. Approved versions that name it, from before one
 * of that name was deleted, are given it from then on.
 */
export async function createCredential(ctx: Ctx, input: CreateCredentialInput): Promise<Credential> {
  const actor = requireScope(ctx.actor, "admin");
  const id = newId();
  const sealed = await sealCredential(ctx, id, input.value);
  return inTransaction(ctx, async (tx, txCtx) => {
    const { name, description } = input;
    if ((await tx.credential.count({ where: { name } })) > 0) {
      throw new AppError("conflict", `There is a credential “${name}” already.`);
    }
    const by = { createdAt: ctx.now(), createdBy: actor.name, updatedAt: ctx.now(), updatedBy: actor.name };
    const row = await tx.credential.create({ data: { id, name, description, sealed, ...by } });
    await recordEvent(tx, txCtx, {
      action: "credential.create",
      summary: `stored the credential ${name}`,
      target: { kind: "credential", id, name },
      data: { description },
    });
    return presentCredential(row, (await findCredentialUsers(tx)).get(name) ?? []);
  });
}
