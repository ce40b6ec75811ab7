import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";

import { removeCgroups } from "../processes/control-groups";
import { listProcessesOf } from "../processes/user-ids";
import { RunTerms } from "../protocol";
import { executeLease } from "../testing/execute-lease";
import { makeLease } from "../testing/make-lease";
import { waitUntil } from "../testing/wait-until";
import { describeIsolation, type Isolation, isolationLevel } from "./isolation";
import { probeIsolation } from "./probe-isolation";

/** Used by this file only, so that nothing else runs under them. */
const UIDS = { first: 60_600, count: 2 };
const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
let isolation: Isolation;

beforeAll(async () => {
  const found = await probeIsolation(filterDir, "user");
  isolation = found.kind === "user" ? { ...found, uids: UIDS } : found;
});
afterAll(() => {
  rmSync(filterDir, { recursive: true, force: true });
  if (isolation.kind !== "none" && isolation.cgroups) removeCgroups(isolation.cgroups);
});
beforeEach(({ skip }) => {
  if (isolation.kind !== "user") skip("only root can");
});

async function run(script: string, terms: Partial<RunTerms> = {}) {
  const bytes = Buffer.from(script);
  const file = { path: "run", mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length };
  const { lease } = makeLease("echo.sh", {
    files: [file],
    entry: "run",
    versionDigest: digestFiles([file]),
    terms: RunTerms.parse(terms),
  });
  const execution = await executeLease({ lease, blobs: new Map([[file.sha256, bytes]]) }, { isolation });
  return { ...execution, outcome: await execution.outcome };
}

test("a run has an id of its own, no privileges to gain, its files to read and a home to write to", async () => {
  const { outcome, texts } = await run(
    `#!/bin/sh
echo x > "$HOME/own" && a=home
echo x > ./run 2>/dev/null && b=skill
printf '"%s"' "$(id -u) $(id -g) $(grep NoNewPrivs /proc/self/status | cut -f2) $a$b $PWD"
`,
  );
  expect(outcome.result).toMatch(/^60600 60600 1 home \//);
  expect(texts("system").join()).toContain("no sandbox");
});

test("all that a run left is removed: processes, its home, and files in world-writable directories", async () => {
  const left = join("/tmp", `left-${process.pid}`);
  const { outcome, workDir } = await run(
    `#!/bin/sh
mkdir ${left} && echo x > ${left}/file
setsid env -i sleep 600 >/dev/null 2>&1 &
cd / && echo '{}'
`,
  );
  expect(outcome.error).toBeNull();
  expect(listProcessesOf(UIDS)).toEqual([]);
  expect(existsSync(left)).toBe(false);
  await waitUntil(
    "the end of its home",
    () => !readdirSync(workDir.skillsDir).some((name) => name.startsWith("home-")),
  );
});

test("what only root may read stays unread", async () => {
  const secret = join(filterDir, "secret");
  writeFileSync(secret, "canary", { mode: 0o600 });
  const { outcome } = await run(`#!/bin/sh\nif cat ${secret} >&2; then echo 1; else echo 2; fi\n`);
  expect(outcome.result).toBe(2);
});

test.each([
  ["hosts", { hosts: ["example.org"] }],
  ["paths", { paths: [{ path: "/srv", mode: "rw" as const }] }],
  ["the network", { network: true }],
  ["namespaces", { namespaces: ["pid"] }],
  ["capabilities", { capabilities: ["CAP_NET_RAW"] }],
])("a run that was granted %s is refused", async (_what, terms) => {
  const { outcome } = await run("#!/bin/sh\necho 1\n", terms);
  expect(outcome.error).toMatchObject({
    code: "worker_does_not_allow",
    message: expect.stringContaining("cannot hide any part of it"),
  });
});

test("it says plainly what it is and what is missing", () => {
  expect(isolationLevel(isolation)).toBe("process");
  const facts = describeIsolation(isolation).join(" ");
  expect(facts).toMatch(/No namespaces: a run has the whole network/);
  expect(facts).toContain("SKILLGATE_WORKER_SANDBOX");
});
