import { APICallError, RetryError } from "ai";
import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";

const SHOWN = 300;

/** What went wrong with a model, in a sentence that people can act on. */
export function sayModelError(error: unknown): string {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last) && last.statusCode !== undefined && last.statusCode >= 300) {
    const wait = last.responseHeaders?.["retry-after"];
    const hint = hintFor(last.statusCode, wait);
    const said = last.message.trim();
    return `The model’s server answered ${last.statusCode}${hint}${said ? `: ${said.slice(0, SHOWN)}` : "."}`;
  }
  const refusal = refusalIn(last);
  if (refusal !== null) return refusal.message;
  if (!(last instanceof Error)) return "The model’s server answered something that cannot be read.";
  const cause = last.cause instanceof Error ? ` (${last.cause.message.slice(0, SHOWN)})` : "";
  return `The model’s server did not answer as it should: ${last.message.slice(0, SHOWN)}${cause}`;
}

function hintFor(status: number, wait: string | undefined): string {
  if (status === 401 || status === 403) return " (the key is not accepted; an admin sets it under Settings, Models)";
  if (status === 429) return wait ? ` (too many requests; it asks to wait ${wait} s)` : " (too many requests)";
  return status >= 500 ? " (its own failure; try again)" : "";
}
