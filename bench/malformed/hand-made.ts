import { ADDRESSES } from "@/app/api/generated/addresses";
import { buildZip } from "@/lib/skill-format/testing/build-zip";
import { hostileArchives, type Upload } from "./archives";
import { hostileDocuments, hostileManifests } from "./documents";
import { type Fixture, http, type Input, rawRequests } from "./input";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

export async function handMade(fixture: Fixture): Promise<Input[]> {
  const uploads = [...(await hostileArchives(fixture)), ...hostileDocuments(), ...manifestArchives()];
  return [
    ...uploads.map((upload) => uploadOf(upload)),
    ...walks(fixture),
    ...publicEndpoints(fixture),
    ...bodies(fixture),
    ...queries(fixture),
    ...headers(fixture),
    ...forms(fixture),
    ...rawRequests(fixture),
  ];
}

export function uploadOf({ family, name, bytes }: Upload, path = "/api/skills/import"): Input {
  const boundary = "----bench7d9c";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return http(family, "POST", path, { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, body });
}

function manifestArchives(): Upload[] {
  return hostileManifests().map(({ family, text }) => ({
    family,
    name: "probe.zip",
    bytes: buildZip([
      { name: "probe/skill.json", data: text },
      { name: "probe/run", data: "#!/bin/sh\ncat\n", mode: 0o100755 },
    ]),
  }));
}

/** The address of every route file, with nonsense parameters and methods it does not have. */
function walks({ marker }: Fixture): Input[] {
  const parts = [
    "%00",
    "..%2f..%2fetc%2fpasswd",
    "%ff",
    "%",
    "a".repeat(2_000),
    `%2e%2e%2f${marker}`,
    "'%22%3C",
    "%F0%9F%90%99",
    "-1",
  ];
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND"];
  return ADDRESSES.endpoints
    .filter((path) => !path.startsWith("/api/setup"))
    .map((path, index) => {
      const part = parts[index % parts.length] ?? "";
      const method = methods[index % methods.length] ?? "GET";
      const address = path.replace(/\[[^\]]+\]/g, part);
      return http(
        `walk: ${method} ${path}`,
        method,
        address,
        method === "GET" || method === "HEAD" ? {} : { headers: JSON_TYPE, body: "{}" },
      );
    });
}

function publicEndpoints({ marker }: Fixture): Input[] {
  const get = [
    "/git/catalog.git/info/refs",
    "/git/catalog.git/info/refs?service=git-receive-pack",
    "/git/catalog.git/HEAD",
    `/git/catalog.git/objects/../../${marker}`,
    "/git/mine.git/info/refs?service=git-upload-pack",
    "/git/catalog.git/info/refs?service=git-upload-pack%00",
    "/.well-known/agent-skills/index.json?x=%00",
    `/.well-known/agent-skills/..%2f..%2f${marker}`,
    "/.well-known/skills/a/b/c/d/e",
    "/.well-known/clawhub.json",
    "/s/%00/x/marketplace.json",
    "/s/a/b@c/.well-known/agent-skills/index.json",
    "/p/-/marketplace.json",
    "/c/..../marketplace.json",
    "/t/sgc_x/marketplace.json",
    "/t/x/a/b/c",
    "/a/b/SKILL.md",
    `/connect/claude-code/..%2f..%2f${marker}`,
    "/connect/claude-code/%00",
    "/api/v1/skills?limit=-1&cursor=%00",
    "/api/v1/search?q=%00&limit=1e9",
    "/api/v1/resolve?slug=..&hash=zz",
    "/api/v1/download?slug=..%2f&version=%00",
    "/api/v1/skills/%00/file?path=../../x",
    "/docs/..%2f..%2fetc%2fpasswd",
    "/skills/%00",
    "/audit?cursor=%00",
    "/_next/static/..%2f..%2f..%2fpackage.json",
    "/_next/image?url=http://127.0.0.1:9/&w=1&q=1",
    "/_next/data/x/y.json",
    "//evil.example/%2e%2e",
    "/\\evil.example",
    "/%5c%5cevil",
    "/favicon.ico%00",
  ];
  const upload = (body: string) => ({ headers: { "content-type": "application/x-git-upload-pack-request" }, body });
  const packs = [
    "",
    "0000",
    "0001",
    "ffff",
    "zzzz",
    "0032want 0000",
    `0032want ${"0".repeat(40)}\n00000009done\n`,
    `0098want ${"z".repeat(40)} side-band-64k\n0000`,
    "0014command=ls-refs\n0001ref-prefix ../\n0000",
    "0011command=fetch0001000fno-progress0000".repeat(500),
  ];
  return [
    ...get.map((path) => http("endpoint", "GET", path)),
    ...packs.map((body) => http("git", "POST", "/git/catalog.git/git-upload-pack", upload(body))),
    http("git", "POST", "/git/catalog.git/git-receive-pack", upload("0000")),
    http("git", "POST", "/git/catalog.git/git-upload-pack", {
      headers: { ...upload("").headers, "content-encoding": "gzip" },
      body: "not packed",
    }),
    http("git", "GET", "/git/catalog.git/info/refs?service=git-upload-pack", {
      headers: { "git-protocol": `version=${"9".repeat(4_000)}` },
    }),
  ];
}

