import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { Lease, LeaseSecret } from "@/lib/worker/protocol";
import type { Isolation } from "@/lib/worker/sandbox/isolation";
import { probeIsolation, probeSeparateUser, probeUnshare } from "@/lib/worker/sandbox/probe-isolation";
import { executeLease } from "@/lib/worker/testing/execute-lease";
import { type LeaseKit, makeLease } from "@/lib/worker/testing/make-lease";

const TOKEN = 'tok/Qx7+"W9 é-Kz';
const KEY = `-----BEGIN-----\n${"Vb3nM8".repeat(400)}\n-----END-----\n`;
const SECRETS: LeaseSecret[] = [
  { as: "env", name: "API_TOKEN", value: TOKEN, credential: "api-token" },
  { as: "file", name: "key.pem", value: KEY, credential: "deploy-key" },
];
const NONE: Isolation = { kind: "none", reason: "not asked for" };

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
afterAll(() => rmSync(filterDir, { recursive: true, force: true }));
const found = [await probeIsolation(filterDir), await probeUnshare(filterDir, ""), await probeSeparateUser(""), NONE];
/** The isolations that work on this machine. */
const kinds = new Map<string, Isolation>();
for (const isolation of found) if (typeof isolation !== "string") kinds.set(isolation.kind, isolation);

function leaseOf(script: string, changes: Partial<Lease> = {}): LeaseKit {
  const bytes = Buffer.from(script);
  const file = { path: "run", mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length };
  const { lease } = makeLease("echo.sh", {
    entry: "run",
    files: [file],
    versionDigest: digestFiles([file]),
    ...changes,
  });
  return {
    lease: { ...lease, secrets: changes.secrets ?? SECRETS },
    blobs: new Map([[file.sha256, bytes]]),
  };
}

