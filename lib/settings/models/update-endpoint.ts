import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { destinationOf } from "@/lib/core/outgoing/outgoing-policy";
import { assertAllowed } from "@/lib/core/outgoing/server-features";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { assertCredential, assertNameFree } from "./create-endpoint";
import { presentEndpoint } from "./present-endpoint";
import type { ModelEndpoint, PatchModelEndpointInput } from "./schema";

/** One endpoint, for admins. */
export async function getEndpoint(ctx: Ctx, id: string): Promise<ModelEndpoint> {
  requireScope(ctx.actor, "admin");
  return presentEndpoint(await requireRow(ctx.db, id));
}

/**
 * Changes what it names. Its kind stays: another kind is another endpoint. `address_not_allowed` for a new address that the
 * server may not connect to.
 */
export async function updateEndpoint(ctx: Ctx, id: string, input: PatchModelEndpointInput): Promise<ModelEndpoint> {
  const actor = requireScope(ctx.actor, "admin");
  if (input.baseUrl !== undefined) await assertAllowed("model", destinationOf(input.baseUrl));
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = presentEndpoint(await requireRow(tx, id));
    if (input.name !== undefined) await assertNameFree(tx, input.name, id);
    await assertCredential(tx, input.credential);
    const { credential, models, ...plain } = input;
    const row = await tx.modelEndpoint.update({
      where: { id },
      data: {
        ...plain,
        ...(models ? { models: JSON.stringify(models) } : {}),
        ...(credential === undefined ? {} : { credentialName: credential }),
        updatedAt: ctx.now(),
        updatedBy: actor.name,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "model-endpoint.update",
      summary: `changed ${Object.keys(input).join(", ")} of the model endpoint ${row.name}`,
      target: { kind: "model-endpoint", id, name: row.name },
      data: { before, after: input },
    });
    return presentEndpoint(row);
  });
}

/** Removes it; conversations with its models stay readable. */
export async function deleteEndpoint(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireRow(tx, id);
    await tx.modelEndpoint.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "model-endpoint.delete",
      summary: `removed the model endpoint ${row.name}`,
      target: { kind: "model-endpoint", id, name: row.name },
      data: presentEndpoint(row),
    });
  });
}

async function requireRow(tx: Tx, id: string) {
  const row = await tx.modelEndpoint.findUnique({ where: { id } });
  if (!row) throw new AppError("not_found", `There is no model endpoint “${id}”.`);
  return row;
}
