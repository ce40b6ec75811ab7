import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { networkInterfaces } from "node:os";
import { beforeEach, describe, expect, it, test } from "vitest";
import { recordConnects } from "@/lib/testing/record-connects";
import { REFUSED_HOSTS, REFUSED_NAMES } from "@/lib/testing/refused-hosts";
import * as probeDns from "./probe_dns";
import * as probeHttp from "./probe_http";
import * as probeTcp from "./probe_tcp";
import * as promql from "./query_promql";
import { callBuiltin } from "./testing/call-builtin";
import { serveHttp } from "./testing/serve-http";
import * as webFetch from "./web_fetch";
import * as webSearch from "./web_search";

const net = recordConnects();
beforeEach(() => {
  for (const [name, addresses] of Object.entries(REFUSED_NAMES)) net.names.set(name, addresses);
});

type Env = Record<string, string>;
type Ask = (host: string, port: number, env?: Env) => Promise<Record<string, unknown>>;

const bare = (host: string) => host.replace(/^\[|\]$/g, "");
const BUILTINS: Record<string, Ask> = {
  probe_http: (host, port, env = {}) => callBuiltin(probeHttp, { url: `http://${host}:${port}/` }, { env }),
  probe_tcp: (host, port, env = {}) => callBuiltin(probeTcp, { host: bare(host), port }, { env }),
  web_fetch: (host, port, env = {}) => callBuiltin(webFetch, { url: `http://${host}:${port}/` }, { env }),
};
const REFUSED = { error: { code: "address_not_allowed", message: expect.stringContaining("SKILLGATE_WORKER_RANGES") } };

/** Notations that only a URL decodes; elsewhere they are not a host and have no address. */
const OF_URLS = REFUSED_HOSTS.filter((host) => host.includes("%"));

describe.each(Object.entries(BUILTINS))("%s", (name, ask) => {
  it("reaches none of the addresses that are not public, however they are written", async () => {
    for (const host of REFUSED_HOSTS) {
      if (name === "probe_tcp" && (OF_URLS as string[]).includes(host)) continue;
      expect(await ask(host, 8080), host).toMatchObject(REFUSED);
      expect(net.connects, host).toEqual([]);
    }
  });

  it("of a name with several addresses goes to the allowed ones only", async () => {
    net.names.set("mixed.example", ["10.0.0.7", "8.8.8.8", "::1"]);
    await ask("mixed.example", 80).catch(() => null);
    expect(net.connects).toEqual([{ kind: "tcp", addresses: ["8.8.8.8"], port: 80 }]);
  });

  it("is caught by the recorder when every range is open", async () => {
    for (const host of ["169.254.169.254", "metadata.example"]) {
      await ask(host, 80, { SKILLGATE_RUN_RANGES: "0.0.0.0/0,::/0" }).catch(() => null);
    }
    const one = { kind: "tcp", addresses: ["169.254.169.254"], port: 80 };
    expect(net.connects).toEqual([one, one]);
  });

  it("reaches a listener on loopback with an allowed range, but not at a port of the server", async () => {
    let asked = 0;
    const url = await serveHttp((_request, response) => {
      asked += 1;
      response.writeHead(200, { "content-type": "text/plain" }).end("inside");
    });
    const port = Number(new URL(url).port);
    net.passes.add(port);
    const open = { SKILLGATE_RUN_RANGES: "127.0.0.0/8, ::1" };
    for (const host of ["127.0.0.1", "localhost"]) {
      expect(JSON.stringify(await ask(host, port, open))).toMatch(/"status":200|"open":true/);
    }
    const before = asked;
    net.connects.length = 0;
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const ownHosts = own.map(({ address, family }) => (family === "IPv6" ? `[${address.split("%")[0]}]` : address));
    for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", ...ownHosts]) {
      for (const denied of [`:${port}`, `127.0.0.1:${port}`, `:1, [::1]:${port}`]) {
        const env = { SKILLGATE_RUN_RANGES: "0.0.0.0/0,::/0", SKILLGATE_RUN_DENIED: denied };
        const answer = await ask(host, port, env);
        expect(answer, host).toMatchObject({ error: { message: expect.stringContaining("belongs to this server") } });
      }
    }
    expect([asked, net.connects]).toEqual([before, []]);
    await expect(ask("127.0.0.1", port, { SKILLGATE_RUN_DENIED: "nonsense" })).rejects.toThrow("nonsense");
    await expect(ask("127.0.0.1", port, { SKILLGATE_RUN_RANGES: "10/8" })).rejects.toThrow("10/8");
  });
});

