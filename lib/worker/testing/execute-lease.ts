import { onTestFinished } from "vitest";
import { prepareWorkDir, type WorkDir } from "../files/work-dir";
import { createUidPool, type UidPool } from "../processes/user-ids";
import type { Outcome, RunEventItem } from "../protocol";
import { type RunHost, runLease } from "../run/run-lease";
import type { Isolation } from "../sandbox/isolation";
import type { LeaseKit } from "./make-lease";
import { makeWorkDir } from "./make-work-dir";
import { openAccess } from "./open-access";
import { shareMountView } from "./share-mount-view";
import { sharePreforked } from "./share-preforked";
import { shareStore } from "./share-store";

const NO_SANDBOX: Isolation = { kind: "none", reason: "not asked for" };

export type Execution = {
  outcome: Promise<Outcome>;
  stop: AbortController;
  workDir: WorkDir;
  /** Texts of one stream so far. */
  texts(stream: RunEventItem["stream"]): string[];
  /** Hashes that the run requested from the server. */
  fetched: string[];
};

const pools = new Map<number | null, UidPool>();

/** One pool for all executions, as in a worker: an id is not reused while processes of a killed run may still be ended. */
function poolOf(isolation: Isolation): UidPool {
  const range = isolation.kind === "none" ? null : isolation.uids;
  const first = range?.first ?? null;
  const pool = pools.get(first) ?? createUidPool(range);
  pools.set(first, pool);
  return pool;
}

/** Executes a lease as a worker does, in its own work directory, with a server that has the kit's blobs. */
export async function executeLease({ lease, blobs }: LeaseKit, changes: Partial<RunHost> = {}): Promise<Execution> {
  const workDir = changes.workDir ?? (await prepareWorkDir(makeWorkDir()));
  const stop = new AbortController();
  const events: Pick<RunEventItem, "stream" | "text">[] = [];
  const fetched: string[] = [];
  const given = changes.isolation ?? NO_SANDBOX;
  // As at the start of a worker.
  const isolation = await shareStore(given.kind === "bubblewrap" ? await shareMountView(given) : given);
  const uids = changes.uids ?? poolOf(isolation);
  const preforked = changes.preforked === undefined ? await sharePreforked(isolation, uids) : changes.preforked;
  const outcome = runLease(lease, {
    workDir,
    uids,
    preforked,
    env: process.env,
    stop,
    warm: null,
    access: openAccess(),
    emit: (stream, text) => events.push({ stream, text }),
    async fetchBlob(_lease, sha256) {
      fetched.push(sha256);
      return blobs.get(sha256) ?? Buffer.from("no such blob");
    },
    ...changes,
    isolation,
  });
  onTestFinished(() => {
    stop.abort({ code: "worker_stopped", message: "The test is over.", graceMs: 0 });
  });
  const texts = (stream: RunEventItem["stream"]) => events.filter((e) => e.stream === stream).map((e) => e.text);
  return { outcome, stop, workDir, texts, fetched };
}
