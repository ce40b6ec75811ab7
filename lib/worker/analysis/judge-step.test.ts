import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { AnalysisReport, MAX_STEPS, type StepReport } from "@/lib/policy/analysis/schema";
import { turnsDuring } from "@/lib/testing/turns-during";
import { createDecoys } from "./decoys";
import { createCanarySearch } from "./find-canaries";
import { judgeStep } from "./judge-step";
import { observeTrace } from "./observe-trace";
import { NOTHING_RECORDED, type Recorded } from "./open-recorder";

const { canaries } = createDecoys();
const [secret] = canaries;
const token = secret?.token ?? "";

function judge(data: Recorded["data"], names: Recorded["names"] = []) {
  const { seen } = observeTrace({ canaries, limit: 200, nameserver: "10.0.2.3" });
  return judgeStep({
    ...{ step: 0, end: { kind: "exited", exitCode: 0 }, durationMs: 1, observed: seen, canaries },
    ...{ recorded: { names, data, beyond: 0, unserved: 0 }, stdout: "", stderr: "" },
  });
}

function asked(name: string): Recorded["names"][number] {
  const labels = name.split(".").map((label) => String.fromCharCode(label.length) + label);
  const end = Buffer.from([0, 0, 1, 0, 1]);
  const header = Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const bytes = Buffer.concat([header, Buffer.from(labels.join(""), "latin1"), end]).toString("base64");
  return { kind: "name", name: name.slice(0, 255), address: "198.18.0.2", server: "10.0.2.3", bytes };
}

let connections = 0;

function sentTo(host: string, bytes: Buffer): Recorded["data"][number] {
  connections += 1;
  const peer = { channel: "http" as const, connection: connections, address: "198.18.0.1", port: 80, host };
  return { kind: "data", ...peer, bytes: bytes.toString("base64") };
}

const twice = (bytes: Buffer) => Buffer.from(bytes.toString("base64")).toString("base64");

it("searches many small encoded bodies in limited work, with turns for others, and says what it left out", async () => {
  const bodies = Array.from({ length: 1_500 }, () =>
    Buffer.from(Array.from({ length: 13 }, () => twice(randomBytes(60))).join(" - ")),
  );
  const data = bodies.map((bytes, index) => sentTo(`h${index}.example`, bytes));
  let report: StepReport | undefined;
  const turns = await turnsDuring(async () => {
    report = await judge([...data, sentTo("last.example", Buffer.from(token))]);
  });
  expect(turns).toBeGreaterThan(1_000);
  expect(report?.sent).toEqual([expect.objectContaining({ to: "198.18.0.1:80 (as last.example)", encoding: "clear" })]);
  const small = createCanarySearch(canaries, 1024 * 1024);
  for (const bytes of bodies) expect(await small.search(bytes)).toEqual([]);
  expect(small.unfinished()).toBeGreaterThan(1_000);
  expect(await small.search(Buffer.from(`a ${token} b`))).toEqual([{ canary: secret?.name, encoding: "clear" }]);
}, 60_000);

it("finds a secret behind megabytes for the same host, and compressed in the middle of them", async () => {
  const zeros = Array.from({ length: 8 }, () => sentTo("a.example", Buffer.alloc(250_000)));
  expect((await judge([...zeros, sentTo("a.example", Buffer.from(token))])).sent).toHaveLength(1);
  const packed = gzipSync(Buffer.from(`x${token}`.repeat(3)));
  const report = await judge([...zeros, sentTo("a.example", packed), ...zeros]);
  expect(report.sent).toEqual([expect.objectContaining({ encoding: "compressed" })]);
  expect(report.beyond).toEqual({});
});

it("finds a secret that is also in a domain, and leaves out nothing of many ordinary names", async () => {
  const login = canaries.find(({ name }) => name === "~/.netrc")?.token ?? "";
  const ordinary = Array.from({ length: 250 }, (_, index) => asked(`ip-10-0-0-${index}.compute.example-cloud.com`));
  expect(await judge([], ordinary)).toMatchObject({ sent: [], beyond: {} });
  const report = await judge([], [...ordinary, asked(`${login.slice(0, 8)}.${login.slice(8, 16)}.${login.slice(16)}`)]);
  expect(report.sent).toEqual([expect.objectContaining({ canary: "~/.netrc", channel: "dns" })]);
});

