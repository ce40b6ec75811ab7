import { expect, it } from "vitest";
import * as queryLogql from "./query_logql";
import * as queryPromql from "./query_promql";
import * as queryTraceql from "./query_traceql";
import { callBuiltin } from "./testing/call-builtin";
import { serveHttp } from "./testing/serve-http";

/** Starts a service that gives this answer to every request and records the requests. */
async function serve(answer: unknown) {
  const asked: { url: URL; token: string | undefined }[] = [];
  const base = await serveHttp((request, response) => {
    asked.push({ url: new URL(request.url ?? "", "http://service"), token: request.headers.authorization });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  return { base, asked };
}

it("query_promql asks for a moment, or for a range with a step", async () => {
  const vector = { resultType: "vector", result: [{ metric: { job: "web" }, value: [1, "2"] }] };
  const { base, asked } = await serve({ status: "success", data: vector });
  const io = { env: { PROMETHEUS_URL: base, PROMETHEUS_TOKEN: "t" } };
  expect(await callBuiltin(queryPromql, { query: "up" }, io)).toMatchObject({
    resultType: "vector",
    series: [{ metric: { job: "web" }, value: [1, "2"] }],
    truncated: false,
  });
  await callBuiltin(queryPromql, { query: "up", start: "1000", end: "2000" }, io);
  expect(asked.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([
    "/api/v1/query?query=up",
    "/api/v1/query_range?query=up&start=1000&end=2000&step=4s",
  ]);
  expect(asked[0]?.token).toBe("Bearer t");
});

it("query_promql keeps as many series and points as it promises", async () => {
  const values = Array.from({ length: 11_000 }, (_, at) => [at, "1"]);
  const result = [1, 2, 3].map((id) => ({ metric: { id }, values }));
  const { base } = await serve({ data: { resultType: "matrix", result } });
  const io = { env: { PROMETHEUS_URL: base } };
  const bounded = await callBuiltin(queryPromql, { query: "up", start: "6h" }, io);
  expect(bounded).toMatchObject({ seriesTotal: 3, truncated: true });
  expect(bounded.series).toHaveLength(1);
});

it("says which variable is missing, what the service said, and what is no time", async () => {
  await expect(callBuiltin(queryPromql, { query: "up" })).rejects.toThrow("no variable PROMETHEUS_URL");
  await expect(callBuiltin(queryTraceql, { query: "{}" })).rejects.toThrow("no variable TEMPO_URL");
  const failing = await serveHttp((_request, response) => response.writeHead(400).end("parse error at char 3"));
  const io = { env: { PROMETHEUS_URL: failing, LOKI_URL: failing } };
  await expect(callBuiltin(queryPromql, { query: "u(" }, io)).rejects.toThrow("Prometheus answered 400: parse error");
  await expect(callBuiltin(queryLogql, { query: "{}", start: "yesterday" }, io)).rejects.toThrow("is not a time");
  const { base } = await serve("<html>");
  await expect(callBuiltin(queryPromql, { query: "up" }, { env: { PROMETHEUS_URL: base } })).rejects.toThrow(
    "did not answer with JSON",
  );
});

it("query_logql puts the lines of all streams in order", async () => {
  const result = [
    { stream: { app: "a" }, values: [["1700000001000000000", "second"]] },
    {
      stream: { app: "b" },
      values: [
        ["1700000000000000000", "first"],
        ["1700000002000000000", "third"],
      ],
    },
  ];
  const { base, asked } = await serve({ data: { resultType: "streams", result } });
  const io = { env: { LOKI_URL: base } };
  const { lines } = await callBuiltin(
    queryLogql,
    { query: '{app=~".+"}', start: "1700000000", end: "1700000003", limit: 2 },
    io,
  );
  expect(lines).toEqual([
    { at: "2023-11-14T22:13:22.000Z", labels: { app: "b" }, line: "third" },
    { at: "2023-11-14T22:13:21.000Z", labels: { app: "a" }, line: "second" },
  ]);
  expect(asked[0]?.url.searchParams.get("start")).toBe("1700000000000000000");
});

it("query_traceql gives traces with the spans that matched", async () => {
  const spans = Array.from({ length: 30 }, (_, id) => ({ spanID: String(id), durationNanos: "2000000" }));
  const trace = {
    traceID: "t1",
    rootServiceName: "web",
    startTimeUnixNano: "1700000000000000000",
    durationMs: 12,
    spanSets: [{ matched: 30, spans }],
  };
  const { base } = await serve({ traces: [trace] });
  const { traces } = (await callBuiltin(queryTraceql, { query: "{}" }, { env: { TEMPO_URL: base } })) as {
    traces: { spans: unknown[] }[];
  };
  expect(traces[0]).toMatchObject({
    traceId: "t1",
    service: "web",
    startedAt: "2023-11-14T22:13:20.000Z",
    matchedSpans: 30,
  });
  expect(traces[0]?.spans).toHaveLength(20);
});
