import type { Redactor } from "@/lib/core/redact/create-redactor";
import type { EmitEvent } from "../emit-event";
import type { Outcome } from "../protocol";

/** Also what this worker says of a run may name what the run tried, such as an address. Its log has a stream of its own. */
export function redactSystem(emit: EmitEvent, redactor: Redactor): EmitEvent {
  return (stream, text) => emit(stream, stream === "system" ? redactor.text(text) : text);
}

/** Why a run could not be started, without the credentials it would have got. */
export function redactFailure(outcome: Outcome, redactor: Redactor | null): Outcome {
  if (redactor === null || outcome.error === null) return outcome;
  return { ...outcome, error: { ...outcome.error, message: redactor.text(outcome.error.message) } };
}
