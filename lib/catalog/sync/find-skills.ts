import { AppError } from "@/lib/core/errors";
import { assertUniquePaths, isJunk, safePath } from "@/lib/skill-format/archive/archive-entry";
import { MAX_FILE_BYTES, MAX_SKILL_FILES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { isRepositoryPath } from "../github/names";
import type { CatalogFile } from "../schema";
import type { SkippedFolder } from "../sources/schema";
import type { TreeEntry } from "./source-reader";
import { DECLARATION_FILES } from "./source-reader";

export type FoundSkill = {
  folder: string;
  treeSha: string;
  /** Sorted by path, relative to the folder. */
  files: CatalogFile[];
  marker: CatalogFile;
  /** Files to read for the index, the marker first. */
  toRead: CatalogFile[];
};

/** `notSkills`: folders whose marker turned out not to be one; their files belong to the skill above. */
type Options = { folder: string | null; treeSha: string; notSkills?: ReadonlySet<string> };

/**
 * Finds the skills in a tree: each folder with a `SKILL.md` (any letter case), `skill.json` or `skill.toml`, at any
 * depth. A file belongs to the nearest skill above it. Folders with unsafe paths, or over a limit, are in `skipped`
 * with a reason.
 */
export function findSkills(entries: TreeEntry[], options: Options): { skills: FoundSkill[]; skipped: SkippedFolder[] } {
  const scope = options.folder === null ? "" : `${options.folder}/`;
  const inScope = entries.filter((entry) => entry.path.startsWith(scope));
  const leaves = inScope.filter((entry) => entry.type !== "tree");
  const treeShas = new Map(entries.filter((entry) => entry.type === "tree").map((entry) => [entry.path, entry.sha]));
  treeShas.set("", options.treeSha);
  const skipped = new Map<string, SkippedFolder>();
  const skip = (folder: string, code: string, reason: string) => {
    if (!skipped.has(`${code} ${folder}`)) skipped.set(`${code} ${folder}`, { folder, code, reason });
  };
  const groups = new Map<string, TreeEntry[]>();
  for (const entry of leaves) {
    if (options.notSkills?.has(parentOf(entry.path))) continue;
    if (isSkillMarker(entry.path)) openGroup(entry, groups, skip);
    else if (isLinkToSkill(entry))
      skip(entry.path, "link", "This is a symbolic link; the skill is listed at its target.");
  }
  for (const entry of leaves) {
    const group = groups.get(nearest(entry.path, groups) ?? "?");
    if (group) group.push(entry);
    else if (!isSkillMarker(entry.path) && !isRepositoryPath(entry.path))
      skip(printable(entry.path), "unsafe_path", UNSAFE_PATH);
  }
  const skills = [...groups].flatMap(([folder, members]) => {
    const treeSha = treeShas.get(folder);
    const built =
      treeSha === undefined
        ? refused("no_tree", "GitHub’s list has no tree for this folder.")
        : build(folder, treeSha, members);
    if ("skill" in built) return [built.skill];
    skip(folder, built.code, built.reason);
    return [];
  });
  return { skills: skills.sort((a, b) => (a.folder < b.folder ? -1 : 1)), skipped: [...skipped.values()] };
}

type Refused = { code: string; reason: string };
const UNSAFE_PATH = "The path is not a plain path inside the repository.";

function openGroup(
  entry: TreeEntry,
  groups: Map<string, TreeEntry[]>,
  skip: (...note: [string, string, string]) => void,
) {
  const folder = parentOf(entry.path);
  if (isIgnoredFolder(folder))
    skip(printable(folder), "ignored_folder", "Skills in folders of builds and packages are not listed.");
  else if (!isRepositoryPath(entry.path)) {
    skip(printable(folder), "unsafe_path", UNSAFE_PATH);
  } else if (entry.mode === "120000") {
    skip(folder, "marker_is_link", `${nameOf(entry.path)} is a symbolic link; the skill is listed at its target.`);
  } else if (entry.type === "blob") groups.set(folder, []);
  else skip(folder, "no_marker", `${nameOf(entry.path)} is a submodule and not a plain file.`);
}

function build(folder: string, treeSha: string, entries: TreeEntry[]): { skill: FoundSkill } | Refused {
  const prefix = folder === "" ? "" : `${folder}/`;
  const kept = entries.filter((entry) => !isJunk(entry.path.slice(prefix.length)));
  if (kept.length > MAX_SKILL_FILES) {
    return refused("too_many_files", `The skill has ${kept.length} files; the limit is ${MAX_SKILL_FILES}.`);
  }
  const files: CatalogFile[] = [];
  for (const entry of kept) {
    const file = toFile(entry, prefix);
    if ("reason" in file) return file;
    files.push(file);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes > MAX_UNPACKED_BYTES) {
    return refused("too_large", `The skill has ${bytes} bytes; the limit is ${MAX_UNPACKED_BYTES}.`);
  }
  const collision = problemOf(() => assertUniquePaths(files.map((file) => file.path)));
  if (collision !== null) return refused("path_collision", collision);
  const toRead = SIDECARS.flatMap(
    (sidecar) => files.find((file) => sidecar.test(file.path) && file.kind === "file") ?? [],
  );
  const [marker] = toRead.filter((file) => isSkillMarker(file.path));
  if (marker === undefined) return refused("no_marker", "Its SKILL.md is not a plain file.");
  const large = toRead.find((file) => file.size > MAX_READ_BYTES);
  if (large) {
    return refused("too_large", `${large.path} has ${large.size} bytes; the limit for this file is ${MAX_READ_BYTES}.`);
  }
  return { skill: { folder, treeSha, files, marker, toRead } };
}

function toFile(entry: TreeEntry, prefix: string): CatalogFile | Refused {
  let path = "";
  const problem = problemOf(() => {
    path = safePath(entry.path.slice(prefix.length));
  });
  if (problem !== null) return refused("unsafe_path", problem);
  const size = entry.size ?? 0;
  if (size > MAX_FILE_BYTES) {
    return refused("file_too_large", `${path} has ${size} bytes; the limit for a file is ${MAX_FILE_BYTES}.`);
  }
  const kind = entry.type === "commit" ? "submodule" : entry.mode === "120000" ? "symlink" : "file";
  return { path, mode: entry.mode === "100755" ? "755" : "644", sha: entry.sha, size, kind };
}

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function nearest(path: string, groups: ReadonlyMap<string, unknown>): string | null {
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    if (groups.has(folder)) return folder;
    if (folder === "") return null;
  }
}

