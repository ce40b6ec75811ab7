import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import type { Model } from "@/lib/settings/models/require-model";
import { boundedFetch } from "./bounded-fetch";

// What it would print at each call of a model it does not know is of no use to who reads the log.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A model of an endpoint, to be asked by the package `ai`. */
export function openModel({ kind, baseUrl, apiKey, model, endpointName }: Model): LanguageModel {
  if (kind === "anthropic")
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? "none", fetch: boundedFetch })(model);
  const key = apiKey === null ? {} : { apiKey };
  return createOpenAICompatible({
    name: endpointName,
    baseURL: baseUrl,
    ...key,
    includeUsage: true,
    fetch: boundedFetch,
  })(model);
}
