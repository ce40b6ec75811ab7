import type { Isolation } from "./isolation";
import { probeBubblewrap } from "./probe-bubblewrap";
import { probeSeparateUser } from "./probe-separate-user";
import { probeUnshare } from "./probe-unshare";

/** What an operator may hold a worker to: the strongest there is, or at most one of the weaker ones. */
export type Strongest = "auto" | "unshare" | "user";

/**
 * Finds the strongest isolation this host allows by running a program in it: bubblewrap, for root also namespaces made
 * with util-linux, for root in the end a user id for each run. `dir` receives filters and a mount point. Never throws: why
 * it is nothing stronger is part of the answer.
 */
export async function probeIsolation(dir: string, strongest: Strongest = "auto"): Promise<Isolation> {
  if (process.platform !== "linux")
    return { kind: "none", reason: `There is no sandbox for ${process.platform} here; bubblewrap is for Linux.` };
  let whyNotMore = "The operator asked for less than bubblewrap (SKILLGATE_WORKER_SANDBOX).";
  if (strongest === "auto") {
    const found = await probeBubblewrap(dir);
    if (typeof found !== "string") return found;
    whyNotMore = found;
  }
  if (process.getuid?.() !== 0) return { kind: "none", reason: whyNotMore };
  if (strongest !== "user") {
    const found = await probeUnshare(dir, whyNotMore);
    if (typeof found !== "string") return found;
    whyNotMore = `${whyNotMore} ${found}`;
  }
  const found = await probeSeparateUser(whyNotMore);
  return typeof found === "string" ? { kind: "none", reason: `${whyNotMore} ${found}` } : found;
}
