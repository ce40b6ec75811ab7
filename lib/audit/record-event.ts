import { type Actor, isAgent } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { query, type Sql, type SqlValue, valuesOf } from "@/lib/db/sql";
import { CHAIN_COLUMNS, EVENT_COLUMNS, type EventRow, FIRST_CHAIN, GENESIS, hashEvent } from "./chain/chain-events";
import { chainKeyOf } from "./chain/chain-key";
import { scheduleHead } from "./chain/heads";
import type { AuditOutcome } from "./schema";

/** Longer values are replaced by their digest, in characters of JSON. */
const MAX_LENGTH = 4096;

const MAX_DEPTH = 40;

const SECRET_NAME =
  /^(pass(word|phrase|wd)|(client|shared)?[_-]?secret|api[_-]?key|(access|refresh|id|bearer|auth)[_-]?token|authorization|cookie|private[_-]?key|credentials?)$/i;

export const REDACTED = "••••";

const INSERT = query(`INSERT INTO "AuditEvent" ${valuesOf([...EVENT_COLUMNS, ...CHAIN_COLUMNS])}`);

type Tail = { place: number; hash: string | null; next: number };
const tailWith = (next: string) => `SELECT "place", "hash", ${next} AS "next" FROM "AuditChain" WHERE "chain" = ?`;
const TAIL = query<Tail>({
  sqlite: tailWith(`1 + MAX("seq", COALESCE((SELECT MAX("seq") FROM "AuditEvent"), 0))`),
  // Another process may take the next number without waiting for this transaction.
  postgresql: tailWith(`nextval('"AuditEvent_seq_seq"')::int`),
});
const BEGIN_CHAIN = query(
  `INSERT INTO "AuditChain" ${valuesOf(["chain", "place", "seq", "hash", "sealedPlace", "sealedHash"])}`,
);
const EXTEND = query(`UPDATE "AuditChain" SET "place" = ?, "seq" = ?, "hash" = ? WHERE "chain" = ?`);

const UNCHAINED =
  "The newest event of the audit log has no hash. After an update, start the server once. Otherwise the audit log was changed: run npm run audit:verify.";

/** Lone surrogates, which no database stores, and zero bytes, which PostgreSQL does not store. */
const UNSTORABLE = /\p{Surrogate}|\0/gu;

/** A fast pre-check; it also matches valid surrogate pairs. */
const MAYBE_UNSTORABLE = /[\0\ud800-\udfff]/;

type Person = { id: string; name: string };

/** An event as its caller describes it. `summary` is one sentence without the actor; `data` must contain no secret. */
export type AuditEntry = {
  /** `noun.verb`, stable. */
  action: string;
  summary: string;
  outcome?: AuditOutcome;
  count?: number;
  /** A person besides the actor who may see the event. */
  concerns?: string | null;
  target?: { kind: string; id: string; name: string };
  skillId?: string;
  versionDigest?: string;
  runId?: string;
  tool?: string;
  class?: string;
  device?: string;
  sessionId?: string;
  /** The person for whom the actor acts, such as the caller of a run that a worker reports on. */
  onBehalfOf?: Person;
  /** Stored without secrets; long values by digest. */
  arguments?: unknown;
  result?: unknown;
  error?: { code: string; message: string } | null;
  startedAt?: Date | null;
  finishedAt?: Date | null;
  durationMs?: number | null;
  /** Decision of the policy or of a person, with the rule and the people who signed. */
  decision?: "allow" | "ask" | "refuse" | "approve" | "reject";
  rule?: string | null;
  approvers?: Person[];
  /** Groups related events; default: the request's trace. */
  traceId?: string | null;
  data?: Record<string, unknown>;
};

/** Events of runs need more fields: use `recordRunEvent` and `recordRefusedRun`. */
type NotOfRun<A extends string> = A extends `run.${string}` ? never : A;

/** Adds an event in the transaction of the change that it records: when this fails, the change is rolled back. */
export async function recordEvent<A extends string>(
  _tx: Tx,
  ctx: Ctx,
  entry: AuditEntry & { action: A & NotOfRun<A> },
): Promise<void> {
  await writeEvent(ctx, entry);
}

/** The session of the request: an agent's or a browser's. */
export function ownSessionOf({ request, actor }: Ctx): string | null {
  return request.agentSessionId ?? (actor.kind === "user" ? actor.sessionId : null);
}

/** Shared by the recording functions of this module; use those instead. */
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

function callerKindOf(actor: Actor): string {
  if (actor.kind === "user") return "browser";
  if (actor.kind === "token") return isAgent(actor) ? "agent" : "api";
  return actor.kind === "anonymous" ? "api" : actor.kind;
}

/** A token acts for its person; a signed-in person acts only for themselves. */
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
      return { actorKind: "anonymous", actorId: null, actorName: "Anonymous caller", actorRole: null };
  }
}

/** Adds the event to the chain of this process, where places have no gaps. Needs the open transaction. */
async function appendEvent(database: Ctx["database"], event: Omit<EventRow, "seq">): Promise<void> {
  const key = await chainKeyOf(database);
  const sql = database.writeSql;
  const chain = database.chain();
  const tail = (await sql.get(TAIL, chain)) ?? (await beginChain(sql, chain));
  if (tail.hash === null) throw new Error(UNCHAINED);
  const [seq, place] = [tail.next, tail.place + 1];
  const row: Record<string, SqlValue> = {
    ...event,
    ...{ seq, chain, place: chain === FIRST_CHAIN && place === seq ? null : place },
  };
  for (const name of EVENT_COLUMNS) {
    const value = row[name];
    if (typeof value === "string" && MAYBE_UNSTORABLE.test(value)) row[name] = value.replace(UNSTORABLE, "\ufffd");
  }
  row.prevHash = tail.hash;
  row.hash = hashEvent(key, row, tail.hash);
  await sql.run(INSERT, ...[...EVENT_COLUMNS, ...CHAIN_COLUMNS].map((name) => row[name] ?? null));
  await sql.run(EXTEND, place, seq, row.hash, chain);
  scheduleHead(database, seq);
}

async function beginChain(sql: Sql, chain: number): Promise<Tail> {
  await sql.run(BEGIN_CHAIN, chain, 0, 0, GENESIS, 0, GENESIS);
  const begun = await sql.get(TAIL, chain);
  if (begun === undefined) throw new Error(`chain ${chain} of the audit log was not begun`);
  return begun;
}

/** Redacts secret fields. JSON over 4,096 characters becomes its SHA-256 (of canonical JSON) and length. */
export function storedValue(value: unknown): string | null {
  return value === undefined ? null : bounded(withoutSecrets(value, 0));
}

/** The additional data of an event: values that are too long become digest and length. */
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
