import type { PersonActor } from "@/lib/core/actor";
import { isIdShaped } from "@/lib/core/ids";
import type { IndexTerm } from "@/lib/db/audit-index";
import { seesAll } from "@/lib/policy/require-scope";
import type { Sought } from "./index/search-events";
import type { AuditFilter } from "./schema";

/** What somebody who asks with these filters looks for, among the events that they may see. */
export function soughtBy(actor: PersonActor, query: AuditFilter): Sought {
  const terms: [string, string | undefined][] = [
    ["sees", seesAll(actor) ? undefined : actor.userId],
    [query.actor && isIdShaped(query.actor) ? "actor" : "actorName", query.actor],
    [query.action?.includes(".") ? "action" : "noun", query.action],
    ["name", query.tool],
    [query.skill && isIdShaped(query.skill) ? "skill" : "name", query.skill],
    ["class", query.class],
    ["decision", query.decision],
    ["outcome", query.outcome],
    ["device", query.device],
    ["run", query.run],
    ["session", query.session],
    ["version", query.version],
  ];
  return {
    terms: terms.filter((term): term is [string, string] & IndexTerm => term[1] !== undefined && term[1] !== ""),
    q: query.q?.trim() || null,
    from: query.from ? new Date(query.from) : null,
    to: query.to ? new Date(query.to) : null,
  };
}
