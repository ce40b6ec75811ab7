import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { outgoingFetch } from "@/lib/core/outgoing/server-features";
import { createRedactor } from "@/lib/core/redact/create-redactor";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { loadModel, type Model } from "./require-model";
import type { ModelProbe } from "./schema";

const TIMEOUT_MS = 20_000;
const SHOWN = 300;

/** Asks the endpoint's default model for one word. A failure is an answer too, with what the other side said. */
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
  const said = (await response.text()).slice(0, SHOWN).replaceAll(/\s+/g, " ");
  if (!response.ok) return { ok: false, message: `It answered ${response.status}: ${said}` };
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (!isJson) return { ok: false, message: "It answered, but not with JSON: is the address complete, with /v1?" };
  return { ok: true, message: `${model} answers.` };
}

function sayFailure(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal !== null) return refusal.message;
  if (!(error instanceof Error)) return "It did not answer.";
  if (error.name === "TimeoutError") return "It did not answer within 20 seconds.";
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `It could not be reached${cause}.`;
}
