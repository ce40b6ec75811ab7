import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { ModelEndpoint as ModelEndpointRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { unsealCredential } from "@/lib/settings/credentials/credentials";
import { type ModelEndpoint, ModelEndpointKind } from "./schema";

/** A model with its API key: for the server only; never returned or stored. */
export type Model = {
  endpointId: string;
  endpointName: string;
  kind: ModelEndpointKind;
  baseUrl: string;
  apiKey: string | null;
  model: string;
};

type Choice = { endpointId?: string | undefined; model?: string | undefined };

/**
 * The chosen model of an enabled endpoint; by default the first endpoint by name and its default model. `conflict` (rule
 * `no-model-endpoint`) when there is none, `not_found` for an unknown id, `invalid` for a model that the endpoint does not
 * offer, `credential_missing` when its key is missing or unreadable.
 */
export async function requireModel(ctx: Ctx, choice: Choice): Promise<Model> {
  requireScope(ctx.actor, "run");
  return loadModel(ctx, choice);
}

/** Like `requireModel`, without a scope check, for callers that have checked another scope. */
export async function loadModel(ctx: Ctx, choice: Choice): Promise<Model> {
  const row = await ctx.db.modelEndpoint.findFirst({
    where: { enabled: true, ...(choice.endpointId === undefined ? {} : { id: choice.endpointId }) },
    orderBy: { name: "asc" },
  });
  if (!row && choice.endpointId !== undefined && (await ctx.db.modelEndpoint.count({ where: { enabled: true } })) > 0) {
    throw new AppError("not_found", `There is no model endpoint “${choice.endpointId}” that is switched on.`);
  }
  if (!row) {
    const message = "No model endpoint is set up. An admin adds one under Settings, Models.";
    throw new AppError("conflict", message, { rule: "no-model-endpoint" });
  }
  const endpoint = presentEndpoint(row);
  const model = choice.model ?? endpoint.models[0] ?? "";
  if (!endpoint.models.includes(model)) {
    const message = `“${endpoint.name}” offers ${endpoint.models.join(", ")}, not “${model}”.`;
    throw new AppError("invalid", message, { errors: [{ path: "model", message }] });
  }
  const { baseUrl, kind } = endpoint;
  return { endpointId: row.id, endpointName: row.name, kind, baseUrl, apiKey: await keyOf(ctx, row), model };
}

async function keyOf(ctx: Ctx, endpoint: { name: string; credentialName: string | null }): Promise<string | null> {
  const { credentialName: name } = endpoint;
  if (name === null) return null;
  const credential = await ctx.db.credential.findUnique({ where: { name } });
  const value = credential && (await unsealCredential(ctx, credential));
  if (!value) {
    throw new AppError("credential_missing", `The model endpoint “${endpoint.name}” needs the credential “${name}”.`);
  }
  return value.trim();
}

export function presentEndpoint(row: ModelEndpointRow): ModelEndpoint {
  return {
    id: row.id,
    name: row.name,
    kind: ModelEndpointKind.parse(row.kind),
    baseUrl: row.baseUrl,
    models: parseJsonColumn(z.array(z.string()), row.models),
    credential: row.credentialName,
    enabled: row.enabled,
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: row.updatedBy,
  };
}
