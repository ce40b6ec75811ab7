import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { indexEvents } from "./index/index-events";
import { searchEvents } from "./index/search-events";
import { termsOf } from "./index/terms-of";
import { nameActors, searchQueryOf } from "./present-event";
import type { AuditFacets } from "./schema";

const MAX_VALUES = 200;
const OWN_EVENTS = 2_000;
const KINDS = ["actor", "action", "tool", "class", "decision", "device"] as const;
type Kind = (typeof KINDS)[number];

const VALUES = query<{ value: string }>(`SELECT "value" FROM "AuditTerm" WHERE "kind" = ? ORDER BY "value" LIMIT ?`);

/** At most 200 values per filter. For callers who see only their own events, from their newest 2,000 events. */
export async function listAuditFacets(ctx: Ctx): Promise<AuditFacets> {
  const sought = searchQueryOf(requireScope(ctx.actor, "read"), {});
  await indexEvents(ctx);
  const values: Partial<Record<Kind, string[]>> = {};
  if (sought.terms.length === 0) {
    for (const kind of KINDS) values[kind] = (await sqlOf(ctx).all(VALUES, kind, MAX_VALUES)).map(({ value }) => value);
  } else {
    const search = await searchEvents(ctx, sought);
    const { rows } = await search.find(search, "older", OWN_EVENTS);
    const terms = rows.flatMap(termsOf);
    for (const kind of KINDS) {
      const found = new Set(terms.filter(([of]) => of === kind).map(([, value]) => value));
      values[kind] = [...found].sort().slice(0, MAX_VALUES);
    }
  }
  const names = await nameActors(ctx, values.actor ?? []);
  const actors = (values.actor ?? []).map((id) => ({ id, name: names.get(id) ?? id }));
  return {
    actors: actors.sort((a, b) => a.name.localeCompare(b.name)),
    actions: values.action ?? [],
    tools: values.tool ?? [],
    classes: values.class ?? [],
    decisions: values.decision ?? [],
    devices: values.device ?? [],
  };
}
