import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { outgoingFetch } from "@/lib/core/outgoing/server-features";
import type { Model } from "@/lib/settings/models/require-model";

/** Longer than any answer within the most tokens that can be asked for. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Asks a model's server. Redirects are not followed: the key goes where an admin said. An answer of more than 32 MiB fails
 * while it is read, so that no server fills the memory of this one.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await outgoingFetch("model")(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_BYTES) controller.error(new Error("it answered with more than 32 MiB"));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
};

// What it would print at each call of a model it does not know is of no use to who reads the log.
globalThis.AI_SDK_LOG_WARNINGS = false;

export type AskedModel = Pick<Model, "kind" | "baseUrl" | "apiKey" | "model"> & { endpointName?: string };

/** A model of an endpoint, to be asked by the package `ai` through `fetch`. */
export function openModel(
  { kind, baseUrl: baseURL, apiKey, model, endpointName: name = "model" }: AskedModel,
  fetch = boundedFetch,
): LanguageModel {
  if (kind === "anthropic") return createAnthropic({ baseURL, apiKey: apiKey ?? "none", fetch })(model);
  const key = apiKey === null ? {} : { apiKey };
  return createOpenAICompatible({ name, baseURL, ...key, includeUsage: true, fetch })(model);
}
