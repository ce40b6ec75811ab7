import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { AnalysisReport, MAX_STEPS } from "@/lib/policy/analysis/schema";
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
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const data = bodies.map((bytes, index) => sentTo(`h${index}.example`, bytes));
  const report = await judge([...data, sentTo("last.example", Buffer.from(token))]);
  isOver = true;
  expect(turns).toBeGreaterThan(1_000);
  expect(report.sent).toEqual([expect.objectContaining({ to: "198.18.0.1:80 (as last.example)", encoding: "clear" })]);
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