function bodies({ skillId, digest, runId }: Fixture): Input[] {
  const texts: [family: string, body: string | Uint8Array][] = [
    ["cut short", '{"a": "b'],
    ["nothing", ""],
    ["only space", "   "],
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "1e999999"],
    ["deep lists", "[".repeat(200_000)],
    ["deep maps", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ["a prototype", '{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"isAdmin": true}}}'],
    ["a key twice", '{"name": "a", "name": "b"}'],
    ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["UTF-16", Buffer.from('\ufeff{"name":"a"}', "utf16le")],
    ["too large", JSON.stringify({ name: "x".repeat(2_000_000) })],
  ];
  const paths: [method: string, path: string][] = [
    ["POST", `/api/skills/${skillId}/runs`],
    ["PATCH", `/api/skills/${skillId}`],
    ["POST", `/api/skills/${skillId}/versions/${digest}/decisions`],
    ["PATCH", "/api/admin/settings"],
    ["POST", "/api/tokens"],
    ["POST", "/mcp"],
    ["POST", "/api/worker/exchange"],
    ["POST", "/api/oauth/register"],
    ["POST", `/api/runs/${runId}/decisions`],
  ];
  const json = paths.flatMap(([method, path]) =>
    texts.map(([family, body]) => http(`body: ${family}`, method, path, { headers: JSON_TYPE, body })),
  );
  const messages = [
    "[]",
    "[1]",
    '{"jsonrpc":"1.0"}',
    '{"jsonrpc":"2.0","id":{},"method":1}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\\ud800","capabilities":[],"clientInfo":null}}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{}}}}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
    '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
    `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(5_000)}{}]`,
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ];
  const accept = { ...JSON_TYPE, accept: "application/json, text/event-stream" };
  const mcp = messages.flatMap((body) => [
    http("mcp", "POST", "/mcp", { headers: accept, body }),
    http("mcp: with a session", "POST", "/mcp", {
      headers: { ...accept, "mcp-session-id": "../../x", "mcp-protocol-version": "9999" },
      body,
    }),
  ]);
  return [
    ...json,
    ...mcp,
    http("mcp", "GET", "/mcp", { headers: { accept: "text/event-stream", "last-event-id": "-1" } }),
    http("mcp", "DELETE", "/mcp", { headers: { "mcp-session-id": "x".repeat(4_000) } }),
  ];
}

