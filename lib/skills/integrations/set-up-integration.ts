import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { integrationKey } from "@/lib/policy/owner-key";
import { requireScope } from "@/lib/policy/require-scope";
import { applyIntegration } from "./apply-integration";
import { getIntegration } from "./list-integrations";
import { integrationsFolder, readDomain } from "./read-domains";
import type { Integration, IntegrationScope } from "./schema";

/**
 * Makes an integration’s skills available to the caller, or (by an admin) to everybody: each comes in as a pending version.
 * Setting it up once more reads the folder again. `invalid` when it cannot be read, with the reason.
 */
export async function setUpIntegration(
  ctx: Ctx,
  { domain, scope }: { domain: string; scope: IntegrationScope },
): Promise<Integration> {
  const actor = requireScope(ctx.actor, scope === "org" ? "admin" : "write");
  const root = integrationsFolder();
  if (root === null) throw new AppError("not_found", "This server has no directory of integrations.");
  const read = await readDomain(root, domain);
  if (read.problem !== null) throw new AppError("invalid", `“${domain}” cannot be set up. ${read.problem}`);
  const userId = scope === "org" ? null : actor.userId;
  const ownerKey = integrationKey(domain, userId);
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const known = await tx.integration.findUnique({ where: { ownerKey } });
    const made = { createdAt: at, createdById: actor.userId, createdByName: actor.name, updatedAt: at };
    const entry = known ?? (await tx.integration.create({ data: { id: newId(), domain, ownerKey, userId, ...made } }));
    if (known === null) {
      await recordEvent(tx, txCtx, {
        action: "integration.setup",
        summary: `set up ${domain} for ${scope === "org" ? "the organisation" : "themselves"}`,
        target: { kind: "integration", id: entry.id, name: domain },
      });
    }
    await applyIntegration(tx, txCtx, entry, read);
  });
  return getIntegration(ctx, domain);
}
