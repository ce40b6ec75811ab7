import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { outgoingFetch } from "@/lib/core/outgoing/server-features";
import type { Model } from "@/lib/settings/models/require-model";

/** More than the longest possible answer. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Follows no redirects, so that the key reaches only the configured address. Fails beyond 32 MiB to bound memory. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await outgoingFetch("model")(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_BYTES) controller.error(new Error("the answer is larger than 32 MiB"));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
};

// The package would log a warning for each call of an unknown model.
globalThis.AI_SDK_LOG_WARNINGS = false;

export type AskedModel = Pick<Model, "kind" | "baseUrl" | "apiKey" | "model"> & { endpointName?: string };

export function openModel(
  { kind, baseUrl: baseURL, apiKey, model, endpointName: name = "model" }: AskedModel,
  fetch = boundedFetch,
): LanguageModel {
  if (kind === "anthropic") return createAnthropic({ baseURL, apiKey: apiKey ?? "none", fetch })(model);
  const key = apiKey === null ? {} : { apiKey };
  return createOpenAICompatible({ name, baseURL, ...key, includeUsage: true, fetch })(model);
}