describe.each([...kinds])("credentials with the isolation %s", (_kind, isolation) => {
  it("reach the run, as a variable and as a file that it cannot change", async () => {
    const script = `#!/usr/bin/env python3
import hashlib, json, os, stat
path = os.path.join(os.environ["HOME"], "secrets", "key.pem")
digest = lambda data: hashlib.sha256(data).hexdigest()
try:
    open(path, "ab").close()
    changed = os.geteuid() != 0
except OSError:
    changed = False
print(json.dumps({"env": digest(os.environ["API_TOKEN"].encode()), "file": digest(open(path, "rb").read()),
  "mode": oct(stat.S_IMODE(os.stat(path).st_mode)), "changed": changed, "there": os.path.exists("/run/secrets/key.pem"),
  "open": sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:-1], "names": sorted(os.environ)}))
`;
    const { outcome } = await executeLease(leaseOf(script), { isolation });
    const { error, result } = await outcome;
    expect(error).toBeNull();
    expect(result).toMatchObject({
      env: sha256Hex(TOKEN),
      file: sha256Hex(KEY),
      mode: isolation.kind === "unshare" ? "0o644" : "0o400",
      changed: false,
      there: isolation.kind === "bubblewrap" || isolation.kind === "unshare",
    });
    expect((result as { open: number[] }).open.filter((fd) => fd > 5)).toEqual([]);
    expect(JSON.stringify(result)).not.toContain("deploy-key");
  });

  it("are not in the output of the run, neither encoded nor in small chunks", async () => {
    const script = `#!/usr/bin/env python3
import base64, json, os, sys, time, urllib.parse
token = os.environ["API_TOKEN"]
key = open(os.path.join(os.environ["HOME"], "secrets", "key.pem")).read()
forms = []
for value in (token, key):
    data = value.encode()
    forms += [value, base64.b64encode(data).decode(), base64.urlsafe_b64encode(b"x" + data).decode(), data.hex(),
              urllib.parse.quote(value), urllib.parse.quote_plus(value), json.dumps(value), json.dumps(value, ensure_ascii=False),
              base64.encodebytes(data).decode()]
for form in forms:
    for at in range(0, len(form), 7):
        sys.stderr.write(form[at:at + 7]); sys.stderr.flush()
    sys.stderr.write("\\n")
print(json.dumps({"all": forms, token: 1}))
`;
    const { outcome, texts } = await executeLease(leaseOf(script), { isolation });
    const { error, result } = await outcome;
    expect(error).toBeNull();
    expectClean(JSON.stringify(result));
    expectClean(texts("stderr").join("\n"));
    expect(texts("stderr").filter((line) => line.includes("•••• (credential api-token)")).length).toBeGreaterThan(6);
    expect(Object.keys(result as object)).toContain("•••• (credential api-token)");
  });

  it("are not in messages, raw output or where one of them is cut", async () => {
    const failing = `#!/bin/sh\necho "bad token $API_TOKEN" >&2\necho "$API_TOKEN"\nexit 3\n`;
    const failed = await (await executeLease(leaseOf(failing), { isolation })).outcome;
    expect(failed).toMatchObject({ error: { code: "exit_nonzero" }, rawOutput: "•••• (credential api-token)\n" });
    expect(failed.error?.message).toContain("bad token •••• (credential api-token)");
    const invalid = await (await executeLease(leaseOf(`#!/bin/sh\nprintf 'x%s' "$API_TOKEN"\n`), { isolation }))
      .outcome;
    expect(invalid.error).toMatchObject({ code: "invalid_output", message: expect.stringContaining("(credential") });
    const limits = { ...leaseOf("").lease.limits, stdoutBytes: 40 };
    const endless = `#!/bin/sh\nwhile :; do cat "$HOME/secrets/key.pem"; done\n`;
    const cut = await (await executeLease(leaseOf(endless, { limits }), { isolation })).outcome;
    expect(cut.error?.code).toBe("output_limit");
    for (const outcome of [failed, invalid, cut]) expectClean(JSON.stringify(outcome));
  });

  it("stand in no command line and in no file of the worker while it runs", async () => {
    const { outcome, workDir, stop, texts } = await executeLease(
      leaseOf(`#!/bin/sh\necho ready >&2\nread -r line\nsleep 30\n`),
      {
        isolation,
      },
    );
    await expect.poll(() => texts("stderr")).toContain("ready");
    const listCommands = () =>
      readdirSync("/proc")
        .filter(Number)
        .map((pid) => readProc(`/proc/${pid}/cmdline`));
    await expect.poll(() => listCommands().some((line) => line.includes("sleep"))).toBe(true);
    for (const line of listCommands()) expectClean(line);
    if (["bubblewrap", "unshare"].includes(isolation.kind))
      for (const text of filesBelow(workDir.path)) expectClean(text);
    stop.abort({ code: "cancelled", message: "enough", graceMs: 0 });
    await outcome;
    await expect.poll(() => filesBelow(workDir.path).some((text) => text.includes("Vb3nM8"))).toBe(false);
  });
});

it("a name that no decision could give ends the run before it starts", async () => {
  for (const secret of [
    { as: "env" as const, name: "LD_PRELOAD", value: TOKEN, credential: "x" },
    { as: "file" as const, name: "../x", value: TOKEN, credential: "x" },
  ]) {
    const { outcome } = await executeLease(leaseOf("#!/bin/sh\necho 1\n", { secrets: [secret] }));
    expect((await outcome).error?.code).toBe("spawn_failed");
  }
});

function expectClean(text: string): void {
  for (const value of [TOKEN, "Qx7+", "Vb3nM8Vb3nM8", KEY]) {
    const bytes = Buffer.from(value);
    for (const form of [
      value,
      bytes.toString("base64").slice(0, -3),
      bytes.toString("hex"),
      encodeURIComponent(value),
    ]) {
      expect(text).not.toContain(form);
    }
  }
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readProc(`${entry.parentPath}/${entry.name}`));
}

function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The file was removed meanwhile.
  }
}
