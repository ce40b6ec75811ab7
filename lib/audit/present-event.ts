import type { PersonActor } from "@/lib/core/actor";
import { isIdShaped } from "@/lib/core/ids";
import type { IndexTerm } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import type { AuditEvent as AuditRow } from "@/lib/db/generated/client";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { seesAll } from "@/lib/policy/require-scope";
import type { EventQuery } from "./index/search-events";
import { AuditEvent, type AuditFilter } from "./schema";

export function presentEvent(row: AuditRow): AuditEvent {
  const data = JSON.parse(row.data) as Record<string, unknown>;
  const target =
    row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId ?? "", name: row.targetName ?? "" };
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actor: {
      kind: AuditEvent.shape.actor.shape.kind.parse(row.actorKind),
      id: row.actorId,
      name: row.actorName,
      role: row.actorRole,
    },
    action: row.action,
    outcome: AuditEvent.shape.outcome.parse(row.outcome),
    count: row.count,
    summary: row.summary,
    target,
    skillId: row.skillId,
    versionDigest: row.versionDigest,
    runId: row.runId,
    tool: row.tool,
    class: row.class,
    role: text(data.callerRole) ?? row.actorRole,
    argumentsDigest: text(data.argumentsDigest),
    sessionId: row.sessionId,
    device: row.device,
    address: row.address,
    requestId: row.requestId,
    callerKind: row.callerKind,
    onBehalfOf: row.onBehalfOfId === null ? null : { id: row.onBehalfOfId, name: row.onBehalfOfName ?? "" },
    decision: AuditEvent.shape.decision.catch(null).parse(row.decision),
    rule: row.rule,
    approvers: row.approvers === null ? [] : (JSON.parse(row.approvers) as AuditEvent["approvers"]),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    durationMs: row.durationMs,
    traceId: row.traceId,
    arguments: anyJson(row.arguments),
    result: anyJson(row.result),
    error: anyJson(row.error),
    chain: row.hash === null ? null : { hash: row.hash, prevHash: row.prevHash ?? "" },
    data,
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function anyJson(column: string | null): unknown {
  return column === null ? null : JSON.parse(column);
}

const lastNames = (dialect: Dialect) =>
  `SELECT t."value" AS "key", e."actorName" AS "name" FROM ${jsonList(dialect)} k
   JOIN "AuditTerm" t ON t."kind" = 'actor' AND t."value" = k."value"
   JOIN "AuditEvent" e ON e."seq" = (SELECT max(p."seq") FROM "AuditPosting" p WHERE p."termId" = t."id")`;
const LAST_NAMES = query<{ key: string; name: string }>({
  sqlite: lastNames("sqlite"),
  postgresql: lastNames("postgresql"),
});

const people = (dialect: Dialect) => `SELECT "id", "name" FROM "User" WHERE "id" IN ${jsonList(dialect)}`;
const PEOPLE = query<{ id: string; name: string }>({ sqlite: people("sqlite"), postgresql: people("postgresql") });

/** Names of actors by key: people's current names; for others the name in their last event. */
export async function nameActors(ctx: Ctx, keys: string[]): Promise<Map<string, string>> {
  const list = JSON.stringify(keys);
  const names = new Map((await sqlOf(ctx).all(LAST_NAMES, list)).map(({ key, name }) => [key, name]));
  for (const { id, name } of await sqlOf(ctx).all(PEOPLE, list)) names.set(id, name);
  return names;
}

/** The search for a caller's filters, limited to the events that they may see. */
export function searchQueryOf(actor: PersonActor, query: AuditFilter): EventQuery {
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
