import type { ModelEndpoint } from "@/lib/client/models";

export const kindNames: Record<ModelEndpoint["kind"], string> = {
  openai: "OpenAI-compatible",
  anthropic: "Anthropic",
};
