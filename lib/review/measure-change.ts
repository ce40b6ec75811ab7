import { diffLines } from "diff";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { readBlob } from "@/lib/skills/read-blob";
import type { ReviewItem } from "./schema";

type File = { path: string; mode: string; sha256: string; size: number; isText: boolean };
type Side = { digest: string; files: File[] };
type Change = ReviewItem["change"];

const MAX_DIFF_BYTES = 256 * 1024;
const REMEMBERED = 1000;

/**
 * How much a version changes against the approved one, or against nothing. Lines are counted in text files of at most
 * 256 KiB; larger ones count as files only. Two digests always have the same answer, so it is remembered.
 */
export async function measureChange(ctx: Ctx, base: Side | null, version: Side): Promise<Change> {
  const known = processStore("measured-changes", () => new Map<string, Change>());
  const key = `${base?.digest ?? ""} ${version.digest}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const change = await measure(ctx, base?.files ?? [], version.files);
  if (known.size >= REMEMBERED) known.delete(known.keys().next().value ?? key);
  known.set(key, change);
  return change;
}

async function measure(ctx: Ctx, before: File[], after: File[]): Promise<Change> {
  const old = new Map(before.map((file) => [file.path, file]));
  const change: Change = { filesAdded: 0, filesRemoved: 0, filesChanged: 0, linesAdded: 0, linesRemoved: 0 };
  for (const file of after) {
    const was = old.get(file.path);
    old.delete(file.path);
    if (was && was.sha256 === file.sha256 && was.mode === file.mode) continue;
    if (was) change.filesChanged += 1;
    else change.filesAdded += 1;
    await countLines(ctx, was, file, change);
  }
  for (const file of old.values()) {
    change.filesRemoved += 1;
    await countLines(ctx, file, undefined, change);
  }
  return change;
}

async function countLines(ctx: Ctx, before: File | undefined, after: File | undefined, change: Change): Promise<void> {
  const sides = [before, after].filter((side) => side !== undefined);
  if (sides.some((side) => !side.isText || side.size > MAX_DIFF_BYTES)) return;
  const texts = await Promise.all([textOf(ctx, before), textOf(ctx, after)]).catch(() => null);
  // Bytes that were changed in storage: opening the version says so; the queue must not fail on it.
  if (texts === null) return;
  const [a, b] = texts;
  for (const part of diffLines(a, b, { timeout: 500 }) ?? []) {
    if (part.added) change.linesAdded += part.count;
    if (part.removed) change.linesRemoved += part.count;
  }
}

async function textOf(ctx: Ctx, file: File | undefined): Promise<string> {
  return file ? new TextDecoder().decode(await readBlob(ctx, file)) : "";
}
