import { LRUCache } from "lru-cache";
import { type RecordedRun, recordRunEvent } from "@/lib/audit/record-run-event";
import { AppError } from "@/lib/core/errors";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import { processStore } from "@/lib/core/process-store";
import { createRedactor, type Redactor } from "@/lib/core/redact/create-redactor";
import type { Ctx, Tx } from "@/lib/db/context";
import { Grants } from "@/lib/policy/grants/schema";
import { findMissingCredential, unsealCredential } from "@/lib/settings/credentials/credentials";
import type { ExchangeRequest, Lease, LeaseSecret, Outcome } from "@/lib/worker/protocol";

type GrantedRun = RecordedRun & { version: { grants: string | null } };

/**
 * The values of a run's credentials, when it is handed to a worker; only the answer to that worker contains them. Records
 * their use, by name. `missing` explains why the run cannot start (`credential_missing`).
 */
export async function unsealSecrets(
  tx: Tx,
  ctx: Ctx,
  run: GrantedRun,
): Promise<{ secrets: Lease["secrets"]; missing: string | null }> {
  const grants = keepParsed(Grants, run.version.grants ?? "{}");
  const opened = await openSecrets(tx, ctx, grants);
  storeRedactor(run.id, opened.secrets);
  if (opened.missing !== null || opened.secrets.length === 0) return opened;
  const names = [...new Set(opened.secrets.map(({ credential }) => credential))];
  await tx.credential.updateMany({ where: { name: { in: names } }, data: { lastUsedAt: ctx.now() } });
  await recordRunEvent(tx, ctx, run, {
    action: "credential.use",
    summary: `handed ${run.skill.name} the ${names.length === 1 ? "credential" : "credentials"} ${names.join(", ")}`,
    data: { credentials: grants.credentials },
  });
  return opened;
}

/** Refuses a request for a run when one of its credentials is not stored: `credential_missing`. */
export async function assertCredentialsStored(ctx: Ctx, grants: Grants): Promise<void> {
  const missing = await findMissingCredential(ctx.db, grants);
  const name = missing === null ? undefined : grants.credentials?.[missing]?.credential;
  if (name !== undefined) throw new AppError("credential_missing", notStored(name), { rule: "credential_missing" });
}

/** The current values of granted credentials, and a sentence on the first missing one. Only for handing over and for redaction. */
async function openSecrets(
  db: Tx,
  ctx: Ctx,
  { credentials = [] }: Grants,
): Promise<{ secrets: LeaseSecret[]; missing: string | null }> {
  if (credentials.length === 0) return { secrets: [], missing: null };
  const rows = await db.credential.findMany({ where: { name: { in: credentials.map((grant) => grant.credential) } } });
  const secrets: LeaseSecret[] = [];
  let missing: string | null = null;
  for (const { as, name, credential } of credentials) {
    const row = rows.find((candidate) => candidate.name === credential);
    const value = row ? await unsealCredential(ctx, row) : null;
    if (value !== null) secrets.push({ as, name, value, credential });
    else missing ??= row ? sealedOtherwise(credential) : notStored(credential);
  }
  return { secrets, missing };
}

function notStored(credential: string): string {
  return `The credential ${credential} is not stored (any more), and this skill cannot run without it.`;
}

function sealedOtherwise(credential: string): string {
  return `The credential ${credential} was encrypted with another key file. An admin must enter its value again.`;
}

const REMEMBERED = 5_000;

function redactors(): LRUCache<string, Redactor | false> {
  return processStore("run-redactors", () => new LRUCache({ max: REMEMBERED }));
}

function storeRedactor(runId: string, secrets: LeaseSecret[]): void {
  redactors().set(runId, createRedactor(secrets) ?? false);
}

/** Removes credentials from a worker's report, which should not contain any; after a restart with the values stored now. */
export async function redactReport(ctx: Ctx, request: ExchangeRequest): Promise<ExchangeRequest> {
  const ids = [...new Set([...request.events, ...request.completions].map(({ runId }) => runId))];
  if (ids.length === 0) return request;
  await loadRedactors(ctx, ids);
  const known = redactors();
  if (ids.every((id) => !known.get(id))) {
    dropRedactors(request);
    return request;
  }
  const redacted = {
    ...request,
    events: request.events.map((entry) => {
      const redactor = known.get(entry.runId);
      if (!redactor) return entry;
      return { ...entry, items: entry.items.map((item) => ({ ...item, text: redactor.text(item.text) })) };
    }),
    completions: request.completions.map((entry) => {
      const redactor = known.get(entry.runId);
      return redactor ? { ...entry, outcome: redactOutcome(entry.outcome, redactor) } : entry;
    }),
  };
  dropRedactors(request);
  return redacted;
}

function dropRedactors({ completions }: ExchangeRequest): void {
  for (const { runId } of completions) redactors().delete(runId);
}

function redactOutcome(outcome: Outcome, redactor: Redactor): Outcome {
  const { error, rawOutput } = outcome;
  return {
    ...outcome,
    ...("result" in outcome ? { result: redactor.value(outcome.result) } : {}),
    error: error && { ...error, message: redactor.text(error.message) },
    rawOutput: rawOutput === null ? null : redactor.text(rawOutput),
  };
}

async function loadRedactors(ctx: Ctx, ids: string[]): Promise<void> {
  const unknown = ids.filter((id) => !redactors().has(id));
  if (unknown.length === 0) return;
  const select = { id: true, version: { select: { grants: true } } };
  const rows = await ctx.db.run.findMany({ where: { id: { in: unknown } }, select });
  for (const { id, version } of rows) {
    const { secrets } = await openSecrets(ctx.db, ctx, parseJsonColumn(Grants, version.grants ?? "{}"));
    storeRedactor(id, secrets);
  }
}
