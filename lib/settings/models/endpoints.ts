import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { destinationOf, refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { assertAllowed, outgoingFetch } from "@/lib/core/outgoing/server-features";
import { createRedactor } from "@/lib/core/redact/create-redactor";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { ModelEndpoint as ModelEndpointRow } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { loadModel, type Model, presentEndpoint } from "./require-model";
import type {
  CreateModelEndpointInput,
  ModelChoices,
  ModelEndpoint,
  ModelEndpointList,
  ModelProbe,
  PatchModelEndpointInput,
} from "./schema";

export async function listEndpoints(ctx: Ctx): Promise<ModelEndpointList> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.modelEndpoint.findMany({ orderBy: { name: "asc" } });
  return { items: rows.map(presentEndpoint) };
}

const ENABLED = query<ModelEndpointRow>(`SELECT * FROM "ModelEndpoint" WHERE "enabled" = ? ORDER BY "name"`, {
  enabled: "flag",
  createdAt: "date",
  updatedAt: "date",
});

/** The models that people may choose; empty until an admin adds an endpoint. */
export async function listModelChoices(ctx: Ctx): Promise<ModelChoices> {
  requireScope(ctx.actor, "run");
  const rows = await sqlOf(ctx).all(ENABLED, true);
  return { items: rows.map(presentEndpoint).map(({ id, name, kind, models }) => ({ id, name, kind, models })) };
}

const TIMEOUT_MS = 20_000;
const MAX_SHOWN_CHARS = 300;

/** Asks the endpoint's default model for one word. Returns failures as a result, with the server's message. */
export async function probeEndpoint(ctx: Ctx, id: string): Promise<ModelProbe> {
  requireScope(ctx.actor, "admin");
  const model = await loadModel(ctx, { endpointId: id });
  const begun = performance.now();
  const { ok, message } = await ask(model).catch((error: unknown) => ({ ok: false, message: sayFailure(error) }));
  const redactor = model.apiKey === null ? null : createRedactor([{ credential: "key", value: model.apiKey }]);
  return { ok, message: redactor?.text(message) ?? message, milliseconds: Math.round(performance.now() - begun) };
}

async function ask({ kind, baseUrl, apiKey, model }: Model): Promise<{ ok: boolean; message: string }> {
  const isOpenAi = kind === "openai";
  const key: Record<string, string> =
    apiKey === null ? {} : isOpenAi ? { authorization: `Bearer ${apiKey}` } : { "x-api-key": apiKey };
  const response = await outgoingFetch("model")(`${baseUrl}/${isOpenAi ? "chat/completions" : "messages"}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(isOpenAi ? {} : { "anthropic-version": "2023-06-01" }), ...key },
    body: JSON.stringify({
      model,
      max_tokens: 16,
      messages: [{ role: "user", content: "Answer with one word: ready" }],
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const said = (await response.text()).slice(0, MAX_SHOWN_CHARS).replaceAll(/\s+/g, " ");
  if (!response.ok) return { ok: false, message: `The endpoint answered ${response.status}: ${said}` };
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (!isJson)
    return { ok: false, message: "The endpoint did not answer with JSON. Is its address complete, with /v1?" };
  return { ok: true, message: `${model} answers.` };
}

function sayFailure(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal !== null) return refusal.message;
  if (!(error instanceof Error)) return "The endpoint did not answer.";
  if (error.name === "TimeoutError") return "The endpoint did not answer within 20 seconds.";
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `The endpoint could not be reached${cause}.`;
}

/** `conflict` for a taken name, `invalid` for an unknown credential, `address_not_allowed` for a forbidden address. */
export async function createEndpoint(ctx: Ctx, input: CreateModelEndpointInput): Promise<ModelEndpoint> {
  const actor = requireScope(ctx.actor, "admin");
  await assertAllowed("model", destinationOf(input.baseUrl));
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertNameFree(tx, input.name);
    await assertCredential(tx, input.credential);
    const { credential, models, ...plain } = input;
    const by = { createdAt: ctx.now(), createdBy: actor.name, updatedAt: ctx.now(), updatedBy: actor.name };
    const data = { id: newId(), ...plain, models: JSON.stringify(models), credentialName: credential, ...by };
    const row = await tx.modelEndpoint.create({ data });
    await recordEvent(tx, txCtx, {
      action: "model-endpoint.create",
      summary: `added the model endpoint ${input.name}`,
      target: { kind: "model-endpoint", id: row.id, name: row.name },
      data: input,
    });
    return presentEndpoint(row);
  });
}

export async function assertNameFree(tx: Tx, name: string, besidesId?: string): Promise<void> {
  const other = await tx.modelEndpoint.findUnique({ where: { name } });
  if (other && other.id !== besidesId) {
    throw new AppError("conflict", `A model endpoint “${name}” already exists. Choose another name.`);
  }
}

async function assertCredential(tx: Tx, name: string | null | undefined): Promise<void> {
  if (!name || (await tx.credential.count({ where: { name } })) > 0) return;
  const message = `There is no credential “${name}”. Store it first.`;
  throw new AppError("invalid", message, { errors: [{ path: "credential", message }] });
}

export async function getEndpoint(ctx: Ctx, id: string): Promise<ModelEndpoint> {
  requireScope(ctx.actor, "admin");
  return presentEndpoint(await requireRow(ctx.db, id));
}

/** The kind cannot change. `address_not_allowed` when the server may not connect to the new address. */
export async function updateEndpoint(ctx: Ctx, id: string, input: PatchModelEndpointInput): Promise<ModelEndpoint> {
  const actor = requireScope(ctx.actor, "admin");
  if (input.baseUrl !== undefined) await assertAllowed("model", destinationOf(input.baseUrl));
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = presentEndpoint(await requireRow(tx, id));
    if (input.name !== undefined) await assertNameFree(tx, input.name, id);
    await assertCredential(tx, input.credential);
    const { credential, models, ...plain } = input;
    const row = await tx.modelEndpoint.update({
      where: { id },
      data: {
        ...plain,
        ...(models ? { models: JSON.stringify(models) } : {}),
        ...(credential === undefined ? {} : { credentialName: credential }),
        updatedAt: ctx.now(),
        updatedBy: actor.name,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "model-endpoint.update",
      summary: `changed ${Object.keys(input).join(", ")} of the model endpoint ${row.name}`,
      target: { kind: "model-endpoint", id, name: row.name },
      data: { before, after: input },
    });
    return presentEndpoint(row);
  });
}

/** Deletes an endpoint; conversations with its models stay readable. */
export async function deleteEndpoint(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireRow(tx, id);
    await tx.modelEndpoint.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "model-endpoint.delete",
      summary: `removed the model endpoint ${row.name}`,
      target: { kind: "model-endpoint", id, name: row.name },
      data: presentEndpoint(row),
    });
  });
}

async function requireRow(tx: Tx, id: string) {
  const row = await tx.modelEndpoint.findUnique({ where: { id } });
  if (!row) throw new AppError("not_found", `There is no model endpoint “${id}”.`);
  return row;
}
