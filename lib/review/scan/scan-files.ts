import { processStore } from "@/lib/core/process-store";
import { loadThreadProgram, openThread, type Thread, type ThreadOutcome } from "@/lib/core/threads/open-thread";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { Described } from "../capabilities/read-capabilities";
import { addFingerprints, draftUnread, limitHits, type Unread } from "./findings";
import { KILL_AFTER_MS, THREAD_HEAP_MB } from "./limits";
import { inScanOrder } from "./scan-file";
import type { ScanResult } from "./schema";

/** `rules`: the `rulesVersion` that the thread must have; any when absent. */
type Options = { signal?: AbortSignal; unread?: Unread[]; killAfterMs?: number; rules?: string };

type ScanQueue = { thread: ScanThread | null; queue: Promise<unknown> };

/**
 * Scans the files of one skill in a worker thread; calls are queued. Resolves for any content: a thread that is
 * terminated because it hangs is reported by OBF-004 findings and `complete: false`. Rejects when `signal` aborts or
 * the thread cannot start.
 */
export async function scanFiles(files: SkillFile[], options: Options = {}): Promise<ScanResult> {
  return (await scanInThread({ files, unread: options.unread ?? [], manifest: null }, options)).scan;
}

/** Like `scanFiles`; with a manifest the thread also describes the files, unless it is terminated. */
export function scanInThread(
  job: ScanJob,
  { signal, killAfterMs = KILL_AFTER_MS, rules }: Options = {},
): Promise<Scanned> {
  const scans = processStore<ScanQueue>("scan", () => ({ thread: null, queue: Promise.resolve() }));
  const scan = scans.queue.then(async () => {
    signal?.throwIfAborted();
    const startedMs = performance.now();
    if (scans.thread === null || !scans.thread.isOpen() || scans.thread.version !== (rules ?? scans.thread.version))
      scans.thread = await openScanThread(await loadScanThread(), rules);
    const { thread } = scans;
    const outcome = await thread
      .run({ ...job, files: job.files.map(copyBytes) }, { afterMs: killAfterMs, signal })
      .catch((error: unknown) => {
        scans.thread = null;
        throw error;
      });
    if ("result" in outcome) return outcome.result;
    scans.thread = null;
    return {
      scan: {
        ...reportTermination({ ...job, files: inScanOrder(job.files) }, outcome),
        rulesVersion: thread.version,
        durationMs: Math.round(performance.now() - startedMs),
      },
      described: null,
    };
  });
  scans.queue = scan.catch(() => {});
  return scan;
}

/** Posting a view of a larger buffer would copy the whole buffer. */
function copyBytes({ path, mode, bytes }: SkillFile): SkillFile {
  return { path, mode, bytes: bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice() };
}

function reportTermination(
  { files, unread }: ScanJob,
  { at: endedAt, why }: Exclude<ThreadOutcome<Scanned>, { result: unknown }>,
): Pick<ScanResult, "findings" | "complete"> {
  const at = Math.max(
    0,
    files.findIndex(({ path }) => path === endedAt),
  );
  const drafts = [
    ...unread.map(({ path, text }) => draftUnread({ path }, text)),
    ...files
      .slice(at)
      .map((file) =>
        draftUnread(
          file,
          file.path === endedAt ? `${why} It was scanning this file.` : `${why} This file was not scanned.`,
        ),
      ),
    ...files.slice(0, at).map((file) => draftUnread(file, `${why} Findings in this file are lost.`)),
  ];
  const findings = addFingerprints(limitHits(drafts.map((draft) => ({ ...draft, raisedBy: null }))));
  return { findings, complete: false };
}

export function loadScanThread(): Promise<string> {
  return loadThreadProgram("scan-thread");
}

export type ScanThread = Thread<ScanJob, Scanned>;

/** Starts a thread that scans; rejects for a program built from other rules than `rules`. */
export function openScanThread(source: string, rules?: string): Promise<ScanThread> {
  const build = "node bin/build-programs.mjs scan-thread";
  return openThread({ source, version: rules, name: "scan", heapMb: THREAD_HEAP_MB, build });
}

/** With a manifest the thread describes the files, too. */
export type ScanJob = { files: SkillFile[]; unread: Unread[]; manifest: SkillManifest | null };

export type Scanned = { scan: ScanResult; described: Described | null };
