import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { logger } from "@/lib/core/logger";
import { metrics } from "@/lib/core/metrics";
import { addressTable } from "../router/find-address";
import { countInFlight, noteActor, OBSERVATION_HEADER, observeRequest } from "./observe-request";

const endpoints = ["/api/[...unknown]", "/api/health", "/api/runs/[id]", "/api/runs/[id]/events", "/api/skills"];
const find = addressTable({ endpoints, pages: [], rewrites: [] });
const seen: IncomingMessage[] = [];
let answer: (status: number) => void = () => {};
const server = createServer((request, response) => {
  observeRequest(request, response, find(request.url ?? "/").name);
  seen.push(request);
  const asked = new Headers({ [OBSERVATION_HEADER]: String(request.headers[OBSERVATION_HEADER]) });
  if (request.url?.startsWith("/api/runs")) noteActor(asked, worker);
  answer = (status) => response.writeHead(status).end("done");
  if (request.url !== "/api/runs/1/events") return answer(request.url === "/nowhere" ? 404 : 200);
  response.setHeader("content-type", "text/event-stream").write("retry: 500\n\n");
});
const worker = { kind: "worker", workerId: "w1", name: "local", manager: true } as const;
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const lines = {
  info: vi.spyOn(logger, "info"),
  debug: vi.spyOn(logger, "debug"),
};

/** Returns the log line of a request that has ended. */
async function lineOf(path: string, headers: Record<string, string> = {}) {
  const line = new Promise<Record<string, unknown>>((resolve) => {
    lines.info = vi.spyOn(logger, "info").mockImplementation((fields: unknown) => resolve(fields as never));
  });
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close", ...headers } });
  await response.text();
  return line;
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("each request has one line: which route, how it was answered, who asked, and its place in a trace", async () => {
  const line = await lineOf("/api/runs/0193?wait=2", { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` });
  expect(line).toEqual({
    ...{ method: "GET", route: "/api/runs/[id]", status: 200, ms: expect.any(Number), requestId: expect.any(String) },
    ...{ traceId: TRACE, spanId: expect.stringMatching(/^[0-9a-f]{16}$/), actor: "worker", actorId: "w1" },
  });
  expect(seen.at(-1)?.headers.traceparent).toBe(`00-${TRACE}-${line.spanId}-01`);
  expect(lines.info).toHaveBeenCalledTimes(1);
});

test.each([
  ["a capability URL", "/api/distribution/well-known/t~sgc_averysecrettoken/agent-skills/index.json", {}],
  ["an invitation", "/api/invites/averysecrettoken", {}],
  ["a query", "/api/skills?key=averysecrettoken", {}],
  ["an unknown address", "/averysecrettoken", {}],
  ["a header", "/api/skills", { authorization: "Bearer averysecrettoken", cookie: "a=averysecrettoken" }],
  ["a request id from an untrusted peer", "/api/skills", { "x-request-id": "averysecrettoken" }],
])("what is secret in %s is in no line", async (_, path, headers) => {
  expect(JSON.stringify(await lineOf(path, headers))).not.toContain("averysecrettoken");
});

test("the id of a request counts through a trusted proxy only, and only when it looks like one", async () => {
  expect((await lineOf("/nowhere", { "x-request-id": "from-the-proxy" })).requestId).not.toBe("from-the-proxy");
  vi.stubEnv("SKILLGATE_TRUSTED_PROXIES", "10.0.0.1, 127.0.0.1");
  expect((await lineOf("/nowhere", { "x-request-id": "from-the-proxy" })).requestId).toBe("from-the-proxy");
  expect((await lineOf("/nowhere", { "x-request-id": "short" })).requestId).not.toBe("short");
  expect((await lineOf("/nowhere", { "x-request-id": "with a space in it" })).requestId).not.toContain(" ");
});

test("with a sample of none only what does not go well has a line", async () => {
  vi.stubEnv("SKILLGATE_LOG_SAMPLE", "0");
  lines.info = vi.spyOn(logger, "info").mockImplementation(() => {});
  await (await fetch(`http://127.0.0.1:${port}/api/skills`, { headers: { connection: "close" } })).text();
  expect(await lineOf("/nowhere")).toMatchObject({ status: 404, route: "other" });
  expect(lines.info).toHaveBeenCalledTimes(1);
});

test("probes have a line for who looks closely, and a stream counts as one while it is open", async () => {
  const told = new Promise((resolve) => {
    lines.debug = vi.spyOn(logger, "debug").mockImplementation((fields: unknown) => resolve(fields));
  });
  await (await fetch(`http://127.0.0.1:${port}/api/health`, { headers: { connection: "close" } })).text();
  expect(await told).toMatchObject({ route: "/api/health", status: 200 });

  const stream = await fetch(`http://127.0.0.1:${port}/api/runs/1/events`);
  expect(countInFlight()).toEqual({ requests: 1, streams: 1 });
  const over = new Promise((resolve) => {
    lines.info = vi.spyOn(logger, "info").mockImplementation((fields: unknown) => resolve(fields));
  });
  await stream.body?.cancel();
  expect(await over).toMatchObject({ route: "/api/runs/[id]/events", aborted: true });
  expect(countInFlight()).toEqual({ requests: 0, streams: 0 });
});

test("requests are counted by route names from a fixed list, also for unknown addresses", async () => {
  metrics().requests.reset();
  for (const path of ["/a", "/b?c=1", "/api/runs/x1", "/api/runs/x2", "/api/nothing"]) await lineOf(path);
  const { values } = await metrics().requests.get();
  expect(values.map(({ labels, value }) => [labels.route, labels.status, value])).toEqual([
    ["other", "2xx", 2],
    ["/api/runs/[id]", "2xx", 2],
    ["/api/[...unknown]", "2xx", 1],
  ]);
});
