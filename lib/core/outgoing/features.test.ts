import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, request as requestPlain } from "node:http";
import { type AddressInfo, connect, createServer as createTcp } from "node:net";
import { text } from "node:stream/consumers";
import { generateText } from "ai";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { evolveDescription } from "@/lib/agent/overlays/evolve-description";
import { openModel } from "@/lib/agent/playground/open-model";
import type { StoredEvent } from "@/lib/audit/chain/chain-events";
import { syslogSink, webhookSink } from "@/lib/audit/forward-sinks";
import { providerConfig, readGitHubIdentity } from "@/lib/auth/providers/provider-config";
import { createGitHubClient } from "@/lib/catalog/github/create-client";
import { createRateLimitGuard } from "@/lib/catalog/github/rate-limit";
import { getEnv } from "@/lib/core/env";
import { createEndpoint, probeEndpoint, updateEndpoint } from "@/lib/settings/models/endpoints";
import { updateSettings } from "@/lib/settings/update-settings";
import { recordConnects } from "@/lib/testing/record-connects";
import { REFUSED_HOSTS, REFUSED_NAMES } from "@/lib/testing/refused-hosts";
import { testDatabase } from "@/lib/testing/test-database";
import { refusalIn } from "./outgoing-policy";
import { outgoingFetch } from "./server-features";

const never = new AbortController().signal;
const EVENT = {
  seq: 7,
  at: "2026-01-01T00:00:00.000+00:00",
  action: "run.fail",
  outcome: "ok",
} as unknown as StoredEvent;
const PROVIDER = { id: "oidc", name: "P", clientId: "c", clientSecret: "s" } as const;
const MODEL = { endpointId: "1", endpointName: "m", kind: "openai", apiKey: null, model: "m1" } as const;

const net = recordConnects();
const base = await testDatabase();
const admin = (await base.person("admin")).ctx;

const { setTimeout: wait } = globalThis;

