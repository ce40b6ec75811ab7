import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { bubblewrapLaunch, startDirectly } from "../launch/direct-launcher";
import { listChildren } from "../processes/process-tree";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { startBlocked } from "./blocked-sandbox";
import { probeIsolation } from "./probe-isolation";
import { trialCommand } from "./trial-runs";

async function startTrial(skip: (reason: string) => never, change = (words: string[]) => words) {
  const isolation = await probeIsolation(makeWorkDir());
  if (isolation.kind !== "bubblewrap") return skip("There is no bubblewrap here.");
  const uid = isolation.uids?.first ?? null;
  const words = change(trialCommand(isolation, uid, { isBlocked: true }));
  return startDirectly(bubblewrapLaunch(isolation, words, { env: {}, uid, pipes: 2 }));
}

it("leaves no process of a sandbox that could not be prepared, which would start when its input ends", async ({
  skip,
}) => {
  const child = await startTrial(skip);
  let inside: number[] = [];
  const failing = startBlocked(child, "It was not prepared", async () => {
    inside = listChildren(child.pid);
    throw new Error("a reason");
  });
  await expect(failing).rejects.toMatchObject({ code: "spawn_failed", message: "It was not prepared: a reason." });
  expect(inside).toHaveLength(1);
  await waitUntil("their end", () => inside.every((pid) => !existsSync(`/proc/${pid}`)));
});

it("reports what the sandbox said when it ended early", async ({ skip }) => {
  const child = await startTrial(skip, (words) => ["--ro-bind", "/nowhere", "/nowhere", ...words]);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const starting = startBlocked(child, "It was not prepared", async () => {
    await ended;
    throw new Error("it is gone");
  });
  await expect(starting).rejects.toThrow(/^It was not prepared: .*bwrap: .*\/nowhere/);
});
