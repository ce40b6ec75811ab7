import type { Use } from "@/lib/worker/processes/process-use";
import type { Lease } from "@/lib/worker/protocol";
import type { EntryProcess } from "./direct-launcher";
import type { Gate } from "./start-barrier";

/** An entry that is ready to be started. */
export type Prepared = {
  start(): Promise<EntryProcess>;
  sandbox: { hasOwnPids: boolean } | null;
  /** The real user id that its processes have, and no other process of the host. */
  ownUid?: number;
  /** Of the process that was started, if its sandbox tells when it is built. */
  gate?: () => Gate | null;
  /** What its control group counted, if it had one. */
  groupUse?: () => Use | null;
};

/** Whether a run has nothing but its sandbox: no grant, credential or workspace comes with it. */
export function opensNothing({
  terms,
  secrets = [],
  workspace,
}: Pick<Lease, "terms" | "secrets" | "workspace">): boolean {
  const opened = [terms.hosts, terms.paths, terms.namespaces, terms.capabilities, secrets];
  return !terms.network && !workspace && opened.every((list) => list.length === 0);
}
