import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { prepareWorkDir } from "../files/work-dir";

import { createUidPool } from "../processes/user-ids";
import { RunLimits, RunTerms } from "../protocol";
import { executeLease } from "../testing/execute-lease";
import type { LeaseKit } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { shareMountView } from "../testing/share-mount-view";
import { sharePreforked } from "../testing/share-preforked";
import { shareStore } from "../testing/share-store";
import { waitUntil } from "../testing/wait-until";
import type { Isolation } from "./isolation";
import { probeIsolation } from "./probe-isolation";

const RUNS = 40;
const GOOD = "#!/bin/sh\nprintf '\"good\"'\n";

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
afterAll(() => rmSync(filterDir, { recursive: true, force: true }));

function makeKit(run: number): LeaseKit {
  const bytes = Buffer.from(GOOD);
  const file = { path: "raced", mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length };
  return {
    blobs: new Map([[file.sha256, bytes]]),
    lease: {
      ...{ runId: `raced-${run}`, fence: 1, skillName: "raced", versionDigest: digestFiles([file]), files: [file] },
      ...{ entry: "raced", schema: null, args: {}, env: [], secrets: [], terms: RunTerms.parse({}) },
      limits: RunLimits.parse({ timeoutMs: 20_000, stdoutBytes: 1024, stderrBytes: 1024 }),
    },
  };
}

/** Changes every file of that name below a folder to other bytes and back, every 3 ms. */
const WRITER = `
import os, sys, time
good = ${JSON.stringify(GOOD)}
evil = good.replace("good", "evil")
print("ready", flush=True)
while True:
    for text in (evil, good):
        for folder, _, names in os.walk(sys.argv[1]):
            if "raced" in names:
                try:
                    with open(os.path.join(folder, "raced"), "r+") as file:
                        file.write(text)
                except OSError:
                    pass
        time.sleep(0.003)
`;

async function startWriter(folder: string): Promise<void> {
  const writer = spawn("python3", ["-c", WRITER, folder], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void writer.kill("SIGKILL"));
  let isReady = false;
  writer.stdout.once("data", () => {
    isReady = true;
  });
  await waitUntil("the writer", () => isReady);
}

/** Returns what the runs of a skill printed, or how they ended, while its folder was changed. */
async function race(isolation: Isolation): Promise<Set<unknown>> {
  const workDir = await prepareWorkDir(makeWorkDir());
  const uids = createUidPool(isolation.kind === "none" ? null : isolation.uids);
  const preforked = await sharePreforked(isolation, uids);
  await startWriter(workDir.path);
  const ends = new Set<unknown>();
  for (let run = 0; run < RUNS; run += 1) {
    const { outcome } = await executeLease(makeKit(run), { isolation, workDir, uids, preforked });
    const { result, error } = await outcome;
    ends.add(error?.code ?? result);
  }
  return ends;
}

describe.each([
  ["bubblewrap", "auto"],
  ["unshare", "unshare"],
] as const)("by %s", (kind, strongest) => {
  it("no run executes bytes that another process of the host put in the place of the approved ones", async ({
    skip,
  }) => {
    const found = await probeIsolation(filterDir, strongest);
    if (found.kind !== kind || process.getuid?.() !== 0) skip(`this host has ${found.kind}`);
    const isolation = await shareStore(found.kind === "bubblewrap" ? await shareMountView(found) : found);
    const ends = await race(isolation);
    expect([...ends].filter((end) => end !== "digest_mismatch")).toEqual(["good"]);
  });
});
