import { EventEmitter, once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { tableAnswerer } from "@/lib/testing/listening-server";
import { testServer } from "@/lib/testing/test-server";
import { everywhere, ofApi } from "@/security-headers.mjs";
import { route } from "../route";

const held = new EventEmitter();
const thing = {
  GET: route({
    access: "read",
    summary: "A thing",
    params: z.object({ id: z.string() }),
    query: z.object({ words: z.coerce.number().default(1) }),
    handle: async ({ params, query }) => {
      if (params.id === "none") throw new AppError("not_found", "There is no such thing.");
      return { id: params.id, text: "word ".repeat(query.words) };
    },
  }),
  POST: route({
    access: "run",
    summary: "Changes a thing",
    params: z.object({ id: z.string() }),
    body: z.object({ text: z.string().max(10) }),
    maxBodyBytes: 1000,
    status: 201,
    idempotent: true,
    handle: async ({ params, body, request: asked }) => {
      if (params.id === "held") {
        held.emit("signal", asked.signal);
        await new Promise((resolve) => asked.signal.addEventListener("abort", resolve, { once: true }));
      }
      if (params.id === "streamed") return new Response(new Blob(["one, ", "two"]).stream(), { status: 200 });
      return { ...params, ...body };
    },
  }),
};
const PATH = "/api/things/[id]";
const { call, person } = await testServer([[PATH, thing]]);
const { token } = await person("user", ["read", "run"]);

const answer = tableAnswerer([[PATH, thing]]);
const server = createServer((asked, answered) => {
  if (!answer(asked, answered)) answered.writeHead(299, "not answered").end();
}).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const agent = new Agent({ keepAlive: true });
afterAll(() => {
  agent.destroy();
  server.close();
});

type Asked = { headers?: Record<string, string>; body?: string };

async function ask(method: string, path: string, { headers = {}, body }: Asked = {}) {
  const sent = request({ port, host: "127.0.0.1", method, path, agent, headers });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** Headers that the listener sets and not the handler; the framework frames bodies differently. */
const OF_THE_LISTENER = new Set([
  ...["date", "connection", "keep-alive", "content-length", "transfer-encoding", "vary"],
  ...[...everywhere, ...ofApi].map(({ key }) => key.toLowerCase()),
]);
const shown = (headers: Iterable<[string, unknown]>) =>
  Object.fromEntries([...headers].filter(([name]) => !OF_THE_LISTENER.has(name) && !name.startsWith("ratelimit-")));

const bearer = { authorization: `Bearer ${token}`, "x-request-id": "the-same-for-both" };
const json = { ...bearer, "content-type": "application/json" };

const CASES: [name: string, method: string, path: string, asked: Asked, status: number][] = [
  ["a read", "GET", "/api/things/a?words=3", { headers: bearer }, 200],
  ["a read of what was not changed", "GET", "/api/things/a", { headers: { ...bearer, "if-none-match": "*" } }, 200],
  ["a long answer", "GET", "/api/things/a?words=3000", { headers: bearer }, 200],
  ["a write", "POST", "/api/things/a", { headers: json, body: '{"text":"ä"}' }, 201],
  [
    "a write with a key",
    "POST",
    "/api/things/a",
    { headers: { ...json, "idempotency-key": "k" }, body: '{"text":"k"}' },
    201,
  ],
  ["a streamed answer", "POST", "/api/things/streamed", { headers: json, body: '{"text":""}' }, 200],
  ["an anonymous request", "GET", "/api/things/a", { headers: { "x-request-id": "the-same-for-both" } }, 401],
  ["a bad token", "GET", "/api/things/a", { headers: { ...bearer, authorization: "Bearer sgt_x" } }, 401],
  ["nothing there", "GET", "/api/things/none", { headers: bearer }, 404],
  ["a bad query", "GET", "/api/things/a?words=x", { headers: bearer }, 400],
  ["a body that does not fit", "POST", "/api/things/a", { headers: json, body: '{"text":"much too long"}' }, 422],
  ["a body that is not JSON", "POST", "/api/things/a", { headers: json, body: "{" }, 400],
  [
    "a body of another type",
    "POST",
    "/api/things/a",
    { headers: { ...bearer, "content-type": "text/plain" }, body: "text" },
    415,
  ],
  ["no body", "POST", "/api/things/a", { headers: bearer }, 422],
  ["too large a body", "POST", "/api/things/a", { headers: json, body: `{"text":"${"x".repeat(2000)}"}` }, 413],
];

test.each(CASES)("%s is answered as the handler answers the framework", async (_name, method, path, asked, status) => {
  const got = await ask(method, path, asked);
  const wanted = await call(method, path, asked);
  const replayed = asked.headers?.["idempotency-key"] === undefined ? {} : { "idempotency-replayed": "true" };
  expect({ ...got, headers: { ...shown(Object.entries(got.headers)), ...replayed } }).toEqual({
    status,
    headers: shown(wanted.headers),
    body: await wanted.text(),
  });
});

test("a conditional read is answered without a body, and the connection serves the next request", async () => {
  const { headers } = await ask("GET", "/api/things/a", { headers: bearer });
  const again = await ask("GET", "/api/things/a", { headers: { ...bearer, "if-none-match": String(headers.etag) } });
  expect(again).toMatchObject({ status: 304, body: "" });
  const tooLarge = { headers: { ...json, "transfer-encoding": "chunked" }, body: "x".repeat(200_000) };
  expect(await ask("POST", "/api/things/a", tooLarge)).toMatchObject({ status: 413 });
  expect(await ask("GET", "/api/things/a", { headers: bearer })).toMatchObject({ status: 200 });
});

test("long answers are compressed for those who accept it, and only for them", async () => {
  const path = "/api/things/a?words=3000";
  const plain = await ask("GET", path, { headers: bearer });
  const sent = request({ port, host: "127.0.0.1", path, agent, headers: { ...bearer, "accept-encoding": "br, gzip" } });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  expect(answer.headers).toMatchObject({
    "content-encoding": "gzip",
    vary: "Accept-Encoding",
    etag: plain.headers.etag,
  });
  expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe(plain.body);
  for (const refused of ["gzip;q=0", "gzip;q=0, *;q=1", "*, gzip; q=0.00", "br"]) {
    const refusing = await ask("GET", path, { headers: { ...bearer, "accept-encoding": refused } });
    expect(refusing.headers["content-encoding"], refused).toBeUndefined();
  }
});

test("a handler hears that its caller hung up", async () => {
  const handed = once(held, "signal");
  const sent = request({ port, host: "127.0.0.1", method: "POST", path: "/api/things/held", headers: json });
  sent.on("error", () => {
    // Closing the connection is the purpose of this test.
  });
  sent.end('{"text":""}');
  const [signal] = (await handed) as [AbortSignal];
  expect(signal.aborted).toBe(false);
  const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  sent.destroy();
  await aborted;
  expect(signal.aborted).toBe(true);
});

test("every answer carries the headers of all answers", async () => {
  const { headers } = await ask("GET", "/api/things/a", { headers: bearer });
  for (const { key, value } of [...everywhere, ...ofApi]) expect(headers[key.toLowerCase()]).toBe(value);
});

test("methods without a handler of their own are answered by what there is", async () => {
  const allow = "GET, HEAD, OPTIONS, POST";
  expect(await ask("HEAD", "/api/things/a", { headers: bearer })).toMatchObject({ status: 200, body: "" });
  expect(await ask("OPTIONS", "/api/things/a")).toMatchObject({ status: 204, headers: { allow }, body: "" });
  expect(await ask("DELETE", "/api/things/a")).toMatchObject({ status: 405, headers: { allow }, body: "" });
  expect(await ask("PROPFIND", "/api/things/a")).toMatchObject({ status: 400, body: "" });
});

test.each([
  ["/api/things/%61", "a"],
  ["/api/things/a%2Fb%C3%A4+", "a/bä+"],
  ["/api/x/../things/a:@", "a:@"],
])("%s is answered with its parameters decoded", async (path, id) => {
  expect(JSON.parse((await ask("GET", path, { headers: bearer })).body)).toMatchObject({ id });
});

test("other addresses, and spellings that the framework redirects, are left to it", async () => {
  for (const [method, path] of [
    ["GET", "/api/things"],
    ["GET", "/api/things/a/"],
    ["GET", "/api/things/a/b"],
    ["GET", "/api//things/a"],
    ["GET", "//api/things/a"],
    ["GET", "/api/things/.."],
    ["GET", "http://elsewhere.test/api/things/a"],
  ] as const) {
    expect({ path, status: (await ask(method, path, { headers: bearer })).status }).toEqual({ path, status: 299 });
  }
});

test("a client cannot say what only the listener knows, and of a repeated header the first counts", async () => {
  const sent = request({
    port,
    host: "127.0.0.1",
    path: "/api/things/a",
    agent,
    headers: ["host", "::bad host::", "authorization", bearer.authorization, "authorization", "Bearer sgt_other"],
  });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  expect([answer.statusCode, JSON.parse(await text(answer)).id]).toEqual([200, "a"]);
});