function queries({ runId, skillId, digest, marker }: Fixture): Input[] {
  const lists = [
    "/api/skills",
    "/api/runs",
    "/api/audit",
    "/api/catalog",
    "/api/search",
    "/api/traces",
    "/api/tokens",
    "/api/audit/histogram",
    "/api/audit/export",
  ];
  const wrong = [
    "cursor=%00",
    `cursor=${"A".repeat(5_000)}`,
    "cursor=eyJpZCI6e319",
    "limit=-1&limit=1e9",
    "limit=NaN",
    "from=2026-13-45&to=x",
    "q=%00%ff",
    "q=*%22%28%29%5b%5d%5e%7e%3a",
    `q=${"a%20OR%20".repeat(500)}`,
    "sort=__proto__&order=constructor",
    "from=+275760-09-13T00:00:00.001Z",
  ];
  const paths = [
    ...lists.flatMap((path) => wrong.map((query) => `${path}?${query}`)),
    `/api/runs/${runId}/events?after=-1`,
    `/api/runs/${runId}/events?after=1e99&after=x`,
    `/api/skills/${skillId}/versions/${digest}/files/..%2f..%2f${marker}`,
    `/api/skills/${skillId}/versions/${digest}/files/%00`,
    `/api/skills/${skillId}/versions/${digest}/diff?against=%00`,
    `/api/skills/${skillId}/export?as=../x&version=%00`,
    `/api/skills/${skillId}/versions/${"0".repeat(64)}`,
    "/api/audit/-1",
    "/api/audit/99999999999999999999999",
    "/api/audit/1e3",
    "/api/updates.atom?since=x",
    "/api/agent/preamble?message=%00&format=toml",
  ];
  return paths.map((path) => http("query", "GET", path));
}

function headers({ marker }: Fixture): Input[] {
  const get = (family: string, given: Record<string, string>, path = "/api/me") =>
    http(`header: ${family}`, "GET", path, { headers: given });
  return [
    ...[
      "Bearer",
      "Bearer ",
      "Bearer sgt_",
      `Bearer ${"x".repeat(8_000)}`,
      "Basic ////",
      "Basic Og==",
      "Digest x",
      "bearer\tx",
      "Bearer a b",
      "Bearer sgw_x",
      "Bearer sgc_x",
      "\u00ff",
    ].map((authorization) => get("authorization", { authorization })),
    ...[
      "next-auth.session-token=x",
      `next-auth.session-token.0=${"a".repeat(4_000)}; next-auth.session-token.1=b`,
      "=; ;;=",
      "next-auth.session-token=eyJhbGciOiJub25lIn0..x.x.x",
      "__Secure-next-auth.session-token=%00",
    ].map((cookie) => get("cookie", { cookie, authorization: "" })),
    get("origin", { origin: "null" }),
    get("request id", { "x-request-id": `../../${marker}` }),
    get("trace", { traceparent: "00-zz-zz-zz", tracestate: "=".repeat(600) }),
    get("forwarded", {
      "x-forwarded-for": "999.1.1.1, ::::, ' OR 1",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "gopher",
      forwarded: "for=_x;host=%",
    }),
    get(
      "inner",
      {
        "x-middleware-subrequest": "middleware:middleware:middleware",
        "x-nextjs-data": "1",
        rsc: "1",
        "next-router-state-tree": "%5B%22",
      },
      "/skills",
    ),
    get("server action", { "next-action": "x".repeat(40) }, "/skills"),
    get("conditions", {
      "if-none-match": '"'.repeat(3_000),
      "if-modified-since": "yesterday",
      range: "bytes=9-1,-,0-99999999999999999999",
    }),
    get("accept", { accept: "*/*;q=NaN, \u00e9", "accept-language": "x".repeat(3_000), "accept-encoding": "bomb" }),
    http("header: method", "POST", "/api/me", { headers: { "x-http-method-override": "DELETE" } }),
    http("header: server action", "POST", "/skills", {
      headers: { "next-action": "7f", "content-type": "text/plain;charset=UTF-8" },
      body: "[]",
    }),
    http("header: encoding", "POST", "/api/tokens", {
      headers: { ...JSON_TYPE, "content-encoding": "gzip" },
      body: "{}",
    }),
    http("header: type", "POST", "/api/tokens", {
      headers: { "content-type": "application/json; charset=utf-7" },
      body: "{}",
    }),
    http("header: type", "POST", "/api/tokens", {
      headers: { "content-type": "text/xml" },
      body: "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>",
    }),
    ...["", " ", "x".repeat(300), "a b"].map((key) =>
      http("header: key", "POST", "/api/tokens", {
        headers: { ...JSON_TYPE, "idempotency-key": key },
        body: '{"name":"k","scopes":["read"]}',
      }),
    ),
    ...["W/", '"', "*, *", ",".repeat(2_000)].map((tag) =>
      http("header: if-match", "PATCH", "/api/admin/settings", {
        headers: { ...JSON_TYPE, "if-match": tag },
        body: '{"instanceName":"x"}',
      }),
    ),
  ];
}

