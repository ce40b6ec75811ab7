import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { expect, test } from "playwright/test";
import { ADDRESSES } from "../../app/api/generated/addresses";
import { apiOf, shellPack } from "../fixtures/api";
import { ADMIN, type App, startApp } from "../fixtures/start-app";

let app: App;
let skill: { id: string };
let reader: string;
const admin = { authorization: `Bearer ${ADMIN.token}` };

test.beforeAll(async () => {
  const preload = fileURLToPath(new URL("../fixtures/either-router.mjs", import.meta.url));
  // Both answers must have the same request id, and the server accepts one from a trusted proxy only.
  app = await startApp({
    dev: true,
    env: { SKILLGATE_TRUSTED_PROXIES: "127.0.0.1", NODE_OPTIONS: `--import=${preload}` },
  });
  const api = apiOf(app);
  skill = await api.installPack("gives_back", shellPack("gives_back", "#!/bin/sh\nexec cat\n"));
  await api.json("PATCH", `/api/skills/${skill.id}`, { visibility: "public" });
  reader = (await api.json("POST", "/api/tokens", { name: "reader", scopes: ["read"] })).token;
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

type Asked = { headers?: Record<string, string>; body?: string; through?: "framework" };
type Answer = { status: number | undefined; headers: Record<string, unknown>; body: string };

/**
 * Headers left out of the comparison: framing of the body, `link` (style sheets of pages, with a nonce), `vary` (the framework
 * names its own headers), counters, and of a 405 `Allow` and what describes a body, which the framework omits.
 */
const NOISE = [
  "date",
  "vary",
  "link",
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "connection",
  "keep-alive",
];
const FORM_OF_405 = ["allow", "content-type", "cache-control", "request-id"];
const COUNTED = /^(?:ratelimit-(?:remaining|reset)|retry-after)$/;

/** One connection for each request: the framework closes a connection when it has not read the whole request. */
const agent = new Agent({ keepAlive: false });

/** Uses node:http, which sends a path unchanged. */
function send(method: string, path: string, { headers = {}, body, through }: Asked): Promise<IncomingMessage> {
  const all = { "x-request-id": "the-same-for-both", ...headers, ...(through ? { "x-through": through } : {}) };
  return new Promise((resolve, reject) => {
    const sent = request(app.url, { method, path, headers: all, agent });
    sent.once("error", reject);
    sent.once("response", resolve);
    sent.end(body);
  });
}

async function ask(method: string, path: string, asked: Asked = {}): Promise<Answer> {
  const answer = await send(method, path, asked);
  const bytes = await buffer(answer);
  const isPacked = answer.headers["content-encoding"] === "gzip" && bytes.length > 0;
  const isRefusedMethod = answer.statusCode === 405;
  const left = isRefusedMethod ? [...NOISE, ...FORM_OF_405] : NOISE;
  const shown = Object.entries(answer.headers).filter(([name]) => !left.includes(name) && !COUNTED.test(name));
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(shown),
    body: isRefusedMethod ? "" : settle((isPacked ? gunzipSync(bytes) : bytes).toString()),
  };
}

/** Removes values that differ between requests; any page becomes `<page>`. */
function settle(body: string): string {
  if (body.startsWith("<!DOCTYPE html>")) return "<page>";
  return body.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, "<time>");
}

/**
 * Asks both. For addresses that belong to no route known to the framework, its answer has the content security policy of pages.
 */
async function both(method: string, path: string, asked: Asked = {}): Promise<{ table: Answer; framework: Answer }> {
  const [table, framework] = [
    await ask(method, path, asked),
    await ask(method, path, { ...asked, through: "framework" }),
  ];
  const policies = [table, framework].map(({ headers }) => settlePolicy(String(headers["content-security-policy"])));
  const isDeclared =
    !/^\/(?:api|mcp|metrics|connect|\.well-known)(?:\/|$)/.test(path) ||
    /^\/\.well-known\/(?:agent-skills|skills|claw)/.test(path);
  for (const [index, answer] of [table, framework].entries()) {
    answer.headers["content-security-policy"] = isDeclared ? "<either>" : policies[index];
    if (isDeclared) delete answer.headers["x-request-id"];
  }
  return { table, framework };
}

