import { listEvents } from "@/lib/audit/list-events";
import type { AuditEvent } from "@/lib/audit/schema";
import type { Ctx } from "@/lib/db/context";
import { hasScope } from "@/lib/policy/require-scope";
import type { CatalogSource } from "./schema";

type Outage = CatalogSource["outages"][number];
type Source = { id: string; failures: number; syncedAt: Date | null };

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Pages of events that are read at most; what is older is left out. */
const MAX_PAGES = 10;

/**
 * The times of the last 30 days in which syncs failed, by source, the oldest first. The audit log has the first failure of an
 * outage and the sync that ended it. Empty for callers who may not read that log.
 */
export async function listOutages(ctx: Ctx, sources: readonly Source[]): Promise<ReadonlyMap<string, Outage[]>> {
  const from = new Date(ctx.now().getTime() - DAYS * DAY_MS);
  const outages = new Map<string, Outage[]>();
  if (!hasScope(ctx.actor, "read")) return outages;
  const failed = await eventsOf(ctx, "catalog_source.failed", from);
  const [first] = failed;
  if (first === undefined) return outages;
  const synced = await eventsOf(ctx, "catalog_source.synced", new Date(first.at));
  for (const { at, action, target } of [...failed, ...synced].sort((a, b) => a.seq - b.seq)) {
    const known = outages.get(target?.id ?? "") ?? [];
    const open = known.find(({ to }) => to === null);
    if (action === "catalog_source.synced" && open) open.to = at;
    if (action === "catalog_source.failed" && open === undefined) {
      outages.set(target?.id ?? "", [...known, { from: at, to: null }]);
    }
  }
  for (const { id, failures, syncedAt } of sources) {
    const last = outages.get(id)?.at(-1);
    // An admin confirmed its repository, after which a sync without changes is no event.
    if (last?.to === null && failures === 0 && syncedAt !== null) last.to = syncedAt.toISOString();
  }
  return outages;
}

async function eventsOf(ctx: Ctx, action: string, from: Date): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await listEvents(ctx, { action, from: from.toISOString(), limit: 100, cursor });
    found.push(...page.items);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return found.reverse();
}