test("web_fetch judges each hop of a chain of redirects", async () => {
  const hosts = REFUSED_HOSTS.filter((host) => !/%/.test(host));
  for (const host of hosts) {
    const target = encodeURI(`http://${host}:8080/secret`).replaceAll("%5B", "[").replaceAll("%5D", "]");
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      const location = request.url === "/2" ? target : `/${Number(request.url?.slice(1) || 0) + 1}`;
      response.writeHead(302, { location }).end();
    };
    const url = await serveHttp(listener, "127.9.9.9");
    const port = Number(new URL(url).port);
    net.passes.add(port);
    net.connects.length = 0;
    // Only the listener's own address is open.
    const env = { SKILLGATE_RUN_RANGES: "127.9.9.9" };
    expect(await callBuiltin(webFetch, { url }, { env }), host).toMatchObject(REFUSED);
    const hop = { kind: "tcp", addresses: ["127.9.9.9"], port };
    expect(net.connects, host).toEqual([hop, hop, hop]);
  }
});

test("probe_dns asks no name server that is not allowed", async () => {
  const addresses = REFUSED_HOSTS.map(bare).filter((host) => /^[\d.]+$|:/.test(host) && !/^\d+$|\.$/.test(host));
  let refused = 0;
  for (const server of [...addresses, "127.0.0.1:5353", "[::1]:5353", "fe80::1%lo"]) {
    const answer = await callBuiltin(probeDns, { name: "a.example", server }).catch((error: Error) => error.message);
    if (typeof answer !== "string") expect(answer, server).toMatchObject({ ok: false, ...REFUSED });
    else expect(answer).toContain("not an IP address");
    refused += 1;
  }
  expect(refused).toBeGreaterThan(50);
  expect(net.connects).toEqual([]);
  const denied = { SKILLGATE_RUN_RANGES: "127.0.0.1", SKILLGATE_RUN_DENIED: ":5353" };
  const own = await callBuiltin(probeDns, { name: "a.example", server: "127.0.0.1:5353" }, { env: denied });
  expect(own).toMatchObject({ error: { code: "address_not_allowed" } });
  await callBuiltin(probeDns, { name: "a.example", server: "127.0.0.1:5354" }, { env: denied });
  await callBuiltin(probeDns, { name: "a.example", server: "8.8.8.8" });
  expect(net.connects).toEqual([
    { kind: "dns", addresses: ["127.0.0.1"], port: 5354 },
    { kind: "dns", addresses: ["8.8.8.8"], port: 53 },
  ]);
});

test("a configured service is reached as it is written, never at the server's port, and never beyond a redirect", async () => {
  const url = await serveHttp((request, response) => {
    if (request.url?.includes("away")) response.writeHead(307, { location: "http://169.254.169.254/" }).end();
    else response.end(JSON.stringify({ results: [], data: { resultType: "vector", result: [] } }));
  });
  const port = Number(new URL(url).port);
  net.passes.add(port);
  expect(await callBuiltin(webSearch, { query: "x" }, { env: { SEARXNG_URL: url } })).toMatchObject({ results: [] });
  expect(await callBuiltin(promql, { query: "up" }, { env: { PROMETHEUS_URL: url } })).toMatchObject({ series: [] });
  const own = { PROMETHEUS_URL: url, SKILLGATE_RUN_DENIED: `:${port}` };
  expect(await callBuiltin(promql, { query: "up" }, { env: own })).toMatchObject({
    error: { code: "address_not_allowed" },
  });
  net.connects.length = 0;
  await expect(callBuiltin(promql, { query: "up" }, { env: { PROMETHEUS_URL: `${url}/away` } })).rejects.toThrow("307");
  expect(net.connects).toEqual([{ kind: "tcp", addresses: ["127.0.0.1"], port }]);
});

test("the recorder sees what goes past the policy", async () => {
  const { connect } = await import("node:net");
  const { Resolver } = await import("node:dns/promises");
  await once(connect({ host: "metadata.example", port: 80 }), "connect").catch(() => null);
  await new Resolver().resolve("a.example").catch(() => null);
  expect(net.connects[0]).toEqual({ kind: "tcp", addresses: ["169.254.169.254"], port: 80 });
  expect(net.connects[1]?.kind).toBe("dns");
});
