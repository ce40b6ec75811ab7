import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { integrationKey } from "@/lib/policy/owner-key";
import { requireScope } from "@/lib/policy/require-scope";
import { deleteSkill } from "../delete-skill";
import type { IntegrationScope } from "./schema";

/** Takes an entry of an integration away with its skills, whose versions and runs stay for the audit. */
export async function removeIntegration(
  ctx: Ctx,
  { domain, scope }: { domain: string; scope: IntegrationScope },
): Promise<void> {
  const actor = requireScope(ctx.actor, scope === "org" ? "admin" : "write");
  const ownerKey = integrationKey(domain, scope === "org" ? null : actor.userId);
  await inTransaction(ctx, async (tx, txCtx) => {
    const entry = await tx.integration.findUnique({ where: { ownerKey } });
    if (entry === null) throw new AppError("not_found", `“${domain}” is not set up.`);
    const skills = await tx.skill.findMany({ where: { ownerKey, deletedAt: null }, select: { id: true } });
    for (const { id } of skills) await deleteSkill(txCtx, id);
    await tx.integration.delete({ where: { id: entry.id } });
    await recordEvent(tx, txCtx, {
      action: "integration.remove",
      summary: `removed ${domain} and its ${skills.length} skills`,
      target: { kind: "integration", id: entry.id, name: domain },
    });
  });
}
