import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { readJson } from "./kit/read-json";
import { readMoment } from "./kit/time-range";

const schema = () =>
  z.strictObject({
    query: z.string().trim().min(1).max(10_000).describe("TraceQL expression, such as { duration > 2s }."),
    start: z.string().max(40).default("1h").describe("Start: RFC 3339, Unix seconds, or 6h for six hours ago."),
    end: z.string().max(40).optional().describe("End; default: now."),
    limit: z.int().min(1).max(100).default(20).describe("Maximum number of traces."),
  });

export const metadata: BuiltinMetadata = {
  name: "query_traceql",
  label: "Query traces",
  description:
    "Search the configured Tempo with TraceQL over a range of time and return the traces found, with the spans that matched.",
  class: "safe",
  scope: "manager",
  category: "observability",
  schema,
  resultPreview: "traces with id, root service and name, start, duration and matching spans",
  grants: { namespaces: ["net"], env: ["TEMPO_URL", "TEMPO_TOKEN"] },
};

const MAX_SPANS = 20;

type Span = {
  spanID?: string;
  name?: string;
  startTimeUnixNano?: string;
  durationNanos?: string;
  attributes?: unknown[];
};
type Trace = {
  traceID?: string;
  rootServiceName?: string;
  rootTraceName?: string;
  startTimeUnixNano?: string;
  durationMs?: number;
  spanSets?: { matched?: number; spans?: Span[] }[];
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const start = Math.floor(readMoment(args.start, "start"));
  const end = Math.ceil(args.end === undefined ? Date.now() / 1000 : readMoment(args.end, "end"));
  if (end <= start) throw new BuiltinError("“end” is not after “start”.");
  const query = { q: args.query, limit: args.limit, start, end };
  const answer = await readJson(
    io,
    { name: "Tempo", prefix: "TEMPO" },
    { path: "/api/search", query, timeoutMs: 25_000 },
  );
  const { traces } = answer as { traces?: Trace[] };
  const found = traces ?? [];
  return { traces: found.slice(0, args.limit).map(present), truncated: found.length >= args.limit };
}

function present(trace: Trace) {
  const spans = (trace.spanSets ?? []).flatMap((set) => set.spans ?? []);
  return {
    traceId: cutText(trace.traceID ?? "", 64),
    service: cutText(trace.rootServiceName ?? "", 200),
    name: cutText(trace.rootTraceName ?? "", 300),
    startedAt: isoOf(trace.startTimeUnixNano),
    durationMs: trace.durationMs ?? null,
    matchedSpans: (trace.spanSets ?? []).reduce((sum, set) => sum + (set.matched ?? set.spans?.length ?? 0), 0),
    spans: spans.slice(0, MAX_SPANS).map((span) => ({
      spanId: cutText(span.spanID ?? "", 64),
      name: cutText(span.name ?? "", 300),
      durationMs: span.durationNanos === undefined ? null : Number(span.durationNanos) / 1e6,
      attributes: (span.attributes ?? []).slice(0, 10).map((one) => cutText(JSON.stringify(one), 500)),
    })),
  };
}

function isoOf(nanos: string | undefined): string | null {
  const ms = Number(nanos?.slice(0, -6));
  return nanos !== undefined && Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}