it("says that it did not look into what decodes to too much", async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  expect((await judge([sentTo("a.example", bomb)])).beyond).toEqual({ search: 1 });
});

it("keeps a report of the most steps below what the server accepts, whatever names a program uses", async () => {
  const observer = observeTrace({ canaries, limit: 200, nameserver: "10.0.2.3" });
  const { seen } = observer;
  for (let index = 0; index < 200; index += 1) {
    const path = `/tmp/${index}${"\u4e00".repeat(500)}`;
    seen.programs.items.set(path, { path, args: path, count: 1 });
    seen.reads.items.set(path, { path, canary: false });
    seen.lookedFor.items.set(path, { path, exists: false });
    seen.writes.items.set(path, { path, refused: false, outside: false });
  }
  seen.wroteOutside.items.set("/etc/cron.d/x", "/etc/cron.d/x");
  const noise = "\u0001".repeat(9_000);
  const report = await judgeStep({
    ...{ step: 0, end: { kind: "exited", exitCode: 0 }, durationMs: 1, observed: seen, canaries },
    ...{ recorded: NOTHING_RECORDED, stdout: noise, stderr: noise },
  });
  expect(Buffer.byteLength(JSON.stringify(report)) * MAX_STEPS).toBeLessThan(15 * 1024 * 1024);
  expect(report.deeds).toEqual([{ kind: "wrote_outside", what: "/etc/cron.d/x" }]);
  expect(report.writes.length + (report.beyond.writes ?? 0)).toBe(200);
  expect(report.programs.length + (report.beyond.programs ?? 0)).toBe(200);
});

it("plants secrets only under names that a report may have", () => {
  const paths = ["/run/secrets/", "~/", "/home/dev/"].flatMap((folder) =>
    [187, 188, 189, 195, 199].map((length) => folder + "x".repeat(length)),
  );
  for (const path of paths) {
    const { canaries: planted } = createDecoys({ env: [], paths: [path] });
    expect(AnalysisReport.shape.canaries.safeParse(planted.map(({ name }) => name)).success, path).toBe(true);
  }
});

it("plants no file where another one needs a folder, because then no step would start", () => {
  const asked = [
    "~/.bashrc/x",
    "~/.gitconfig/x/y",
    "~/.ssh/./id_rsa/x",
    "~//.netrc/x",
    "~/a",
    "~/./a/b",
    "/etc/../run/x",
  ];
  const { files } = createDecoys({ env: [], paths: asked });
  const paths = files.map(({ path }) => path);
  for (const path of paths) {
    expect(path.split("/").slice(1)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^\.{0,2}$/)]));
    expect(paths.filter((other) => other === path || other.startsWith(`${path}/`))).toEqual([path]);
  }
  expect(paths).toEqual(expect.arrayContaining(["/home/dev/.bashrc", "/home/dev/a/notes.txt", "/home/dev/.netrc"]));
});

it("plants no secret in a setting that would end or divert the program that reads it", () => {
  const settings = [
    "PYTHONHASHSEED",
    "PYTHON_GIL",
    "LC_ALL",
    "http_proxy",
    "ALL_PROXY",
    "GIT_DIR",
    "WGETRC",
    "_JAVA_OPTIONS",
  ];
  const secrets = ["NODE_AUTH_TOKEN", "AWS_ACCESS_KEY_ID", "LANGFUSE_SECRET_KEY", "ACME_PASSWORD", "DATABASE_URL"];
  const { env } = createDecoys({ env: [...settings, ...secrets], paths: [] });
  expect(settings.filter((name) => name in env)).toEqual([]);
  expect(Object.keys(env)).toEqual(expect.arrayContaining(secrets));
});

