import { stat } from "node:fs/promises";
import { type InventoryItem, type InventoryProblem, MAX_INVENTORY_FILES, MAX_INVENTORY_ITEMS } from "../protocol";
import { findFolders, openRoot, type SkillFolder, type SkillRoot } from "./find-folders";
import type { FolderJob, FolderReader } from "./folder-reader";
import type { FoundSkill, ReadFolder } from "./read-folder";

export type SkillScan = {
  items: InventoryItem[];
  problems: InventoryProblem[];
  lines: { level: "info" | "warn"; text: string }[];
  sources: Map<string, string>;
};

/** The skills that were read, each valid until one of its files changes. */
export type FolderCache = Map<string, { print: string; skill: FoundSkill }>;

/**
 * Reads every directory in order. Of several skills with the same name the first is taken; one that is broken, missing or
 * not allowed becomes a line of the log and a problem, without affecting others. A reader process is started for the first
 * uncached folder, and again if it ends while reading a folder.
 */
export async function scanSkills(
  dirs: { kind: SkillRoot["kind"]; path: string }[],
  openReader: () => FolderReader,
  cache: FolderCache = new Map(),
): Promise<SkillScan> {
  const scan: SkillScan = { items: [], problems: [], lines: [], sources: new Map() };
  const taken = new Set<string>();
  const seen = new Set<string>();
  let reader: FolderReader | null = null;
  const read: FolderReader["read"] = async (job) => {
    reader ??= openReader();
    try {
      return await reader.read(job);
    } catch (error) {
      reader.close();
      reader = null;
      const { path } = job.folder;
      return { path, problem: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
  try {
    for (const { kind, path } of dirs) {
      const root = await openRoot(kind, path);
      if (typeof root === "string") addProblem(scan, path, root);
      else await scanRoot(root, { scan, taken, seen, cache, read });
    }
  } finally {
    // Assigned inside `read`, which the compiler cannot follow.
    (reader as FolderReader | null)?.close();
  }
  for (const known of cache.keys()) if (!seen.has(known)) cache.delete(known);
  const count = scan.items.filter((item) => item.kind === "directory").length;
  const named = dirs.filter((dir) => dir.kind === "directory").length;
  if (named > 0) {
    const where = `${named} ${named === 1 ? "directory" : "directories"}`;
    say(scan, "info", `registered ${count} ${count === 1 ? "skill" : "skills"} from ${where} in total`);
  }
  return scan;
}

type State = {
  scan: SkillScan;
  taken: Set<string>;
  seen: Set<string>;
  cache: FolderCache;
  read: FolderReader["read"];
};

async function scanRoot(root: SkillRoot, { scan, taken, seen, cache, read }: State): Promise<void> {
  const { folders, problems } = await findFolders(root);
  for (const { path, message } of problems) addProblem(scan, path, `${path} ${message}`);
  for (const folder of folders) {
    const key = `${root.path}\0${folder.path}`;
    if (seen.has(folder.path)) continue;
    seen.add(key).add(folder.path);
    take(scan, taken, folder, await readUnlessKnown({ root, folder }, key, cache, read));
  }
}

async function readUnlessKnown(
  job: FolderJob,
  key: string,
  cache: FolderCache,
  readAnew: FolderReader["read"],
): Promise<ReadFolder> {
  const { folder } = job;
  const known = cache.get(key);
  if (known && known.print === (await printOf(folder, known.skill.elsewhere))) return { skill: known.skill };
  // Taken before the reading: files that change meanwhile are read again.
  const before = await printOf(folder, null);
  const read = await readAnew(job);
  cache.delete(key);
  if (!("skill" in read)) return read;
  const { elsewhere } = read.skill;
  cache.set(key, { print: elsewhere === null ? before : await printOf(folder, elsewhere), skill: read.skill });
  return read;
}

function take(scan: SkillScan, taken: Set<string>, folder: SkillFolder, read: ReadFolder): void {
  if (!("skill" in read)) {
    addProblem(scan, read.path, read.problem);
    return;
  }
  const { skill } = read;
  for (const { path, message } of folder.leftOut) addProblem(scan, path, `${path} ${message}`);
  const obstacle = findObstacle(scan, taken, skill);
  if (obstacle !== null) {
    addProblem(scan, skill.marker, obstacle);
    return;
  }
  taken.add(skill.slug);
  scan.items.push(skill.item);
  for (const [sha256, source] of skill.sources) scan.sources.set(sha256, source);
  if (skill.item.kind === "builtin") return;
  say(scan, "info", `registered ${skill.what} "${skill.name}" from ${skill.marker}`);
  if (!skill.hasClass) say(scan, "warn", `skill "${skill.name}" does not declare its class`);
}

function findObstacle(scan: SkillScan, taken: Set<string>, { item, slug, name, marker }: FoundSkill): string | null {
  if (taken.has(slug)) return `skill "${name}" already registered, skipping ${marker}`;
  const files = scan.items.reduce((sum, other) => sum + other.files.length, item.files.length);
  const isFull = scan.items.length >= MAX_INVENTORY_ITEMS || files > MAX_INVENTORY_FILES;
  return isFull ? `skipping ${marker}: there are too many skills` : null;
}

function addProblem(scan: SkillScan, path: string, text: string): void {
  say(scan, "warn", text);
  if (scan.problems.length < 1_000) scan.problems.push({ path, message: text.slice(0, 2_000) });
}

function say(scan: SkillScan, level: "info" | "warn", text: string): void {
  scan.lines.push({ level, text: `skill loader: ${text}` });
}

/** Changes when a file of the folder, or its external entry, is written, replaced, or gets other permissions. */
async function printOf({ files, leftOut }: SkillFolder, elsewhere: string | null): Promise<string> {
  const all = elsewhere === null ? files : [...files, { path: "", source: elsewhere }];
  const facts = await Promise.all(
    all.map(async ({ path, source }) => {
      const found = await stat(source).catch(() => null);
      return found === null ? path : [path, source, found.ino, found.size, found.mode, found.mtimeMs, found.ctimeMs];
    }),
  );
  return JSON.stringify([facts, leftOut]);
}
