import { takeRandom } from "./ids";

/** Position of a request or run in a trace: W3C Trace Context, section 3.2. */
export type TraceContext = { traceId: string; spanId: string; flags: string };

/** Version, trace, parent and flags; later versions may append more. */
const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_LENGTH = 512;

/** Parses a `traceparent`; null when invalid: wrong length, capitals, all zeros, version ff. */
export function parseTraceParent(text: string | null | undefined): TraceContext | null {
  if (text === null || text === undefined || text.length > MAX_LENGTH) return null;
  const [, version, traceId = "", spanId = "", flags = "", rest] = TRACE_PARENT.exec(text) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, flags };
}

/** Next step of the given trace; without a valid one, a new unsampled trace. */
export function continueTrace(text: string | null | undefined): TraceContext {
  const parent = parseTraceParent(text);
  const spanId = newSpanId();
  // Only the flag `sampled` is defined; others are cleared.
  if (parent !== null) return { traceId: parent.traceId, spanId, flags: isSampled(parent) ? "01" : "00" };
  return { traceId: takeRandom(16).toString("hex"), spanId, flags: "00" };
}

export function formatTraceParent({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

function isSampled({ flags }: TraceContext): boolean {
  return (Number.parseInt(flags, 16) & 1) === 1;
}

function newSpanId(): string {
  const id = takeRandom(8).toString("hex");
  return /^0+$/.test(id) ? newSpanId() : id;
}
