import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { EntryProcess } from "../launch/launcher";
import { listChildren, signal } from "../processes/process-tree";
import { RunFailure } from "../run/run-failure";

/** Descriptors on which a sandbox reports the id of its first process, and waits for a byte before it starts the entry. */
export const BLOCK_DESCRIPTORS = { info: 4, block: 5 };

const MAX_REASON = 300;
const END_MS = 1_000;

/**
 * Lets a blocked sandbox start its entry when `prepare` is done, which gets the id of its first process. When that fails, all of
 * the sandbox is ended before, so the entry never starts. Throws RunFailure `spawn_failed`, whose message begins with `failed`.
 */
export async function startBlocked<T>(
  child: EntryProcess,
  failed: string,
  prepare: (inside: number) => Promise<T>,
): Promise<T> {
  let said = "";
  const listen = () => {
    said += child.stderr.read() ?? "";
  };
  child.stderr.on("readable", listen);
  try {
    const prepared = await prepare(await readInsidePid(child.stdio[BLOCK_DESCRIPTORS.info] as Readable));
    (child.stdio[BLOCK_DESCRIPTORS.block] as Writable).on("error", () => {}).end("1");
    return prepared;
  } catch (cause) {
    // The first process dies with its parent only once it has started the entry; an end of its input would start it.
    for (const pid of listChildren(child.pid)) signal(pid, "SIGKILL");
    child.kill("SIGKILL");
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (!child.stderr.readableEnded)
      await once(child.stderr, "end", { signal: AbortSignal.timeout(END_MS) }).catch(() => {});
    throw new RunFailure("spawn_failed", `${failed}: ${reason}. ${said.trim().slice(0, MAX_REASON)}`.trim(), { cause });
  } finally {
    child.stderr.off("readable", listen);
  }
}

async function readInsidePid(info: Readable): Promise<number> {
  let text = "";
  for await (const chunk of info) {
    text += String(chunk);
    const pid = Number(/"child-pid":\s*(\d+)/.exec(text)?.[1]);
    if (pid > 0 && text.includes("}")) return pid;
  }
  throw new Error("the sandbox ended early");
}
