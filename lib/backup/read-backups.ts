import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { checkFiles, openManifest } from "./check-files";
import type { Backup } from "./schema";

const NAME = /^skillgate-\d{8}T\d{6}Z$/;
const DRAFT = /^skillgate-\d{8}T\d{6}Z\.partial$/;
const DRAFT_MS = 24 * 3_600_000;

/** Backups of a folder, newest first; empty without the folder. Compares only the sizes of files. */
export async function readBackups(folder: string): Promise<Backup[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
  return Promise.all(
    names
      .sort()
      .reverse()
      .map((name) => inspect(folder, name)),
  );
}

async function inspect(folder: string, name: string): Promise<Backup> {
  const path = join(folder, name);
  try {
    const manifest = await openManifest(path);
    const problems = await checkFiles(path, manifest, { quick: true });
    const problem = problems[0] ?? (manifest.audit.problem && `The audit log is invalid: ${manifest.audit.problem}`);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    return { name, at: manifest.at, bytes, verified: problem === null, problem, auditSeq: manifest.audit.seq, path };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { name, at: timeOf(name), bytes: 0, verified: false, problem, auditSeq: 0, path };
  }
}

/** Bytes of the newest draft, which a running backup writes; 0 without one. */
export async function readDraftBytes(folder: string): Promise<number> {
  const draft = (await readdir(folder).catch(() => []))
    .filter((name) => DRAFT.test(name))
    .sort()
    .at(-1);
  if (draft === undefined) return 0;
  const names = await readdir(join(folder, draft)).catch(() => []);
  const sizeOf = (name: string) =>
    stat(join(folder, draft, name)).then(
      ({ size }) => size,
      () => 0,
    );
  return (await Promise.all(names.map(sizeOf))).reduce((sum, size) => sum + size, 0);
}

function timeOf(name: string): string {
  const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}

/**
 * Removes backups older than the newest `keep` verified ones, and drafts that are older than a day. Removes nothing
 * without a verified backup. Returns the names.
 */
export async function pruneBackups(folder: string, { keep, now }: { keep: number; now: Date }): Promise<string[]> {
  const backups = await readBackups(folder);
  const oldestKept = backups.filter(({ verified }) => verified).at(keep - 1);
  const old =
    oldestKept === undefined ? [] : backups.filter(({ name }) => name < oldestKept.name).map(({ name }) => name);
  const drafts = (await readdir(folder).catch(() => [])).filter((name) => DRAFT.test(name));
  for (const name of drafts) {
    const { mtimeMs } = await stat(join(folder, name));
    if (now.getTime() - mtimeMs > DRAFT_MS) old.push(name);
  }
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true });
  return old;
}
