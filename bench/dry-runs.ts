import { setTimeout as delay } from "node:timers/promises";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { median, round } from "./harness/measure";
import { requireBuild } from "./harness/product-processes";
import { importPack, must } from "./harness/publish-skill";
import { startProduct } from "./harness/start-product";

const AIM = 3;
const POLL_MS = 20;

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

type Row = { program: string; run: number; again: number; dry: number };

/**
 * The time of a program in a dry run, as a multiple of the same program in an ordinary run of the same version, in turns:
 * as the worker measures it, with the sandbox, without waiting for a place. The control is the ordinary run once more.
 */
export async function benchDryRuns({ quick, json, rounds, only }: BenchOptions): Promise<void> {
  requireBuild();
  const product = await startProduct({ sandbox: "auto" });
  const caller = openCaller(product.url, product.token);
  const rows: Row[] = [];
  try {
    for (const [program, script] of Object.entries(PROGRAMS)) {
      if (only !== null && !only.includes(program)) continue;
      const { id, digest } = await importPack(caller, `dry_${program}`, program, script);
      const version = `/api/skills/${id}/versions/${digest}`;
      await must(caller, "POST", `${version}/decisions`, { decision: "approve" });
      await must(caller, "PATCH", `/api/skills/${id}`, { enabled: true });
      const [run, again, dry]: [number[], number[], number[]] = [[], [], []];
      for (let round = -1; round < (rounds ?? (quick ? 3 : 15)); round += 1) {
        const times = [
          await runOnce(caller, id),
          await dryRunOnce(caller, version),
          await runOnce(caller, id),
        ] as const;
        // The first of each warms the caches of files.
        if (round < 0) continue;
        run.push(times[0]);
        dry.push(times[1]);
        again.push(times[2]);
      }
      rows.push({ program, run: median(run), again: median(again), dry: median(dry) });
    }
  } finally {
    caller.close();
    await product.stop();
  }
  for (const { program, run, again, dry } of rows)
    console.log(
      `dry-runs: ${program}: ${round(dry)} ms, an ordinary run ${round(run)} ms: ${round(dry / run)} times (aim: at most ${AIM}, ${dry / run <= AIM ? "met" : "not met"}); control: the ordinary run once more is ${round(again / run)} times`,
    );
  if (json) console.log(JSON.stringify({ bench: "dry-runs", rows }));
  if (rows.some(({ run, dry }) => dry / run > AIM)) process.exitCode = 1;
}

type Run = { state: string; durationMs: number | null; sandboxMs: number | null; error: unknown };

async function runOnce(caller: Caller, skill: string): Promise<number> {
  const run = await must<Run>(caller, "POST", `/api/skills/${skill}/runs`, { args: {}, wait: 60 });
  if (run.state !== "succeeded" || run.durationMs === null)
    throw new Error(`a run ended as ${run.state}: ${JSON.stringify(run.error)}`);
  return run.durationMs + (run.sandboxMs ?? 0);
}

type Dry = {
  state: { kind: string; reason?: string; report?: { steps: { end: { kind: string }; durationMs: number }[] } };
};

async function dryRunOnce(caller: Caller, version: string): Promise<number> {
  const step = { kind: "entry", path: "run", args: {} };
  const { id } = await must<{ id: string }>(caller, "POST", `${version}/analyses`, { steps: [step], stepSeconds: 30 });
  for (;;) {
    const { state } = await must<Dry>(caller, "GET", `${version}/analyses/${id}`);
    const [report] = state.report?.steps ?? [];
    if (report?.end.kind === "exited") return report.durationMs;
    if (report || state.kind === "failed") throw new Error(`a dry run failed: ${JSON.stringify(report?.end ?? state)}`);
    await delay(POLL_MS);
  }
}
