import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { prepareWorkDir, type WorkDir } from "./files/work-dir";

import { type Lease, RunLimits, RunTerms } from "./protocol";
import type { Isolation } from "./sandbox/isolation";
import { probeIsolation } from "./sandbox/probe-isolation";
import { executeLease } from "./testing/execute-lease";
import type { LeaseKit } from "./testing/make-lease";
import { makeWorkDir } from "./testing/make-work-dir";

let builtinsDir: string;

beforeAll(async () => {
  const { buildBuiltins } = (await import(join(process.cwd(), "bin", "build-builtins.mjs"))) as {
    buildBuiltins(): Promise<string>;
  };
  builtinsDir = await buildBuiltins();
});

let count = 0;

function leaseOf(name: string, args: Record<string, unknown>, changes: Partial<Lease> = {}): LeaseKit {
  const found = ["main.mjs", "skill.json"].map((path) => {
    const bytes = readFileSync(join(builtinsDir, name, path));
    const mode = statSync(join(builtinsDir, name, path)).mode & 0o111 ? ("755" as const) : ("644" as const);
    return { path, mode, sha256: sha256Hex(bytes), size: bytes.length, bytes };
  });
  const files = found.map(({ bytes: _bytes, ...file }) => file);
  count += 1;
  const lease: Lease = {
    ...{ runId: `builtin-${count}`, fence: 1, skillName: name, versionDigest: digestFiles(files), files },
    ...{ entry: "main.mjs", schema: null, args, env: [], secrets: [] },
    limits: RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 1024 * 1024, stderrBytes: 256 * 1024 }),
    terms: RunTerms.parse({}),
    ...changes,
  };
  return { lease, blobs: new Map(found.map(({ sha256, bytes }) => [sha256, bytes])) };
}

type Where = { isolation: Isolation; workDir: WorkDir };

async function run(where: Where, name: string, args: Record<string, unknown>, changes: Partial<Lease> = {}) {
  const execution = await executeLease(leaseOf(name, args, changes), where);
  const { result, error } = await execution.outcome;
  return { result: result as Record<string, unknown>, error, system: execution.texts("system") };
}

const NONE: Isolation = { kind: "none", reason: "not asked for" };

describe.each(["as this host isolates", "without a sandbox"])("%s", (kind) => {
  async function place(): Promise<Where> {
    const workDir = await prepareWorkDir(makeWorkDir());
    return { workDir, isolation: kind === "without a sandbox" ? NONE : await probeIsolation(workDir.path) };
  }

  it("starts a built-in with the worker's own Node and gives it what the server added", async () => {
    const where = await place();
    const context = { at: "", windowMinutes: 60, truncated: false, edges: [{ name: "berlin", online: true }] };
    expect(await run(where, "query_edges", { name: "BER" }, { context })).toMatchObject({
      error: null,
      result: { total: 1, edges: [{ name: "berlin" }] },
    });
    const failed = await run(where, "query_edges", {});
    expect(failed.error).toMatchObject({ code: "exit_nonzero" });
    expect(failed.error?.message).toContain("The server gave this run no list of edges.");
  });

  it("keeps a session's files for its next run, and from every other session", async () => {
    const where = await place();
    const [mine, theirs] = [{ workspace: "a1" }, { workspace: "b2" }];
    const wrote = await run(where, "write_file", { path: "notes/x.txt", content: "kept" }, mine);
    expect(wrote.error).toBeNull();
    expect(
      (await run(where, "run_command", { command: "cat notes/x.txt; echo more >> notes/x.txt" }, mine)).result,
    ).toMatchObject({
      exitCode: 0,
      stdout: "kept",
    });
    expect((await run(where, "read_file", { path: "notes/x.txt" }, mine)).result).toMatchObject({ text: "keptmore" });
    expect((await run(where, "list_dir", {}, theirs)).result).toMatchObject({ entries: [] });
    expect((await run(where, "read_file", { path: "notes/x.txt" }, theirs)).error?.message).toContain("does not exist");
    expect(readdirSync(where.workDir.workspacesDir).sort()).toEqual(["a1", "b2"]);
  });

  it("tells a run without a workspace that it has none", async () => {
    expect((await run(await place(), "list_dir", {})).error?.message).toContain("This run has no workspace.");
  });
});

it("lets a run in a full workspace remove files, and write none", async () => {
  const workDir = await prepareWorkDir(makeWorkDir());
  const where = { workDir, isolation: await probeIsolation(workDir.path) };
  const limits = {
    ...RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 10_000, stderrBytes: 10_000 }),
    diskBytes: 1024 ** 2,
  };
  const mine = { workspace: "full", limits };
  await run(where, "run_command", { command: "head -c 2000000 /dev/zero > big" }, mine);
  const full = await run(
    where,
    "run_command",
    { command: "head -c 9000 /dev/zero > more; wc -c < more; rm big more" },
    mine,
  );
  expect(full.system.join()).toContain("The workspace holds more than 1 MiB");
  expect(full.result.stdout).toMatch(/^\s*512\n$/);
  expect(
    (await run(where, "run_command", { command: "head -c 9000 /dev/zero | wc -c > ok; cat ok" }, mine)).result,
  ).toMatchObject({
    exitCode: 0,
    stdout: "9000\n",
  });
});

it("goes on without a granted path that this host does not have, and says so", async () => {
  const workDir = await prepareWorkDir(makeWorkDir());
  const terms = RunTerms.parse({ namespaces: ["net"], paths: [{ path: "/run/no-such-directory", mode: "ro" }] });
  const where = { workDir, isolation: await probeIsolation(workDir.path) };
  const { error, system } = await run(where, "host_netns_inspect", {}, { terms });
  expect(error).toBeNull();
  expect(system.join()).toContain("There is no /run/no-such-directory on this worker");
});
