import { type Actor, isAgent } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { query, type SqlValue, valuesOf } from "@/lib/db/sql";
import { EVENT_COLUMNS, type EventRow, hashEvent, readAnchor, readNewest } from "./chain/chain-events";
import { chainKeyOf } from "./chain/chain-key";
import { scheduleHead } from "./chain/heads";
import type { AuditOutcome } from "./schema";

/** The longest value an event holds itself, in characters of JSON. */
const MAX_LENGTH = 4096;

const MAX_DEPTH = 40;

/** Names of fields that hold a secret wherever they stand. */
const SECRET_NAME =
  /^(pass(word|phrase|wd)|(client|shared)?[_-]?secret|api[_-]?key|(access|refresh|id|bearer|auth)[_-]?token|authorization|cookie|private[_-]?key|credentials?)$/i;

export const REDACTED = "••••";

const INSERT = query(`INSERT INTO "AuditEvent" ${valuesOf([...EVENT_COLUMNS, "prevHash", "hash"])}`);

const UNCHAINED =
  "The newest event of the audit has no hash. After an update, start the server once; otherwise somebody changed the audit: run npm run audit:verify.";

/** Halves of characters, which no database keeps, and zero bytes, which PostgreSQL does not. */
const UNKEEPABLE = /\p{Surrogate}|\0/gu;

/** Whole characters of two halves too, but found in no time. */
const SUSPECT = /[\0\ud800-\udfff]/;

type Person = { id: string; name: string };

/** What a verb tells of itself. `summary` is one sentence without the actor; `data` must hold no secret. */
export type AuditEntry = {
  /** `noun.verb`, stable. */
  action: string;
  summary: string;
  outcome?: AuditOutcome;
  count?: number;
  /** The person it concerns besides the actor; they may see it. */
  concerns?: string | null;
  target?: { kind: string; id: string; name: string };
  skillId?: string;
  versionDigest?: string;
  runId?: string;
  tool?: string;
  class?: string;
  device?: string;
  sessionId?: string;
  /** For whom, when that is not who acts: whose run a worker reports on. */
  onBehalfOf?: Person;
  /** What it was asked with and what came of it; kept without secrets, and by digest when it is long. */
  arguments?: unknown;
  result?: unknown;
  error?: { code: string; message: string } | null;
  startedAt?: Date | null;
  finishedAt?: Date | null;
  durationMs?: number | null;
  /** What the policy or a person said, by which rule, and who has signed. */
  decision?: "allow" | "ask" | "refuse" | "approve" | "reject";
  rule?: string | null;
  approvers?: Person[];
  /** Ties events of one story together; the request's own when left out. */
  traceId?: string | null;
  data?: Record<string, unknown>;
};

/** Events of runs carry more than this takes: see `recordRunEvent` and `recordRefusedRun`. */
type NotOfRun<A extends string> = A extends `run.${string}` ? never : A;

/** Adds one event in the transaction of the change it speaks of: when this fails, the change does not happen. */
export async function recordEvent<A extends string>(
  _tx: Tx,
  ctx: Ctx,
  entry: AuditEntry & { action: A & NotOfRun<A> },
): Promise<void> {
  await writeEvent(ctx, entry);
}

/** The session that the request itself names: an agent's, or that of the browser. */
export function ownSessionOf({ request, actor }: Ctx): string | null {
  return request.agentSessionId ?? (actor.kind === "user" ? actor.sessionId : null);
}

/** What every way to record an event ends in; used by those alone. */
export async function writeEvent(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const { actor } = ctx;
  await appendEvent(ctx.database, {
    at: ctx.now(),
    ...describeActor(actor),
    callerKind: callerKindOf(actor),
    ...onBehalfOf(actor, entry.onBehalfOf),
    concernsId: entry.concerns ?? null,
    action: entry.action,
    outcome: entry.outcome ?? "ok",
    count: entry.count ?? 1,
    decision: entry.decision ?? null,
    rule: entry.rule ?? null,
    approvers: entry.approvers === undefined ? null : JSON.stringify(entry.approvers),
    targetKind: entry.target?.kind ?? null,
    targetId: entry.target?.id ?? null,
    targetName: entry.target?.name ?? null,
    skillId: entry.skillId ?? null,
    versionDigest: entry.versionDigest ?? null,
    runId: entry.runId ?? null,
    tool: entry.tool ?? null,
    class: entry.class ?? null,
    sessionId: entry.sessionId ?? ownSessionOf(ctx),
    device: entry.device ?? null,
    address: ctx.request.address,
    requestId: ctx.request.requestId,
    traceId: entry.traceId ?? ctx.request.traceId ?? ctx.request.requestId,
    summary: entry.summary,
    arguments: storedValue(entry.arguments),
    result: storedValue(entry.result),
    error: storedValue(entry.error ?? undefined),
    startedAt: entry.startedAt ?? null,
    finishedAt: entry.finishedAt ?? null,
    durationMs: entry.durationMs ?? null,
    data: storedData(entry.data),
  });
}

