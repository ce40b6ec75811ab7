import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { readJson } from "./kit/read-json";
import { readMoment } from "./kit/time-range";

const schema = () =>
  z.strictObject({
    query: z.string().trim().min(1).max(10_000).describe('LogQL expression, such as {app="web"} |= "error".'),
    start: z.string().max(40).default("1h").describe("Start: RFC 3339, Unix seconds, or 6h for six hours ago."),
    end: z.string().max(40).optional().describe("End; default: now."),
    limit: z.int().min(1).max(1000).default(100).describe("Maximum number of lines."),
    direction: z.enum(["backward", "forward"]).default("backward").describe("Newest or oldest lines first."),
  });

export const metadata: BuiltinMetadata = {
  name: "query_logql",
  label: "Query logs",
  description:
    "Run a LogQL query at the configured Loki over a range of time and return the lines, or the series of a metric query.",
  class: "safe",
  scope: "manager",
  category: "observability",
  schema,
  resultPreview: "lines with time, labels and text; or series of a metric query",
  grants: { namespaces: ["net"], env: ["LOKI_URL", "LOKI_TOKEN"] },
};

const MAX_LINE_CHARS = 2000;
const MAX_TEXT_CHARS = 400_000;
const MAX_POINTS = 20_000;

type Stream = { stream?: unknown; metric?: unknown; values?: [string, unknown][] };
type Answer = { data?: { resultType?: string; result?: Stream[] } };

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { query, limit, direction } = args;
  const start = readMoment(args.start, "start");
  const end = args.end === undefined ? Date.now() / 1000 : readMoment(args.end, "end");
  if (end <= start) throw new BuiltinError("“end” is not after “start”.");
  const answer = (await readJson(
    io,
    { name: "Loki", prefix: "LOKI" },
    {
      path: "/loki/api/v1/query_range",
      query: { query, limit, direction, start: nanoseconds(start), end: nanoseconds(end) },
      timeoutMs: 25_000,
    },
  )) as Answer;
  const { resultType, result = [] } = answer.data ?? {};
  if (resultType === undefined) throw new BuiltinError("Loki answered without data.");
  return resultType === "streams" ? linesOf(result, args) : seriesOf(resultType, result);
}

function linesOf(streams: Stream[], { limit, direction }: { limit: number; direction: string }) {
  const all = streams.flatMap(({ stream, values = [] }) =>
    values.map(([at, line]) => ({ at, labels: stream, line: String(line) })),
  );
  const sign = direction === "backward" ? -1 : 1;
  all.sort((a, b) => sign * (a.at.length - b.at.length || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)));
  let left = MAX_TEXT_CHARS;
  const lines = all
    .slice(0, limit)
    .map(({ at, labels, line }) => ({ at: isoOf(at), labels, line: cutText(line, MAX_LINE_CHARS) }))
    .filter(({ line, labels }) => {
      left -= line.length + JSON.stringify(labels ?? {}).length;
      return left >= 0;
    });
  return { resultType: "streams", lines, truncated: all.length > lines.length || all.length >= limit };
}

function seriesOf(resultType: string, result: Stream[]) {
  let left = MAX_POINTS;
  const series = result.filter(({ values }) => {
    left -= values?.length ?? 1;
    return left >= 0;
  });
  return { resultType, series, truncated: series.length < result.length };
}

function nanoseconds(seconds: number): string {
  return `${Math.round(seconds * 1000)}000000`;
}

function isoOf(nanos: string): string {
  const ms = Number(nanos.slice(0, -6));
  return Number.isFinite(ms) ? new Date(ms).toISOString() : nanos;
}
