import type { Use } from "@/lib/worker/files/watch-use";
import type { Gate } from "@/lib/worker/warm/hear-gate";
import type { EntryProcess } from "./spawn-entry";

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
