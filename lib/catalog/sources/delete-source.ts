import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSource } from "./require-source";

/** Removes a source and what it shows. What was installed from it stays, with its provenance. */
export async function deleteSource(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSource(txCtx, id);
    const installed = await tx.catalogInstall.updateMany({
      where: { sourceId: id },
      data: { sourceId: null, entryId: null },
    });
    await tx.catalogSource.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "catalog_source.delete",
      summary: `removed the catalog source ${row.label}`,
      target: { kind: "catalog_source", id, name: row.label },
      data: { repoUrl: row.repoUrl, ref: row.ref, folder: row.folder, installedSkillsKept: installed.count },
    });
  });
}