beforeEach(() => {
  // Libraries wait some seconds before they retry.
  vi.stubGlobal("setTimeout", (work: () => void, ms = 0, ...rest: []) => wait(work, ms < 8_000 ? 0 : ms, ...rest));
  for (const [name, addresses] of Object.entries(REFUSED_NAMES)) net.names.set(name, addresses);
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** Sends one request of a feature to a host (and port), written as in a URL. Returns the error text, or null. */
type Feature = (host: string) => Promise<unknown>;
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

async function endpointAt(host: string): Promise<string> {
  const data = {
    name: `e${Math.random()}`,
    kind: "openai" as const,
    baseUrl: "https://[2606:4700::1]/v1",
    models: ["m1"],
  };
  const { id } = await createEndpoint(admin, { ...data, credential: null, enabled: true });
  await base.database.writer.modelEndpoint.update({ where: { id }, data: { baseUrl: `http://${host}/v1` } });
  return id;
}

function requestBy(issuer: string, url: string): Promise<unknown> {
  const { httpOptions } = providerConfig(
    { ...PROVIDER, issuer },
    { env: getEnv(), organisations: [], groups: [], onIdentity: () => undefined },
  );
  return new Promise((resolve) => {
    const asked = requestPlain(url, { agent: httpOptions?.agent as never });
    asked
      .once("response", (answer) => {
        answer.resume();
        resolve(null);
      })
      .once("error", resolve);
    asked.end();
  });
}

/** A refusal is final: a feature that retried would exceed the time limit of the test. */
let retryDelayMs = 60_000;

const githubAt = (host: string) => {
  // Public addresses are refused without TLS.
  const url = `${/^(?:mixed|rebinding)\./.test(host) ? "https" : "http"}://${host}`;
  return createGitHubClient({
    hosts: { apiUrl: url, rawUrl: url, webUrl: url },
    token: "t",
    rateLimitGuard: createRateLimitGuard(),
    retryDelayMs,
  });
};

const FEATURES: Record<string, Feature> = {
  "a model endpoint that is probed": async (host) => {
    const { ok, message } = await probeEndpoint(admin, await endpointAt(host));
    return ok ? null : new Error(message);
  },
  "a model of the playground": (host) =>
    failure(generateText({ model: openModel({ ...MODEL, baseUrl: `http://${host}/v1` }), prompt: "x", maxRetries: 2 })),
  "a model that rewrites descriptions": (host) => {
    const requests = Array.from({ length: 4 }, (_, index) => `request ${index}`);
    const question = { description: "d", wanted: requests, unwanted: requests.map((one) => `not ${one}`) };
    const model = { kind: "openai", baseUrl: `http://${host}/v1`, apiKey: null, model: "m1" } as const;
    return failure(evolveDescription(model, question, never));
  },
  "the audit log's webhook": (host) =>
    failure(webhookSink({ url: `http://${host}/`, secret: null }, () => new Date(0)).send([EVENT], never)),
  "syslog over TCP": (host) => failure(syslogSink(`tcp://${host}`).send([EVENT], never)),
  "syslog over UDP": (host) => failure(syslogSink(`udp://${host}`).send([EVENT], never)),
  "GitHub's answer about who signs in": (host) =>
    failure(
      readGitHubIdentity(
        { ...PROVIDER, id: "github", issuer: "https://github.example" },
        { apiUrl: `http://${host}`, accessToken: "t", organisations: [] },
      ),
    ),
  "an endpoint of a sign-in provider": (host) => requestBy("http://issuer.example", `http://${host}/token`),
  "the catalog's API": (host) => failure(githubAt(host).repository({ owner: "o", repo: "r" })),
  "the catalog's files": (host) =>
    failure(githubAt(host).raw({ owner: "o", repo: "r", commit: "a".repeat(40), path: "x", isPrivate: false })),
};

/** These features store a URL, which is refused when it is saved. */
const SETTINGS: Record<string, Feature> = {
  "a stored webhook": (host) => failure(updateSettings(admin, { auditForwardWebhook: `https://${host}/` })),
  "a stored syslog server": (host) => failure(updateSettings(admin, { auditForwardSyslog: `udp://${host}:514` })),
  "a new model endpoint": (host) =>
    failure(
      createEndpoint(admin, {
        ...{
          name: "new",
          kind: "openai",
          baseUrl: `https://${host}/v1`,
          models: ["m"],
          credential: null,
          enabled: true,
        },
      }),
    ),
  "a changed model endpoint": async (host) =>
    failure(updateEndpoint(admin, await endpointAt("models.example"), { baseUrl: `https://${host}/v1` })),
};

const messageOf = (error: unknown) => (refusalIn(error) ?? (error as Error | null))?.message ?? "no error";

test("more than sixty spellings are tried", () => {
  expect(new Set(REFUSED_HOSTS).size).toBeGreaterThan(60);
});

describe.each(Object.entries({ ...FEATURES, ...SETTINGS }))("%s", (_name, ask) => {
  test("reaches none of the addresses that are not public, however they are written", async () => {
    for (const host of REFUSED_HOSTS) {
      const error = await ask(host);
      expect(`${host}: ${messageOf(error)}`).toMatch(/may not connect to .*SKILLGATE_OUTGOING_RANGES/);
      expect(net.connects, host).toEqual([]);
    }
  });
});

describe.each(Object.entries(FEATURES))("%s", (_name, ask) => {
  beforeEach(() => {
    retryDelayMs = 0;
  });
  afterEach(() => {
    retryDelayMs = 60_000;
  });

  test("of a name with several addresses goes to the allowed ones only", async () => {
    net.names.set("mixed.example", ["10.0.0.7", "8.8.8.8", "::1", "2606:4700::1"]);
    await ask("mixed.example");
    const reached = [...new Set(net.connects.flatMap(({ addresses }) => addresses))];
    expect(reached.length).toBeGreaterThan(0);
    expect(["8.8.8.8", "2606:4700::1"]).toEqual(expect.arrayContaining(reached));
  });

  test("resolves once: what a name has a moment later is not asked for", async () => {
    let lookups = 0;
    const has = net.names.get.bind(net.names);
    const spy = vi.spyOn(net.names, "get").mockImplementation((name) => {
      if (name !== "rebinding.example") return has(name);
      return lookups++ % 2 === 0 ? ["8.8.8.8"] : ["127.0.0.1"];
    });
    await ask("rebinding.example");
    spy.mockRestore();
    expect(net.connects.flatMap(({ addresses }) => addresses)).not.toContain("127.0.0.1");
    expect(net.connects.length).toBeGreaterThan(0);
  });

  // Control: the recorder replaces the network, and would have recorded every connection of the tests above.
  test("is caught by the recorder when every range is open", async () => {
    vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "0.0.0.0/0,::/0");
    await ask("169.254.169.254");
    expect(net.connects[0]).toMatchObject({ addresses: ["169.254.169.254"] });
    const before = net.connects.length;
    await ask("metadata.example");
    expect(net.connects[before]).toMatchObject({ addresses: ["169.254.169.254"] });
  });
});

test("the catalog sends nothing to a public address without TLS, also when the name had a private one before", async () => {
  const ask = () => failure(outgoingFetch("catalog")("http://rebinding.example/", { redirect: "manual" }));
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "10.0.0.0/8");
  net.names.set("rebinding.example", ["10.0.0.7"]);
  await ask();
  expect(net.connects).toMatchObject([{ addresses: ["10.0.0.7"] }]);
  net.names.set("rebinding.example", ["8.8.8.8"]);
  expect(messageOf(await ask())).toMatch(/may not connect to rebinding.example without TLS/);
  expect(net.connects).toHaveLength(1);
});

test("the recorder sees what goes past the policy", async () => {
  await failure(fetch("http://169.254.169.254/"));
  await failure(once(connect({ host: "10.0.0.1", port: 25 }), "connect"));
  const socket = createSocket("udp4");
  await new Promise((resolve) => socket.send("x", 53, "10.0.0.2", resolve));
  socket.close();
  expect(net.connects.map(({ addresses }) => addresses[0])).toEqual(["169.254.169.254", "10.0.0.1", "10.0.0.2"]);
});

