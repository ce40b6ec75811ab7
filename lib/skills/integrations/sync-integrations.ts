import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { applyIntegration } from "./apply-integration";
import { integrationsFolder, type ReadDomain, readDomain } from "./read-domains";

/** Reads every entry again whose manifest has another version now. Answers how many versions came in for review. */
export async function syncIntegrations(ctx: Ctx): Promise<number> {
  const root = integrationsFolder();
  if (root === null) return 0;
  const entries = await ctx.db.integration.findMany({ orderBy: { id: "asc" } });
  const domains = new Map<string, ReadDomain>();
  let stored = 0;
  for (const entry of entries) {
    const read = domains.get(entry.domain) ?? (await readDomain(root, entry.domain));
    domains.set(entry.domain, read);
    // A folder that is broken or gone leaves what came from it as it is.
    if (read.manifest === null || read.manifest.version === entry.version) continue;
    stored += await inTransaction(ctx, (tx, txCtx) => applyIntegration(tx, txCtx, entry, read));
  }
  return stored;
}
