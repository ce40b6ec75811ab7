import type { ReaderOptions } from "../sync/create-reader";
import type { Commit, ReaderPlace, Usage } from "../sync/source-reader";
import type { SyncFailure } from "../sync-failure";
import type { SyncStore } from "./sync-store";

export type ReaderInput = {
  place: ReaderPlace;
  options: Pick<ReaderOptions, "hosts" | "token" | "timeoutMs" | "retryDelayMs" | "credential" | "scratch">;
  /** Time of the process minus the clock of the thread; tests shift it. */
  clockOffsetMs: number;
};

export type CollectInput = {
  repo: string;
  folder: string | null;
  commit: Pick<Commit, "sha" | "treeSha">;
  /** Null forces a complete list. */
  treeEtag: string | null;
  /** A tree with this sha was indexed already; null when it must be indexed again. */
  indexedTree: string | null;
  /** Whether entries that are stored and did not change are kept without being indexed again. */
  reuse: boolean;
};

export type ThreadJob =
  | { type: "collect"; reader: ReaderInput; input: CollectInput }
  | { type: "preview"; reader: ReaderInput; input: Pick<CollectInput, "repo" | "folder" | "commit"> };

/** A call of the store by the thread, answered by the process. */
export type StoreCall = {
  [Method in keyof SyncStore]: { method: Method; given: Parameters<SyncStore[Method]> };
}[keyof SyncStore];

export type ThreadMessage =
  | { type: "ready" }
  | { type: "call"; id: number; call: StoreCall }
  | { type: "done"; result: unknown; usage: Usage }
  | { type: "failed"; failure: FailureFields | null; error: string; usage: Usage };

export type ProcessMessage = { type: "job"; job: ThreadJob } | { type: "answer"; id: number; value: unknown };

export type FailureFields = Pick<SyncFailure, "code" | "message" | "retryAt">;
