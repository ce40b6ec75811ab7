const isThread = (args: string) => args.includes("CLONE_THREAD");

/** The calls that make threads and child processes; both have process ids of their own in a trace. */
export const FORKS = new Set(["clone", "fork", "vfork"]);

/**
 * Tells threads from children that started no program. A trace does not say which thread belongs to which program; but while every
 * child that was made has started one, a process that started none is a thread, of a program that made threads.
 */
export function followThreads() {
  const begun = new Set<number>();
  const started = new Set<number>();
  const makers = new Set<number>();
  let children = 0;
  let areKnown = true;

  function count(pid: number, args: string, isProgram: boolean): void {
    if (!isThread(args)) children += 1;
    else if (isProgram) makers.add(pid);
    else areKnown = false;
  }

  return {
    /** A call that is not finished: its child may act before it is. `isProgram`: the caller is the first thread of a program. */
    onBegun(pid: number, args: string, isProgram: boolean): void {
      begun.add(pid);
      count(pid, args, isProgram);
    },
    onFork(pid: number, args: string, result: { isDone: boolean; isProgram: boolean }): void {
      const wasCounted = begun.delete(pid);
      if (result.isDone && !wasCounted) count(pid, args, result.isProgram);
      if (!result.isDone && wasCounted && !isThread(args)) children -= 1;
    },
    /** A child started its program. */
    onProgram(pid: number): void {
      started.add(pid);
    },
    /** The programs that a process may be a thread of; null where it may be a child. */
    owners: (): ReadonlySet<number> | null => (areKnown && started.size === children ? makers : null),
  };
}