it("lists deeds of every kind when there are many of one", async () => {
  const observer = observeTrace({ canaries, limit: 200, nameserver: "10.0.2.3" });
  for (let index = 0; index < 200; index += 1) observer.seen.wroteOutside.items.set(`/etc/${index}`, `/etc/${index}`);
  observer.seen.leftRunning.items.set("sleep", "sleep");
  observer.seen.refused.items.set("unshare", { call: "unshare", count: 1 });
  const report = await judgeStep({
    ...{ step: 0, end: { kind: "exited", exitCode: 0 }, durationMs: 1, observed: observer.seen, canaries },
    recorded: { ...NOTHING_RECORDED, data: [sentTo("a.example", Buffer.from(token))] },
    ...{ stdout: "", stderr: "" },
  });
  expect(report.deeds).toHaveLength(200);
  expect(new Set(report.deeds.map(({ kind }) => kind))).toEqual(
    new Set(["sent_canary", "wrote_outside", "left_process", "refused_call"]),
  );
  expect(report.beyond).toEqual({ deeds: 3 });
});

const request = (target: string, headers: string[] = [], body = "", method = "POST") =>
  [`${method} ${target} HTTP/1.1`, "Host: api.example", `Content-Length: ${body.length}`, ...headers, "", body].join(
    "\r\n",
  );
const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded";
const multipart = (name: string, more = "") =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${token}\r\n--XX--\r\n`;
const foreign = "Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345";
const basic = Buffer.from(`user:${token}`).toString("base64");

it.for<[place: string, what: string, bytes: string]>([
  ["header", "a bearer", request("/me", [`Authorization: Bearer ${token}`])],
  ["header", "a name and password", request("/me", [`Authorization: Basic ${basic}`], "{}")],
  ["header", "a header beside another one", request("/me", [foreign, `X-Api-Key: ${token}`])],
  ["target", "a field of the query", request(`/v1/go?key=${token}&q=a`, [], "", "GET")],
  ["target", "a part of the path", request(`/bot${token}/send`, [FORM_TYPE], "chat_id=1&text=hello")],
  [
    "body",
    "a token beside the secret of an application",
    request("/token", [FORM_TYPE], `client_secret=GOCSPX-0123456789abcdef&refresh_token=${token}`),
  ],
  ["target", "a field beside a token of a page", request(`/v1/go?api_key=${token}&pageToken=abcdefghijkl`)],
  ["body", "a field of a form", request("/token", [FORM_TYPE], `grant=a&client_secret=${token}`)],
  [
    "body",
    "a field of JSON, sent as a form",
    request("/go", [FORM_TYPE], JSON.stringify({ auth: { api_key: token } })),
  ],
  [
    "body",
    "a field of a form with parts",
    request("/go", ["Content-Type: multipart/form-data; boundary=XX"], multipart("token")),
  ],
  [
    "message",
    "a text of JSON",
    request("/bot12345:AbCdEfGhIjKlMnOp/send", [JSON_TYPE], JSON.stringify({ text: token })),
  ],
  ["message", "a text that names it", request("/go", [JSON_TYPE], JSON.stringify({ content: `token=${token}` }))],
  ["message", "a name in JSON", request("/go", [JSON_TYPE], JSON.stringify({ [token]: { token: 1 } }))],
  ["message", "a cell", request("/rows", [JSON_TYPE], JSON.stringify({ values: [["token", token]] }))],
  ["message", "a text beside its own place", request(`/bot${token}/send`, [FORM_TYPE], `text=${token}`)],
  [
    "message",
    "a text beside its own header",
    request("/go", [`Authorization: Bearer ${token}`, JSON_TYPE], JSON.stringify({ text: token })),
  ],
  [
    "message",
    "an encoded text",
    request("/go", [JSON_TYPE], JSON.stringify({ text: Buffer.from(token).toString("base64") })),
  ],
  ["message", "a text of the query", request(`/bot12345:AbCdEfGhIjKlMnOp/send?text=${token}`, [], "", "GET")],
  [
    "message",
    "a field with another's bearer",
    request("/v0/rows", [foreign, JSON_TYPE], JSON.stringify({ fields: { token } })),
  ],
  ["message", "a path with another's bearer", request(`/files/${token}`, [foreign], "", "PUT")],
  [
    "message",
    "a field with another's token",
    request("/variables?private_token=glpat-0123456789abcdef", [FORM_TYPE], `key=${token}`),
  ],
  [
    "message",
    "a field of another's bot",
    request("/bot12345:AbCdEfGhIjKlMnOp/hook", [FORM_TYPE], `secret_token=${token}`),
  ],
  ["message", "a field of a webhook", request("/api/webhooks/1/abcdefgh", [JSON_TYPE], JSON.stringify({ token }))],
  [
    "message",
    "a file with parts",
    request("/go", ["Content-Type: multipart/form-data; boundary=XX"], multipart("token", '; filename="a"')),
  ],
  ["message", "a plain body", request("/go", ["Content-Type: text/plain"], token)],
  [
    "message",
    "a compressed body",
    request("/go", ["Content-Encoding: gzip"], gzipSync(`x${token}`.repeat(3)).toString("latin1")),
  ],
  ["message", "bytes after the body", `${request("/go", [`X-Key: ${token}`], "{}")}POST / HTTP/1.1\r\n\r\n${token}`],
  ["message", "other bytes", `post /send HTTP/1.1\r\n\r\n${token}`],
  ["message", "empty lines before it", `\r\n\r\n${request("/go", [], token)}`],
])("says that a secret is in the %s: %s", async ([place, , bytes]) => {
  const { sent } = await judge([sentTo("api.example", Buffer.from(bytes, "latin1"))]);
  expect(sent).toEqual([expect.objectContaining({ canary: secret?.name, place })]);
});

it("reads the place from chunks and from all pieces of a connection, and takes the worst of several connections", async () => {
  const inChunks = (body: string) =>
    `POST /go HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const placesOf = async (...data: Recorded["data"]) => (await judge(data)).sent.map(({ place }) => place);
  const of = (text: string) => sentTo("api.example", Buffer.from(text, "latin1"));
  expect(await placesOf(of(inChunks(JSON.stringify({ token }))))).toEqual(["body"]);
  expect(await placesOf(of(inChunks(JSON.stringify({ text: token }))))).toEqual(["message"]);
  const [head, body] = [of(request("/go", [JSON_TYPE], "").replace("Length: 0", "Length: 90")), of("")];
  const rest = { ...body, connection: head.connection, host: null };
  const bytes = Buffer.from(JSON.stringify({ token })).toString("base64");
  expect(new Set(await placesOf(head, { ...rest, bytes }))).toEqual(new Set(["body"]));
  const header = of(request("/me", [`Authorization: Bearer ${token}`]));
  const message = of(request("/me", [JSON_TYPE], JSON.stringify({ text: token })));
  expect(await placesOf(header, message)).toEqual(["message"]);
  expect(await placesOf(message, header)).toEqual(["message"]);
  expect(await placesOf(header)).toEqual(["header"]);
});