function forms({ marker }: Fixture): Input[] {
  const part = (disposition: string, body = "x") => `--b\r\nContent-Disposition: ${disposition}\r\n\r\n${body}\r\n`;
  const multipart: [type: string, body: string][] = [
    ["multipart/form-data", part('form-data; name="file"; filename="a.zip"')],
    ["multipart/form-data; boundary=", "--\r\n\r\n----"],
    [`multipart/form-data; boundary=${"b".repeat(3_000)}`, "x"],
    ['multipart/form-data; boundary="b\u00e9"', "x"],
    ["multipart/form-data; boundary=b", ""],
    ["multipart/form-data; boundary=b", "--b--"],
    ["multipart/form-data; boundary=b", "--b\r\n"],
    ["multipart/form-data; boundary=b", part('form-data; name="file"; filename="a.zip"')],
    ["multipart/form-data; boundary=b", `${part('form-data; name="other"')}--b--\r\n`],
    ["multipart/form-data; boundary=b", `${part('form-data; name="file"')}--b--\r\n`],
    ["multipart/form-data; boundary=b", `${part(`form-data; name="file"; filename="../../../${marker}"`)}--b--\r\n`],
    ["multipart/form-data; boundary=b", `${part(`form-data; name="file"; filename*=utf-8''..%2f${marker}`)}--b--\r\n`],
    ["multipart/form-data; boundary=b", `${part('form-data; name="file"; filename="a\0.md"')}--b--\r\n`],
    ["multipart/form-data; boundary=b", `${part("attachment")}--b--\r\n`],
    ["multipart/form-data; boundary=b", `--b\r\n${"X: y\r\n".repeat(5_000)}\r\nx\r\n--b--\r\n`],
    ["multipart/form-data; boundary=b", `${part('form-data; name="file"; filename="a.md"').repeat(2_000)}--b--\r\n`],
    ["multipart/mixed; boundary=b", `${part('form-data; name="file"; filename="a.md"')}--b--\r\n`],
  ];
  const tokens = [
    "",
    "grant_type=",
    "grant_type=password&username=a&password=b",
    `grant_type=authorization_code&code=${"x".repeat(5_000)}`,
    "grant_type=authorization_code&grant_type=refresh_token",
    "grant_type=%00&code=%ff",
    "%",
    "a=b&".repeat(20_000),
    "grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=x",
  ];
  const clients = [
    { redirect_uris: "x" },
    { redirect_uris: ["javascript:alert(1)"] },
    { redirect_uris: ["http://127.0.0.1:9/\r\nx"] },
    { redirect_uris: Array(5_000).fill("https://a.example/") },
    { client_name: "\u0000", redirect_uris: ["https://a.example/#f"] },
    { redirect_uris: ["https://user:pw@a.example/"], grant_types: [1] },
  ];
  return [
    ...multipart.flatMap(([type, body]) =>
      ["/api/skills/import", "/api/v1/skills"].map((path) =>
        http("multipart", "POST", path, { headers: { "content-type": type }, body }),
      ),
    ),
    ...tokens.map((body) => http("oauth: token", "POST", "/api/oauth/token", { headers: FORM_TYPE, body })),
    ...tokens.map((body) =>
      http("sign-in", "POST", "/api/auth/callback/credentials", { headers: { ...FORM_TYPE, authorization: "" }, body }),
    ),
    ...clients.map((client) =>
      http("oauth: register", "POST", "/api/oauth/register", { headers: JSON_TYPE, body: JSON.stringify(client) }),
    ),
    ...[
      "client_id=x&redirect_uri=javascript:1&response_type=code",
      "response_type=token",
      "client_id=%00&state=%ff&scope=%00",
    ].map((query) => http("oauth: authorize", "GET", `/oauth/authorize?${query}`)),
  ];
}