/** How it was asked for. */
function callerKindOf(actor: Actor): string {
  if (actor.kind === "user") return "browser";
  if (actor.kind === "token") return isAgent(actor) ? "agent" : "api";
  return actor.kind === "anonymous" ? "api" : actor.kind;
}

/** A token acts for its person; whoever acts for themselves, for nobody else. */
function onBehalfOf(actor: Actor, given: Person | undefined) {
  const person = given ?? (actor.kind === "token" ? { id: actor.userId, name: actor.name } : null);
  const isThemselves = person === null || (actor.kind === "user" && actor.userId === person.id);
  return { onBehalfOfId: isThemselves ? null : person.id, onBehalfOfName: isThemselves ? null : person.name };
}

function describeActor(actor: Actor) {
  switch (actor.kind) {
    case "user":
      return { actorKind: "user", actorId: actor.userId, actorName: actor.name, actorRole: actor.role };
    case "token":
      return {
        actorKind: "token",
        actorId: actor.userId,
        actorName: `${actor.name} (${actor.tokenName})`,
        actorRole: actor.role,
      };
    case "worker":
      return { actorKind: "worker", actorId: actor.workerId, actorName: actor.name, actorRole: null };
    case "system":
      return { actorKind: "system", actorId: null, actorName: actor.name, actorRole: null };
    case "anonymous":
      return { actorKind: "anonymous", actorId: null, actorName: "Somebody not signed in", actorRole: null };
  }
}

/**
 * Adds an event to the end of the chain, inside the open transaction. It takes the next number itself, so that none is ever
 * left out; of one transaction, events are added one after the other.
 */
async function appendEvent(database: Ctx["database"], event: Omit<EventRow, "seq">): Promise<void> {
  const key = await chainKeyOf(database);
  const sql = database.writeSql;
  const tail = (await readNewest(sql)) ?? (await readAnchor(sql));
  if (tail.hash === null) throw new Error(UNCHAINED);
  const row: Record<string, SqlValue> = { ...event, seq: tail.seq + 1 };
  for (const name of EVENT_COLUMNS) {
    const value = row[name];
    if (typeof value === "string" && SUSPECT.test(value)) row[name] = value.replace(UNKEEPABLE, "\ufffd");
  }
  const values = EVENT_COLUMNS.map((name) => row[name] ?? null);
  await sql.run(INSERT, ...values, tail.hash, hashEvent(key, row, tail.hash));
  scheduleHead(database, tail.seq + 1);
}

/**
 * What somebody handed in or got out, as JSON for an event: fields named like a secret without their value, and what is
 * longer than 4 KiB as its SHA-256 (of canonical JSON) and length. Null when there is none.
 */
export function storedValue(value: unknown): string | null {
  return value === undefined ? null : bounded(withoutSecrets(value, 0));
}

/** What a verb tells besides: each of its values that is too long becomes digest and length, the others stay. */
export function storedData(data: Record<string, unknown> | undefined): string {
  const text = JSON.stringify(data ?? {});
  if (text.length <= MAX_LENGTH || data === undefined) return text;
  const parts = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${bounded(value)}`],
  );
  return `{${parts.join(",")}}`;
}

function bounded(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (text.length <= MAX_LENGTH) return text;
  return JSON.stringify({ omitted: { sha256: sha256Hex(canonicalJson(value)), length: text.length } });
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== "object") return value;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && inner !== null && inner !== "" ? REDACTED : withoutSecrets(inner, depth + 1),
    ]),
  );
}