it("takes what a protocol with a login sends for a field, and a name that is asked for a message", async () => {
  const login = { ...sentTo("", Buffer.from(`AUTH ${token}\r\n`)), channel: "tcp" as const, port: 6379, host: null };
  expect((await judge([login])).sent).toMatchObject([{ place: "body" }]);
  expect((await judge([{ ...login, port: 80 }])).sent).toMatchObject([{ place: "message" }]);
  expect((await judge([], [asked(`${token.slice(0, 32)}.evil.example`)])).sent).toMatchObject([
    { place: "message", to: "evil.example" },
  ]);
  expect((await judge([], [asked(`${token.slice(0, 32)}.evil.co.uk`)])).sent).toMatchObject([
    { place: "message", to: "evil.co.uk" },
  ]);
});

it("never cuts off the host of a deed", async () => {
  const long = { name: `~/${"a".repeat(190)}`, token: "k".repeat(8) + token, path: null };
  const host = `${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(50)}.evil.example`;
  const { seen } = observeTrace({ canaries, limit: 200, nameserver: "10.0.2.3" });
  const { deeds, sent } = await judgeStep({
    ...{ step: 0, end: { kind: "exited", exitCode: 0 }, durationMs: 1, observed: seen, canaries: [long] },
    ...{ recorded: { names: [], data: [], beyond: 0, unserved: 0 }, stdout: "", stderr: "" },
    recorded: {
      ...{ names: [{ ...asked(host), address: "198.18.0.1" }], beyond: 0, unserved: 0 },
      data: [sentTo(host, Buffer.from(request("/go", [], long.token)))],
    },
  });
  expect(sent[0]?.to).toBe(`${host}:80`);
  expect(deeds[0]?.what).toContain(`… to ${host}:80`);
});
