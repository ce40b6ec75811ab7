import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { destinationOf } from "@/lib/core/outgoing/outgoing-policy";
import { assertAllowed } from "@/lib/core/outgoing/server-features";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { presentEndpoint } from "./present-endpoint";
import type { CreateModelEndpointInput, ModelEndpoint } from "./schema";

/**
 * Adds an address where models answer. `conflict` when the name is taken, `invalid` when there is no such credential,
 * `address_not_allowed` when the server may not connect to it.
 */
export async function createEndpoint(ctx: Ctx, input: CreateModelEndpointInput): Promise<ModelEndpoint> {
  const actor = requireScope(ctx.actor, "admin");
  await assertAllowed("model", destinationOf(input.baseUrl));
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertNameFree(tx, input.name);
    await assertCredential(tx, input.credential);
    const { credential, models, ...plain } = input;
    const by = { createdAt: ctx.now(), createdBy: actor.name, updatedAt: ctx.now(), updatedBy: actor.name };
    const data = { id: newId(), ...plain, models: JSON.stringify(models), credentialName: credential, ...by };
    const row = await tx.modelEndpoint.create({ data });
    await recordEvent(tx, txCtx, {
      action: "model-endpoint.create",
      summary: `added the model endpoint ${input.name}`,
      target: { kind: "model-endpoint", id: row.id, name: row.name },
      data: input,
    });
    return presentEndpoint(row);
  });
}

export async function assertNameFree(tx: Tx, name: string, besidesId?: string): Promise<void> {
  const other = await tx.modelEndpoint.findUnique({ where: { name } });
  if (other && other.id !== besidesId) {
    throw new AppError("conflict", `There is a model endpoint “${name}” already.`);
  }
}

export async function assertCredential(tx: Tx, name: string | null | undefined): Promise<void> {
  if (!name || (await tx.credential.count({ where: { name } })) > 0) return;
  const message = `There is no credential “${name}”; store it first.`;
  throw new AppError("invalid", message, { errors: [{ path: "credential", message }] });
}