/** Removes nonces, and what the development server adds for its own scripts, styles and connections. */
function settlePolicy(policy: string): string {
  return policy
    .replaceAll(/nonce-[^']+/g, "nonce")
    .replace(" 'unsafe-eval'", "")
    .replace("style-src-elem 'self' 'unsafe-inline'", "style-src-elem 'self' 'nonce'")
    .replace("connect-src 'self' ws:", "connect-src 'self'");
}

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
/** Answers that depend on the process or the moment, or that are given once. */
const LIVE =
  /^\/(?:metrics|\.well-known\/skillgate-ended-approvals|api\/(?:bill-of-materials|admin\/system|admin\/jobs|audit|ready|health|auth\/|cli\/device\/code|oauth\/register|runs\/summary|sessions|agent\/sessions|export))/;

/**
 * One address for each shape (first segment, then which segments are parameters). The development server compiles each route it is
 * asked for and restarts when all 313 have used up its memory.
 */
function oneOfEachShape(): string[] {
  const shapes = new Map<string, string>();
  for (const path of ADDRESSES.endpoints.filter((each) => !each.startsWith("/api/auth/"))) {
    const [first, ...rest] = path.slice(1).split("/");
    const shape = rest.map((each) => /^\[(?:\.{3})?/.exec(each)?.[0]).join("/");
    if (!shapes.has(`${first}:${shape}`)) shapes.set(`${first}:${shape}`, path);
  }
  return [...shapes.values()];
}

test("routes of every shape give the same answer to every method through the table and through the framework", async () => {
  test.setTimeout(600_000);
  const unlike: string[][] = [];
  for (const path of oneOfEachShape()) {
    const address = path.replaceAll(/\[(?:\.\.\.)?\w+\]/g, "x1");
    for (const method of METHODS) {
      const token = LIVE.test(path) || method !== "GET" ? reader : ADMIN.token;
      const asked = { headers: { authorization: `Bearer ${token}` } };
      const look = async () => {
        const { table, framework } = await both(method, address, asked);
        return [table, framework].map((each) => JSON.stringify(LIVE.test(path) ? each.status : sorted(each)));
      };
      let seen = await look();
      // The list may have changed between the two requests.
      if (seen[0] !== seen[1] && ["GET", "HEAD"].includes(method)) seen = await look();
      if (seen[0] !== seen[1]) unlike.push([method, path, ...seen]);
    }
  }
  expect(unlike).toEqual([]);
});

function sorted({ headers, ...rest }: Answer) {
  return { ...rest, headers: Object.fromEntries(Object.entries(headers).sort()) };
}

const json = { ...admin, "content-type": "application/json" };
const CASES: [status: number, method: string, path: string, asked?: Asked][] = [
  [200, "GET", "/api/runs/{run}", { headers: admin }],
  [401, "GET", "/api/runs/{run}"],
  [401, "GET", "/api/runs/{run}", { headers: { authorization: "Bearer sgt_wrong" } }],
  [404, "GET", "/api/runs/nothing?wide=1", { headers: admin }],
  [200, "POST", "/api/skills/{skill}/runs", { headers: json, body: '{"args":{"text":"x"},"dryRun":true}' }],
  [404, "POST", "/api/skills/nothing/runs", { headers: json, body: '{"args":{}}' }],
  [422, "POST", "/api/skills/{skill}/runs", { headers: json, body: '{"args":{"text":7}}' }],
  [400, "POST", "/api/skills/{skill}/runs", { headers: json, body: "{" }],
  [415, "POST", "/api/skills/{skill}/runs", { headers: admin, body: "text" }],
  [413, "POST", "/api/skills/{skill}/runs", { headers: json, body: `{"args":{"text":"${"x".repeat(2_000_000)}"}}` }],
  [
    413,
    "POST",
    "/api/tokens",
    { headers: { ...json, "transfer-encoding": "chunked" }, body: `{"name":"${"x".repeat(2_000_000)}"}` },
  ],
  [200, "HEAD", "/api/skills", { headers: admin }],
  [404, "HEAD", "/api/nothing/here", { headers: admin }],
  [401, "HEAD", "/mcp"],
  [204, "OPTIONS", "/api/skills"],
  [204, "OPTIONS", "/api/nothing"],
  [204, "OPTIONS", "/mcp"],
  [204, "OPTIONS", "/marketplace.json"],
  [405, "PUT", "/api/skills", { headers: admin }],
  [405, "DELETE", "/api/health"],
  [405, "POST", "/connect/claude-code/settings.json"],
  [405, "POST", "/marketplace.json"],
  [400, "PROPFIND", "/api/skills"],
  [400, "QUERY", "/api/nothing"],
  [405, "TRACE", "/api/health"],
  [308, "GET", "/api/skills/", { headers: admin }],
  [308, "POST", "/api/skills/?a=1&b=/", { headers: json, body: "{}" }],
  [308, "GET", "//api/skills"],
  [308, "GET", "/api//skills/?x=1"],
  [308, "GET", "/api\\skills"],
  [308, "GET", "/mcp/"],
  [308, "GET", "/api/skills/."],
  [308, "GET", "/.well-known//skills/index.json"],
  [404, "GET", "/api/%73kills", { headers: admin }],
  [404, "GET", "/api/skills/%6eothing", { headers: admin }],
  [404, "GET", "/api/skills/a%2Fb", { headers: admin }],
  [404, "GET", "/api/skills/a%2541b", { headers: admin }],
  [400, "GET", "/api/skills/a%25b", { headers: admin }],
  [404, "GET", "/api/skills/a%20b%C3%A4+c", { headers: admin }],
  [404, "GET", "/api/skills/a%5Cb:@;=,~!$&'()*", { headers: admin }],
  [404, "GET", "/api/skills/__proto__", { headers: admin }],
  [404, "GET", "/api/skills/[id]", { headers: admin }],
  [400, "GET", "/api/skills/%ff", { headers: admin }],
  [404, "GET", "/api/skills/%00", { headers: admin }],
  [200, "GET", "/api/skills/../health"],
  [200, "GET", "/api/skills/%2e%2e/health"],
  [404, "GET", "/api/health;x"],
  [404, "GET", "/api/health.rsc"],
  [404, "GET", "/api/nothing/here?x=%zz"],
  [404, "PATCH", "/api/nothing", { headers: json, body: "{}" }],
  [404, "GET", "/api", { headers: admin }],
  [404, "GET", "/API/health"],
  [200, "GET", "/api/skills?", { headers: admin }],
  [200, "GET", "/api/skills?a=%zz&=&&b", { headers: admin }],
  [400, "GET", "/api/skills?limit=1&limit=x", { headers: admin }],
  [200, "GET", "/api/skills?q=a%20b+c%2B", { headers: admin }],
  [200, "GET", "/api/skills#x", { headers: admin }],
  [304, "GET", "/api/me", { headers: { ...admin, "if-none-match": "{etag}" } }],
  [200, "GET", "/api/health", { headers: { host: "bad host" } }],
  [
    200,
    "GET",
    "/api/health",
    {
      headers: {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-skillgate-remote-address": "10.0.0.1",
      },
    },
  ],
  [404, "GET", "/mcp/nothing"],
  [404, "GET", "/.well-known/nothing"],
  [404, "GET", "/connect/nothing"],
  [404, "GET", "/connect/claude-code/nothing"],
  [200, "GET", "/connect/claude-code/settings.json"],
  [200, "GET", "/.well-known/oauth-protected-resource/mcp"],
  [200, "GET", "/.well-known/skills/index.json", { headers: admin }],
  [200, "GET", "/.well-known/agent-skills/index.json"],
  [404, "GET", "/.well-known/skills/gives-back/..%2FSKILL.md"],
  [200, "GET", "/.well-known/skills/gives-back/SKILL.md"],
  [206, "GET", "/.well-known/skills/gives-back/SKILL.md", { headers: { range: "bytes=0-3" } }],
  [404, "GET", "/s/none/gives-back@1/.well-known/skills/index.json"],
  [404, "GET", "/s/none/gives-back%401/.well-known/skills/index.json"],
  [404, "GET", "/t/sgc_none/a/gives-back/x.zip"],
  [404, "GET", "/c/none/marketplace.json"],
  [200, "GET", "/marketplace.json?x=1"],
  [200, "GET", "/.well-known/clawdhub.json"],
  [200, "GET", "/git/catalog.git/info/refs?service=git-upload-pack"],
  [401, "GET", "/git/mine.git/info/refs?service=git-upload-pack"],
];

test("odd requests get the same answer through both", async () => {
  test.setTimeout(600_000);
  const run = await apiOf(app).run(skill.id, { text: "x" });
  const { etag } = (await ask("GET", "/api/me", { headers: admin })).headers;
  const fill = (text: string) =>
    text.replace("{run}", run.id).replace("{skill}", skill.id).replace("{etag}", String(etag));
  for (const [status, method, path, { headers = {}, body } = {}] of CASES) {
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
    const look = async () => {
      const { table, framework } = await both(method, fill(path), { headers: filled, body });
      return [
        [method, path, table.status, sorted(table)],
        [method, path, status, sorted(framework)],
      ];
    };
    let [seen, wanted] = await look();
    // The state may have changed between the two requests, for example because the run went on.
    for (let again = 0; again < 3 && !isDeepStrictEqual(seen, wanted); again++) [seen, wanted] = await look();
    expect(seen).toEqual(wanted);
  }
});

test("text is compressed for clients that accept it, and bytes that must stay unchanged are not", async () => {
  // The development server compiles eleven more routes.
  test.setTimeout(300_000);
  const packed = async (path: string, accept: string, through?: "framework") => {
    const answer = await send("GET", path, { headers: { ...admin, "accept-encoding": accept }, through });
    await buffer(answer);
    return [answer.headers["content-encoding"] ?? null, /accept-encoding/i.test(String(answer.headers.vary))];
  };
  for (const [path, accept] of [
    ["/api/skills", "gzip"],
    ["/api/skills", "gzip, deflate, br"],
    ["/api/skills", "br;q=1, gzip;q=0.5"],
    ["/api/skills", "*"],
    ["/api/skills", "gzip;q=0"],
    ["/api/skills", "identity"],
    ["/api/openapi.json", "gzip"],
    ["/api/updates.atom", "gzip"],
    ["/metrics", "gzip"],
    ["/api/audit/export", "gzip"],
    ["/api/export?skills=x", "br"],
    [`/api/skills/${skill.id}/export`, "gzip"],
    ["/connect/claude-code/authorize-tool.mjs", "gzip"],
    ["/git/catalog.git/info/refs?service=git-upload-pack", "gzip"],
  ] as const) {
    expect([path, accept, ...(await packed(path, accept))]).toEqual([
      path,
      accept,
      ...(await packed(path, accept, "framework")),
    ]);
  }
});

test("a client that disconnects within a body does not affect the next request, through both", async () => {
  for (const through of [undefined, "framework"] as const) {
    const sent = request(app.url, {
      method: "POST",
      path: "/api/skills/import",
      headers: {
        ...admin,
        "content-type": "multipart/form-data; boundary=b",
        "content-length": "100000",
        ...(through ? { "x-through": through } : {}),
      },
    });
    sent.on("error", () => {});
    // The server reads the sent bytes before it detects the end of the connection.
    await new Promise((resolve) => sent.write("--b\r\n", resolve));
    sent.destroy();
    expect((await ask("GET", "/api/health", { through })).status).toBe(200);
  }
  expect(app.output()).not.toContain("a response failed");
});

test("events arrive at once through both, and end with the run", async () => {
  for (const through of [undefined, "framework"] as const) {
    const run = await apiOf(app).run(skill.id, { text: "x" });
    const answer = await send("GET", `/api/runs/${run.id}/events`, {
      headers: { ...admin, "accept-encoding": "gzip" },
      through,
    });
    expect([answer.headers["content-type"], answer.headers["content-encoding"]]).toEqual([
      "text/event-stream",
      undefined,
    ]);
    expect((await buffer(answer)).toString()).toContain("event: end");
  }
});