/** Whether this is a link such as `skills/pdf`: repositories keep one copy of a skill and link it for each agent. */
function isLinkToSkill(entry: TreeEntry): boolean {
  return entry.mode === "120000" && /(^|\/)skills\/[^/]+$/.test(entry.path);
}

function refused(code: string, reason: string): Refused {
  return { code, reason };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Replaces control characters in an untrusted path for display. */
function printable(path: string): string {
  return path.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, "�").slice(0, 200);
}

export const MAX_READ_BYTES = 1024 * 1024;

export const MAX_DECLARATION_BYTES = 1024 * 1024;

/** Files that a sync reads, in order: the marker (an exact `SKILL.md` first), then those of registries and agents. */
export const SIDECARS: readonly RegExp[] = [
  /^SKILL\.md$/,
  /^(?!SKILL\.md$)[sS][kK][iI][lL][lL]\.[mM][dD]$/,
  /^skill\.json$/,
  /^skill\.toml$/,
  /^optimized\.toml$/,
  /^_meta\.json$/,
  /^agents\/openai\.ya?ml$/,
];

const MAY_BE_READ = new RegExp(
  `(^|/)(skill[.]md|skill[.]json|skill[.]toml|optimized[.]toml|_meta[.]json|agents/openai[.]ya?ml|${DECLARATION_FILES.map((name) => name.replaceAll(".", "[.]")).join("|")})$`,
  "i",
);

/** Whether a sync may want the bytes of this file, before the whole tree is known. */
export function mayBeRead(path: string, size: number): boolean {
  return size <= MAX_READ_BYTES && MAY_BE_READ.test(path) && !isIgnoredFolder(path);
}

/** Folders of builds and package managers: their SKILL.md files are copies. */
const IGNORED = /(^|\/)(node_modules|__pycache__|\.git|dist|build)(\/|$)/i;

export function isIgnoredFolder(path: string): boolean {
  return IGNORED.test(path);
}
