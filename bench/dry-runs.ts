import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { HARMLESS } from "@/lib/worker/analysis/testing/harmless-programs";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { median, round } from "./harness/measure";
import { requireBuild } from "./harness/product-processes";
import { importPack, must } from "./harness/publish-skill";
import { startProduct } from "./harness/start-product";

const AIM = 3;
const POLL_MS = 20;
const GROUP = 5;

/** Ordinary work of a small skill: starts programs, reads files, counts and prints an object. */
const PROGRAMS: Record<string, string> = {
  sh: `#!/bin/sh
for file in /usr/bin/[a-h]*; do [ -r "$file" ] && set -- "$@" "$file"; done
for round in 1 2 3 4 5; do wc -c "$@" | tail -1 | cut -d' ' -f1 > "$TMPDIR/count"; done
printf '{"bytes": %s}' "$(tail -1 "$TMPDIR/count" | tr -dc 0-9)"
`,
  python: `#!/usr/bin/env python3
import csv, hashlib, json, os, subprocess
total = hashlib.sha256()
for folder, _, names in os.walk("/usr/lib/python3"):
    for name in names[:20]:
        try:
            total.update(open(os.path.join(folder, name), "rb").read(4096))
        except OSError:
            pass
for _ in range(5):
    subprocess.run(["true"], check=True)
print(json.dumps({"digest": total.hexdigest()}))
`,
  node: `#!/usr/bin/env node
const fs = require("fs");
const { execFileSync } = require("child_process");
let bytes = 0;
for (const name of fs.readdirSync("/usr/bin").slice(0, 300)) {
  try { bytes += fs.statSync("/usr/bin/" + name).size; } catch {}
}
for (let round = 0; round < 5; round += 1) execFileSync("true");
console.log(JSON.stringify({ bytes }));
`,
};

const SHEBANGS = { sh: "", py: "#!/usr/bin/env python3\n", cjs: "#!/usr/bin/env node\n" };
const NETWORK = /example|203\.0\.113/;

/** The harmless programs of the tests that need no network: without one they end earlier in an ordinary run. */
function harmlessPrograms(): Record<string, string> {
  const rows = (["sh", "py", "cjs"] as const).flatMap((language) =>
    HARMLESS[language]
      .filter(({ text }) => !NETWORK.test(text))
      .map(({ name, text }) => [`${language}: ${name}`, SHEBANGS[language] + text]),
  );
  return Object.fromEntries(rows) as Record<string, string>;
}

type Row = { program: string; run: number; again: number; dry: number };

/**
 * The time of a program in a dry run, as a multiple of the same program in an ordinary run of the same version, in groups of five by
 * turns: as the worker measures it, with the sandbox, without waiting for a place. The control is the ordinary run once more.
 * Of the harmless programs there is one group each.
 */
export async function benchDryRuns({ quick, json, rounds, only }: BenchOptions): Promise<void> {
  requireBuild();
  const groups = rounds ?? (quick ? 1 : 3);
  const product = await startProduct({ sandbox: "auto" });
  const caller = openCaller(product.url, product.token);
  const busy: Row[] = [];
  const harmless: Row[] = [];
  try {
    for (const [program, script] of Object.entries(PROGRAMS))
      if (only?.includes(program) ?? true) busy.push(await measure(caller, program, script, groups));
    if (only?.includes("harmless") ?? true)
      for (const [program, script] of Object.entries(harmlessPrograms()))
        harmless.push(await measure(caller, program, script, 1));
  } finally {
    caller.close();
    await product.stop();
  }
  for (const row of busy) console.log(`dry-runs: ${describe(row.program, row)}`);
  if (harmless.length > 0) {
    const above = harmless.filter(({ run, dry }) => dry / run > AIM).map(({ program }) => program);
    console.log(`dry-runs: ${describe(`${harmless.length} harmless programs, median`, middle(harmless))}`);
    console.log(`dry-runs: above the aim: ${above.length}${above.length > 0 ? ` (${above.join("; ")})` : ""}`);
  }
  if (json) console.log(JSON.stringify({ bench: "dry-runs", rows: [...busy, ...harmless] }));
  if ([...busy, ...harmless].some(({ run, dry }) => dry / run > AIM)) process.exitCode = 1;
}

async function measure(caller: Caller, program: string, script: string, groups: number): Promise<Row> {
  const { id, digest } = await importPack(caller, `dry_${randomBytes(4).toString("hex")}`, program, script);
  const version = `/api/skills/${id}/versions/${digest}`;
  await must(caller, "POST", `${version}/decisions`, { decision: "approve" });
  await must(caller, "PATCH", `/api/skills/${id}`, { enabled: true });
  const [run, again, dry]: [number[], number[], number[]] = [[], [], []];
  for (let group = 0; group < groups; group += 1) {
    run.push(...(await runGroup(caller, id)));
    dry.push(...(await dryRunGroup(caller, version)));
    again.push(...(await runGroup(caller, id)));
  }
  return { program, run: median(run), again: median(again), dry: median(dry) };
}

function middle(rows: Row[]): Row {
  const run = median(rows.map((row) => row.run));
  const times = median(rows.map((row) => row.dry / row.run));
  return { program: "", run, dry: run * times, again: run * median(rows.map((row) => row.again / row.run)) };
}

function describe(name: string, { run, again, dry }: Row): string {
  const verdict = dry / run <= AIM ? "met" : "not met";
  return `${name}: ${round(dry)} ms, an ordinary run ${round(run)} ms: ${round(dry / run)} times (aim: at most ${AIM}, ${verdict}); control: the ordinary run once more is ${round(again / run)} times`;
}

type Run = { state: string; durationMs: number | null; sandboxMs: number | null; error: unknown };

/** The first of a group warms the caches of files. */
async function runGroup(caller: Caller, skill: string): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at <= GROUP; at += 1) {
    const run = await must<Run>(caller, "POST", `/api/skills/${skill}/runs`, { args: {}, wait: 60 });
    // Some harmless programs end with an error, which is an end too.
    if (!["succeeded", "failed"].includes(run.state) || run.durationMs === null)
      throw new Error(`a run ended as ${run.state}: ${JSON.stringify(run.error)}`);
    times.push(run.durationMs + (run.sandboxMs ?? 0));
  }
  return times.slice(1);
}

type Step = { end: { kind: string }; durationMs: number };
type Dry = { state: { kind: string; reason?: string; report?: { steps: Step[] } } };

/** The steps of one dry run: a person can start 60 of them in an hour. */
async function dryRunGroup(caller: Caller, version: string): Promise<number[]> {
  const steps = Array.from({ length: GROUP + 1 }, () => ({ kind: "entry", path: "run", args: {} }));
  const { id } = await must<{ id: string }>(caller, "POST", `${version}/analyses`, { steps, stepSeconds: 30 });
  for (;;) {
    const { state } = await must<Dry>(caller, "GET", `${version}/analyses/${id}`);
    const bad = state.report?.steps.find(({ end }) => end.kind !== "exited");
    if (bad || state.kind === "failed") throw new Error(`a dry run failed: ${JSON.stringify(bad?.end ?? state)}`);
    if (state.report) return state.report.steps.slice(1).map(({ durationMs }) => durationMs);
    await delay(POLL_MS);
  }
}
