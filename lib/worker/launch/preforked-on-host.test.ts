import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { findProgram } from "@/lib/core/find-program";
import { listChildren } from "../processes/process-tree";
import { createUidPool } from "../processes/user-ids";
import { RunLimits } from "../protocol";
import type { Isolation } from "../sandbox/isolation";
import { executeLease } from "../testing/execute-lease";
import { isAlive } from "../testing/is-alive";
import { isPreforked } from "../testing/is-preforked";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { createPreforkedPool, type PreforkedPool } from "./preforked-pool";

const isolation: Isolation = { kind: "none", reason: "not asked for" };
const uids = createUidPool(null);
const LIMITS = { timeoutMs: 20_000, stdoutBytes: 64 * 1024, stderrBytes: 64 * 1024 };
const canStart = process.platform === "linux" && findProgram("setpriv") !== null;

const shells = () => listChildren(process.pid).filter((pid) => isPreforked(pid, process.pid));

async function openPool(slotCount = 1): Promise<PreforkedPool> {
  const tell = (why: string) => {
    throw new Error(why);
  };
  const preforked = createPreforkedPool({ isolation, uids, slotCount, parent: makeWorkDir(), tell });
  if (preforked === null) throw new Error("there are no launchers");
  onTestFinished(() => preforked.close());
  await waitUntil("idle preforked", () => preforked.idle() === slotCount);
  return preforked;
}

function run(preforked: PreforkedPool, script: string, limits: Partial<typeof LIMITS> = {}) {
  const kit = makeLease("echo.sh", { limits: RunLimits.parse({ ...LIMITS, ...limits }) }, () => script);
  return executeLease(kit, { isolation, preforked, uids });
}

async function resultOf(preforked: PreforkedPool, script: string): Promise<unknown> {
  const { error, result } = await (await run(preforked, script)).outcome;
  expect(error).toBeNull();
  await waitUntil("an idle launcher", () => preforked.idle() > 0);
  return result;
}

const TELL_PARENT = "#!/bin/sh\necho $PPID\n";

describe("a run that a shell starts without isolation", () => {
  beforeEach(async ({ skip }) => {
    if (!canStart) skip("preforked launchers take Linux and setpriv");
    await waitUntil("the end of all others", () => shells().length === 0);
  });

  it("is in the session of that shell, which starts the next one", async () => {
    const preforked = await openPool();
    const [shell] = shells();
    const tell = `#!/bin/sh\nread -r _ _ _ parent group session _ </proc/self/stat\necho "[$parent, $group, $session]"\n`;
    for (const _turn of ["first", "second"])
      expect(await resultOf(preforked, tell)).toEqual([expect.any(Number), shell, shell]);
    expect(shells()).toEqual([shell]);
  });

  it.each(["HUP", "INT", "QUIT", "ALRM", "TERM", "USR1", "USR2"])(
    "may send SIG%s to its whole group, and has its own way with it",
    async (name) => {
      const preforked = await openPool();
      const [shell] = shells();
      expect(await resultOf(preforked, `#!/bin/sh\ntrap 'echo 7; exit 0' ${name}\nkill -${name} 0\nexit 1\n`)).toBe(7);
      const execution = await run(preforked, `#!/bin/sh\nkill -${name} 0\nexit 1\n`);
      expect((await execution.outcome).error).toMatchObject({ code: "signalled" });
      expect(await resultOf(preforked, TELL_PARENT)).toBe(shell);
    },
  );

  it("that kills its whole group ends as killed, and another shell starts the next", async () => {
    const preforked = await openPool();
    const [shell] = shells();
    const execution = await run(preforked, "#!/bin/sh\necho 'the last words' >&2\nkill -KILL 0\n");
    expect(await execution.outcome).toMatchObject({ error: { code: "signalled" }, signal: "SIGKILL" });
    expect(execution.texts("stderr")).toEqual(["the last words"]);
    expect(await resultOf(preforked, TELL_PARENT)).not.toBe(shell);
  });

  it("leaves nothing running, though its shell goes with it", async () => {
    const preforked = await openPool();
    const [shell] = shells();
    const execution = await run(preforked, "#!/bin/sh\nsleep 60 >/dev/null 2>&1 &\necho $!\n");
    const { error, result } = await execution.outcome;
    expect([error, isAlive(result as number)]).toEqual([null, false]);
    expect(execution.texts("system")).toContain("Ended 1 processes that the skill had left running.");
    expect(await resultOf(preforked, TELL_PARENT)).not.toBe(shell);
  });

  it("is asked to end first, which its shell outlives", async () => {
    const preforked = await openPool();
    const [shell] = shells();
    const gentle = "#!/bin/sh\ntrap 'echo bye >&2; exit 0' TERM\nwhile :; do sleep 0.02; done\n";
    const execution = await run(preforked, gentle, { timeoutMs: 300 });
    expect((await execution.outcome).error).toMatchObject({ code: "timed_out" });
    expect(execution.texts("stderr")).toContain("bye");
    expect(await resultOf(preforked, TELL_PARENT)).toBe(shell);
  });

  it("ends by force when it ignores SIGTERM, also in a session of its own", async () => {
    const preforked = await openPool();
    const deaf = "trap '' TERM; echo $$ >&2; sleep 60 & wait; wait; sleep 60";
    for (const script of [deaf, `exec setsid -w /bin/sh -c ${JSON.stringify(deaf.replaceAll("$", "\\$"))}`]) {
      const execution = await run(preforked, `#!/bin/sh\n${script}\n`, { timeoutMs: 300 });
      expect((await execution.outcome).error).toMatchObject({ code: "timed_out" });
      const [pid] = execution.texts("stderr").map(Number) as [number];
      expect(isAlive(pid)).toBe(false);
      await waitUntil("an idle launcher", () => preforked.idle() > 0);
    }
    expect(await resultOf(preforked, "#!/bin/sh\necho 1\n")).toBe(1);
  });

  it("is not touched by the end of another", async () => {
    const preforked = await openPool(2);
    const long = await run(preforked, "#!/bin/sh\necho started >&2\nread -r line\nsleep 0.5\necho 5\n");
    await waitUntil("the start", () => long.texts("stderr").length > 0);
    const execution = await run(preforked, "#!/bin/sh\ntrap '' TERM\nsleep 60 &\nwait\n", { timeoutMs: 100 });
    expect((await execution.outcome).error).toMatchObject({ code: "timed_out" });
    expect(await long.outcome).toMatchObject({ error: null, result: 5 });
  });
});
