import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, resolve, sep } from "node:path";
import { isJunk } from "@/lib/skill-format/archive/archive-entry";
import { MAX_SKILL_JSON_BYTES } from "@/lib/skill-format/archive/limits";
import { isSkillMarker, missingPackKeys } from "@/lib/skill-format/archive/split-skills";

const MAX_DEPTH = 12;
const MAX_ENTRIES = 20_000;

/** A file of a skill: `path` inside its folder, `source` the real path of its bytes. */
export type FolderFile = { path: string; source: string };

export type SkillFolder = {
  path: string;
  /** Relative to the root, with `/`; empty for the root itself. */
  below: string;
  files: FolderFile[];
  leftOut: { path: string; message: string }[];
};

type Walk = { root: SkillRoot; folders: SkillFolder[]; problems: SkillFolder["leftOut"]; entries: number };

/**
 * Every folder below a root with a `SKILL.md`, `skill.json` or `skill.toml`, in lexical order, with its files except those
 * of skills further inside. Inside a skill, a `skill.json` that is not a pack's does not make a folder a skill. Links to
 * folders are not followed; a link to a file counts as that file if it stays inside the root. At most 12 levels and 20,000
 * entries.
 */
export async function findFolders(root: SkillRoot): Promise<Pick<Walk, "folders" | "problems">> {
  const walk: Walk = { root, folders: [], problems: [], entries: 0 };
  await walkFolder(walk, "", 0, null);
  return walk;
}

async function walkFolder(walk: Walk, below: string, depth: number, outer: SkillFolder | null): Promise<void> {
  const { root } = walk;
  const entries = await list(walk, below);
  const isSkill = await isSkillFolder(walk, below, entries, outer !== null);
  const path = join(root.path, below);
  const folder = isSkill ? { path, below, files: [], leftOut: [] } : outer;
  if (isSkill && folder) walk.folders.push(folder);
  for (const entry of entries) {
    const inner = below === "" ? entry.name : `${below}/${entry.name}`;
    walk.entries += 1;
    if (walk.entries > MAX_ENTRIES) {
      reportTruncation(walk);
      return;
    }
    if (entry.isDirectory()) {
      if (depth < MAX_DEPTH) await walkFolder(walk, inner, depth + 1, folder);
      else walk.problems.push({ path: join(root.path, inner), message: `lies deeper than ${MAX_DEPTH} folders` });
    } else if (entry.isFile() || entry.isSymbolicLink()) await addFile(walk, inner, entry, folder);
  }
}

async function isSkillFolder({ root }: Walk, below: string, entries: Dirent[], isNested: boolean): Promise<boolean> {
  const markers = entries.filter((entry) => !entry.isDirectory() && isSkillMarker(entry.name));
  const [only, more] = markers;
  if (only?.name !== "skill.json" || more !== undefined || !isNested) return markers.length > 0;
  const path = join(root.real, below, only.name);
  const target = await realpath(path).catch(() => null);
  // Files that cannot be read are reported when the skill is read.
  if (target === null || !isInside(root, target)) return true;
  const found = await stat(target).catch(() => null);
  if (found === null || found.size > MAX_SKILL_JSON_BYTES) return true;
  const bytes = await readFile(target).catch(() => null);
  return bytes === null || missingPackKeys(bytes).length === 0;
}

async function list({ root, problems }: Walk, below: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(root.real, below), { withFileTypes: true });
    return entries.filter(({ name }) => !isJunk(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    problems.push({ path: join(root.path, below), message: `cannot be read (${code})` });
    return [];
  }
}

async function addFile({ root, problems }: Walk, below: string, entry: Dirent, folder: SkillFolder | null) {
  const path = join(root.path, below);
  const told = folder?.leftOut ?? problems;
  const source = join(root.real, below);
  const own = folder && { path: folder.below === "" ? below : below.slice(folder.below.length + 1) };
  if (entry.isFile()) {
    if (own) folder.files.push({ ...own, source });
    return;
  }
  const target = await realpath(source).catch(() => null);
  if (target === null) told.push({ path, message: "is a link that leads nowhere" });
  else if (!isInside(root, target)) told.push({ path, message: `escapes allowlist root ${root.path}` });
  else if (own && (await stat(target)).isFile()) folder.files.push({ ...own, source: target });
}

function reportTruncation({ root, problems, entries }: Walk): void {
  const isFirst = entries === MAX_ENTRIES + 1;
  if (isFirst)
    problems.push({ path: root.path, message: `holds more than ${MAX_ENTRIES} entries; the rest is not read` });
}

export type SkillRoot = {
  kind: "builtin" | "directory";
  path: string;
  /** Without symbolic links, for comparisons. */
  real: string;
};

/** Opens the directory; or returns the reason for skipping it, as one sentence. */
export async function openRoot(kind: SkillRoot["kind"], path: string): Promise<SkillRoot | string> {
  if (!isAbsolute(path)) return `skipping ${path}: not an absolute path`;
  try {
    if (!(await stat(path)).isDirectory()) return `skipping ${path}: not a directory`;
    return { kind, path: resolve(path), real: await realpath(path) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? `skipping ${path}: it does not exist` : `skipping ${path}: ${code ?? message}`;
  }
}

/** Whether a path without symbolic links is the root or below it. */
export function isInside({ real }: Pick<SkillRoot, "real">, path: string): boolean {
  return path === real || path.startsWith(real.endsWith(sep) ? real : `${real}${sep}`);
}
