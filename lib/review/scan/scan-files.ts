import { processStore } from "@/lib/core/process-store";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { addFingerprints } from "./fingerprint";
import { limitHits } from "./limit-hits";
import { KILL_AFTER_MS } from "./limits";
import { loadThreadSource } from "./load-thread-source";
import { openThread, type ScanThread, type ThreadOutcome } from "./open-thread";
import { rulesVersion } from "./rules-version";
import { draftUnread, type Unread } from "./scan-skill";
import type { ScanResult } from "./schema";

type Options = { signal?: AbortSignal; unread?: Unread[]; killAfterMs?: number };

type Desk = { thread: ScanThread | null; queue: Promise<unknown> };

/**
 * Scans the files of one skill (paths relative to it) in a thread, one skill after another. Whatever the content does, it
 * resolves: when the thread has to be ended, 40 seconds after it began, the answer says so in findings of OBF-004 and is
 * not complete. Rejects with the signal's reason when called off, and when the thread cannot be started at all.
 */
export function scanFiles(
  files: SkillFile[],
  { signal, unread = [], killAfterMs = KILL_AFTER_MS }: Options = {},
): Promise<ScanResult> {
  const desk = processStore<Desk>("scan", () => ({ thread: null, queue: Promise.resolve() }));
  const scan = desk.queue.then(async () => {
    signal?.throwIfAborted();
    const startedMs = performance.now();
    if (desk.thread === null || !desk.thread.isOpen()) desk.thread = await openThread(await loadThreadSource());
    const { thread } = desk;
    const outcome = await thread
      .run({ files: files.map(copyBytes), unread }, { afterMs: killAfterMs, signal })
      .catch((error: unknown) => {
        desk.thread = null;
        throw error;
      });
    if ("result" in outcome) return outcome.result;
    desk.thread = null;
    return reportEnded(files, unread, outcome, performance.now() - startedMs);
  });
  desk.queue = scan.catch(() => {});
  return scan;
}

/** A view of a larger buffer would take the whole buffer along. */
function copyBytes({ path, mode, bytes }: SkillFile): SkillFile {
  return { path, mode, bytes: bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice() };
}

function reportEnded(
  files: SkillFile[],
  unread: Unread[],
  { endedAt, why }: Exclude<ThreadOutcome, { result: unknown }>,
  durationMs: number,
): ScanResult {
  const at = Math.max(
    0,
    files.findIndex(({ path }) => path === endedAt),
  );
  const drafts = [
    ...unread.map(({ path, text }) => draftUnread(path, text)),
    ...files
      .slice(at)
      .map(({ path }) =>
        draftUnread(
          path,
          path === endedAt ? `${why} It was looking at this file.` : `${why} This file was not looked at.`,
        ),
      ),
    ...files.slice(0, at).map(({ path }) => draftUnread(path, `${why} What was found in this file is lost.`)),
  ];
  const findings = addFingerprints(limitHits(drafts.map((draft) => ({ ...draft, raisedBy: null }))));
  return { findings, complete: false, rulesVersion: rulesVersion(), durationMs: Math.round(durationMs) };
}
