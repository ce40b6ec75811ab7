import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { readJson } from "./kit/read-json";
import { readMoment } from "./kit/time-range";

const moment = (what: string) =>
  z.string().max(40).optional().describe(`${what}: RFC 3339, Unix seconds, or 6h for six hours ago.`);

const schema = () =>
  z.strictObject({
    query: z.string().trim().min(1).max(10_000).describe("PromQL expression."),
    time: moment("Time of an instant query"),
    start: moment("Start of a range; makes it a range query"),
    end: moment("End of the range, by default now"),
    step: z
      .string()
      .regex(/^\d{1,6}(ms|[smhdw])?$/)
      .optional()
      .describe("Step between the points of a range, such as 30s; default: about 250 points."),
    max_series: z.int().min(1).max(500).default(100).describe("Maximum number of series."),
  });

export const metadata: BuiltinMetadata = {
  name: "query_promql",
  label: "Query metrics",
  description:
    "Run a PromQL query at the configured Prometheus, for one moment or over a range, and return its series.",
  class: "safe",
  scope: "manager",
  category: "observability",
  schema,
  resultPreview: "result type and series, each with its labels and its value or values",
  grants: { namespaces: ["net"], env: ["PROMETHEUS_URL", "PROMETHEUS_TOKEN"] },
};

const MAX_POINTS = 20_000;
const SERVICE = { name: "Prometheus", prefix: "PROMETHEUS" };

type Series = { metric?: unknown; value?: unknown; values?: unknown[] };
type Answer = { data?: { resultType?: string; result?: unknown }; warnings?: string[] };

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const answer = (await readJson(io, SERVICE, { ...requestOf(args), timeoutMs: 25_000 })) as Answer;
  const { resultType, result } = answer.data ?? {};
  if (resultType === undefined) throw new BuiltinError("Prometheus answered without data.");
  const warnings = (answer.warnings ?? []).slice(0, 10);
  if (resultType === "scalar" || resultType === "string")
    return { resultType, value: result, series: [], truncated: false, warnings };
  const all = Array.isArray(result) ? (result as Series[]) : [];
  const { series, truncated } = keepSeries(all, args.max_series);
  return { resultType, seriesTotal: all.length, series, truncated, warnings };
}

function requestOf(args: z.infer<ReturnType<typeof schema>>) {
  const { query } = args;
  if (args.start === undefined) {
    const time = args.time === undefined ? undefined : readMoment(args.time, "time");
    return { path: "/api/v1/query", query: { query, time } };
  }
  const start = readMoment(args.start, "start");
  const end = args.end === undefined ? Date.now() / 1000 : readMoment(args.end, "end");
  if (end <= start) throw new BuiltinError("“end” is not after “start”.");
  const step = args.step ?? `${Math.max(1, Math.ceil((end - start) / 250))}s`;
  return { path: "/api/v1/query_range", query: { query, start, end, step } };
}

function keepSeries(all: Series[], maxSeries: number): { series: Series[]; truncated: boolean } {
  let left = MAX_POINTS;
  const series: Series[] = [];
  for (const { metric, value, values } of all.slice(0, maxSeries)) {
    const size = values?.length ?? 1;
    if (size > left) return { series, truncated: true };
    left -= size;
    series.push({ metric, ...(values ? { values } : { value }) });
  }
  return { series, truncated: all.length > series.length };
}
