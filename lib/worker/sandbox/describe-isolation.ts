import type { Isolation } from "./isolation";

/** What keeps runs apart on this worker, or why nothing does; short sentences for people. */
export function describeIsolation(isolation: Isolation): string[] {
  if (isolation.kind === "none") return [isolation.reason];
  const { version, seccomp, uids, setpriv, nsenter, cgroups } = isolation;
  return [
    `bubblewrap ${version}: namespaces of its own, no network, a read-only skill, a private file system.`,
    uids === null
      ? "Runs have the worker's own user id."
      : `Each run has a user id of its own (${uids.first} to ${uids.first + uids.count - 1}).`,
    seccomp === null ? `No system call filter for ${process.arch}.` : "A system call filter.",
    "Limits for memory, CPU time, files and disk, for each process, and for the number of processes.",
    cgroups === null
      ? "No limit for the memory of a run as a whole: control groups are not writable here."
      : `Limits for the memory and the processes of a run as a whole (control groups, version ${cgroups.version}).`,
    nsenter === null
      ? "The network can be granted as a whole only, not for single hosts."
      : "The network can be granted for single hosts.",
    setpriv === null ? "Linux capabilities cannot be granted." : "Linux capabilities can be granted one by one.",
  ];
}
