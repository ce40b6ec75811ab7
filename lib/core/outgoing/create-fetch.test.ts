import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { isPublicAddress, parseRanges } from "./address-ranges";
import { createAgents } from "./connect-outgoing";
import { createFetch } from "./create-fetch";
import { destinationOf, type OutgoingPolicy, parseDestinations } from "./outgoing-policy";

const policy: OutgoingPolicy = {
  ...{ feature: "A test", ranges: parseRanges("127.0.0.1"), variable: "RANGES", endpoints: [], denied: [] },
};
const fetchLocally = createFetch(createAgents(() => policy));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("an answer in %s is unpacked", async (encoding, pack) => {
  const url = await serve((_request, response) => {
    response.writeHead(200, "Fine", { "content-encoding": encoding, "x-a": ["1", "2"] }).end(pack("packed"));
  });
  const response = await fetchLocally(url);
  expect([response.status, response.statusText, response.headers.get("x-a")]).toEqual([200, "Fine", "1, 2"]);
  expect(await response.text()).toBe("packed");
});

test("method, body and headers are sent, with the name as Host", async () => {
  const url = await serve(async (request, response) => {
    const { host, "content-length": length, "x-own": own } = request.headers;
    response.end(JSON.stringify({ method: request.method, host, length, own, body: await text(request) }));
  });
  const named = url.replace("127.0.0.1", "localhost");
  const response = await fetchLocally(named, { method: "PUT", body: "body", headers: { "x-own": "1" } });
  const sent = { method: "PUT", host: new URL(named).host, length: "4", own: "1", body: "body" };
  expect(await response.json()).toEqual(sent);
});

test("answers without a body, and those that are left unread", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/204") response.writeHead(204).end();
    else response.end("x".repeat(1_000_000));
  });
  expect((await fetchLocally(`${url}/204`)).body).toBeNull();
  expect((await fetchLocally(url, { method: "HEAD" })).body).toBeNull();
  await (await fetchLocally(url)).body?.cancel();
});

test("a broken answer, a signal and a closed port say why", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/silent") return;
    response.writeHead(200, { "content-length": "100" }).write("half");
    if (request.url === "/broken") setImmediate(() => response.destroy());
  });
  const broken = await fetchLocally(`${url}/broken`);
  await expect(broken.text()).rejects.toThrow();
  for (const path of ["/silent", "/dripping"]) {
    const aborter = new AbortController();
    const reading = fetchLocally(url + path, { signal: aborter.signal }).then((response) => {
      aborter.abort(new Error("enough"));
      return response.text();
    });
    if (path === "/silent") setImmediate(() => aborter.abort(new Error("enough")));
    await expect(reading).rejects.toThrow("enough");
  }
  await expect(fetchLocally("http://127.0.0.1:1/")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  await expect(fetchLocally("ftp://127.0.0.1/")).rejects.toMatchObject({ cause: { message: expect.any(String) } });
  await expect(fetchLocally("http://10.0.0.1/")).rejects.toMatchObject({
    code: "address_not_allowed",
    message: "A test may not connect to 10.0.0.1: the address is not public. An operator can allow it with RANGES.",
  });
});

test.each([
  ["https://Host.example/x", undefined, { host: "host.example", port: 443 }],
  ["http://[::1]:80/", undefined, { host: "::1", port: 80 }],
  ["tcp://0x7f.1:80", 514, { host: "127.0.0.1", port: 80 }],
  ["udp://logs.example", 514, { host: "logs.example", port: 514 }],
])("%s is a destination", (url, defaultPort, expected) => {
  expect(destinationOf(url, defaultPort)).toEqual(expected);
});

test("what is no range or destination is named", () => {
  for (const item of ["10/8", "10.0.0.0/33", "fd00::/129", "a.example", "10.0.0.0/8/8", "fe80::1%lo", "10.0.0.0/"]) {
    expect(() => parseRanges(`127.0.0.1, ${item}`)).toThrow(item);
  }
  expect(() => parseDestinations(":80, 127.0.0.1")).toThrow("127.0.0.1");
  expect(parseDestinations(":80, [::1]:81, a.example:82")).toEqual([
    { host: "", port: 80 },
    { host: "::1", port: 81 },
    { host: "a.example", port: 82 },
  ]);
});

test("a zone does not make an address another one", () => {
  expect(parseRanges("fe80::/10").has("fe80::1%eth0")).toBe(true);
  expect(isPublicAddress("fe80::1%eth0")).toBe(false);
});
