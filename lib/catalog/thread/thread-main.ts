import { type MessagePort, parentPort } from "node:worker_threads";
import { createRateLimitGuard } from "../github/rate-limit";
import { listPreview } from "../sources/list-preview";
import { collectSnapshot } from "../sync/collect-snapshot";
import { createReader } from "../sync/create-reader";
import type { SourceReader } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import type { ProcessMessage, ReaderInput, StoreCall, ThreadJob, ThreadMessage } from "./messages";
import type { SyncStore } from "./sync-store";

/** Entry point of the catalog thread, bundled by `bin/build-programs.mjs`. Runs one job at a time. */
function serveJobs(port: MessagePort): void {
  const waiting = new Map<number, (value: unknown) => void>();
  let lastId = 0;
  const post = (message: ThreadMessage) => port.postMessage(message);
  // An error of the store ends the job and this thread, so calls are only ever answered.
  const call = (one: StoreCall) =>
    new Promise<unknown>((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      post({ type: "call", id: lastId, call: one });
    });
  const store = remoteStore(call);
  port.on("message", (message: ProcessMessage) => {
    if (message.type === "job") {
      void run(message.job, store, post);
      return;
    }
    waiting.get(message.id)?.(message.value);
    waiting.delete(message.id);
  });
  post({ type: "ready" });
}

const METHODS = [
  "missingBlobs",
  "loadBlobs",
  "keepBlobs",
  "showProgress",
  "knownEntries",
  "knownFiles",
  "keptTrees",
  "loadTree",
  "keepTree",
  "putEntries",
  "markEntries",
  "putPacks",
  "dropPacksExcept",
] as const satisfies (keyof SyncStore)[];

function remoteStore(call: (one: StoreCall) => Promise<unknown>): SyncStore {
  const methods = METHODS.map((method) => [method, (...given: unknown[]) => call({ method, given } as StoreCall)]);
  return Object.fromEntries(methods) as SyncStore;
}

async function run(job: ThreadJob, store: SyncStore, post: (message: ThreadMessage) => void): Promise<void> {
  const reader = openReader(job.reader);
  try {
    const result = await perform(job, reader, store);
    post({ type: "done", result, usage: reader.usage() });
  } catch (error) {
    const failure =
      error instanceof SyncFailure ? { code: error.code, message: error.message, retryAt: error.retryAt } : null;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ type: "failed", failure, error: text, usage: reader.usage() });
  }
}

function openReader({ place, options, clockOffsetMs }: ReaderInput): SourceReader {
  const now = () => new Date(Date.now() + clockOffsetMs);
  return createReader(place, { ...options, now, rateLimitGuard: createRateLimitGuard() });
}

function perform(job: ThreadJob, reader: SourceReader, store: SyncStore): Promise<unknown> {
  return job.type === "collect" ? collectSnapshot(store, reader, job.input) : listPreview(reader, job.input);
}

if (parentPort === null) throw new Error("This program runs as a thread of the server.");
serveJobs(parentPort);