/** Returns an answer that redirects to each of the refused hosts in turn. */
async function redirecting(): Promise<{ url: string; host: string; asked: () => number }> {
  let count = 0;
  const server = createServer((_request, response) => {
    const location = `http://${REFUSED_HOSTS[count++ % REFUSED_HOSTS.length]}:1/next`;
    const safe = encodeURI(location).replaceAll("%25", "%").replaceAll("%5B", "[").replaceAll("%5D", "]");
    response.writeHead([301, 302, 303, 307, 308][count % 5] ?? 302, { location: safe }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  net.passes.add(port);
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked: () => count };
}

const overHttp = Object.entries(FEATURES).filter(([name]) => !name.startsWith("syslog"));
test.each(overHttp)("%s follows no redirect to such an address, also with an open range", async (_name, ask) => {
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "127.0.0.1");
  const { host, asked } = await redirecting();
  for (const _host of REFUSED_HOSTS) {
    await ask(host);
    expect(new Set(net.connects.map(({ port }) => port))).toEqual(new Set([Number(host.split(":")[1])]));
  }
  expect(asked()).toBeGreaterThanOrEqual(REFUSED_HOSTS.length);
});

const ANSWERS: Record<string, unknown> = {
  "/v1/chat/completions": {
    ...{
      id: "1",
      object: "chat.completion",
      created: 0,
      model: "m1",
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    },
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Should Use: yes" } }],
  },
  "/user": { id: 1, login: "l", name: null },
  "/user/emails": [],
};

async function listening(): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    await text(request);
    const path = request.url?.split("?")[0] ?? "";
    asked.push(path);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANSWERS[path] ?? {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

test.each(overHttp)("%s reaches a listener on loopback with an allowed range", async (_name, ask) => {
  const { port, asked } = await listening();
  net.passes.add(port);
  for (const range of ["127.0.0.0/8", "10.0.0.0/8, 127.0.0.1"]) {
    vi.stubEnv("SKILLGATE_OUTGOING_RANGES", range);
    const before = asked.length;
    await ask(`127.0.0.1:${port}`);
    await ask(`localhost:${port}`);
    expect(asked.length).toBeGreaterThanOrEqual(before + 2);
  }
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "10.0.0.0/8");
  const before = asked.length;
  expect(messageOf(await ask(`127.0.0.1:${port}`))).toContain("may not connect to 127.0.0.1");
  expect(asked.length).toBe(before);
});

test("syslog reaches listeners on loopback with an allowed range", async () => {
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "127.0.0.0/8");
  const tcp = createTcp((socket) => void text(socket).then((said) => socket.end(void got.push(said)))).listen(
    0,
    "127.0.0.1",
  );
  const got: string[] = [];
  await once(tcp, "listening");
  const udp = createSocket("udp4").bind(0, "127.0.0.1");
  await once(udp, "listening");
  onTestFinished(() => {
    tcp.close();
    udp.close();
  });
  const ports = [(tcp.address() as AddressInfo).port, udp.address().port];
  for (const port of ports) net.passes.add(port);
  const datagram = once(udp, "message");
  await syslogSink(`tcp://localhost:${ports[0]}`).send([EVENT], never);
  await syslogSink(`udp://127.0.0.1:${ports[1]}`).send([EVENT], never);
  expect(String((await datagram)[0])).toContain("run.fail");
  expect(got.join()).toContain("run.fail");
});

test("an endpoint in the operator's variable is reached as it is written, and no other host or port", async () => {
  const { port, asked } = await listening();
  net.passes.add(port);
  vi.stubEnv("GITHUB_API_URL", `http://localhost:${port}`);
  vi.stubEnv("OIDC_ISSUER", `http://localhost:${port}`);
  vi.stubEnv("OIDC_CLIENT_ID", "c");
  vi.stubEnv("OIDC_CLIENT_SECRET", "s");
  await FEATURES["the catalog's API"]?.(`localhost:${port}`);
  await FEATURES["an endpoint of a sign-in provider"]?.(`localhost:${port}`);
  expect(asked).toEqual(["/repos/o/r", "/token"]);
  for (const host of [`localhost:${port + 1}`, `127.0.0.1:${port}`, "localhost"]) {
    for (const name of ["the catalog's API", "an endpoint of a sign-in provider"]) {
      expect(messageOf(await FEATURES[name]?.(host))).toContain("may not connect");
    }
  }
  // A range that is open to one feature is closed to another.
  expect(messageOf(await FEATURES["the audit log's webhook"]?.(`localhost:${port}`))).toContain("may not connect");
});

test("GitHub's own addresses are judged as long as the operator has not named them", async () => {
  net.names.set("api.github.com", ["127.0.0.1"]);
  expect(messageOf(await FEATURES["the catalog's API"]?.("api.github.com"))).toContain("api.github.com (127.0.0.1)");
  expect(net.connects).toEqual([]);
});
