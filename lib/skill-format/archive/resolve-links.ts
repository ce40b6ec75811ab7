import { AppError } from "@/lib/core/errors";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { type ArchiveBudget, type ArchiveEntry, ancestors, quotePath, safePath } from "./archive-entry";
import type { SkillFile } from "./skill-file";
import { isSkillMarker } from "./split-skills";

type FileEntry = Extract<ArchiveEntry, { kind: "file" }>;
type LinkEntry = Extract<ArchiveEntry, { kind: "link" }>;

/** Links on one path, like most systems' limit. */
const MAX_HOPS = 40;
/**
 * Replaces each link by a copy of its target: a file, or the files of a folder, also through other links. The target
 * must be in the archive, and in the same skill if the link is in one. Other links (absolute, outside, dangling,
 * circular) are left out with a diagnostic `link_refused`. Copies count against the budget.
 */
export function resolveLinks(
  links: LinkEntry[],
  files: FileEntry[],
  budget: ArchiveBudget,
): { files: SkillFile[]; diagnostics: Diagnostic[] } {
  const tree = createTree(links, files);
  const copies: SkillFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const link of links) {
    const found = findTarget(link, tree);
    if (typeof found === "string") {
      diagnostics.push(describeRefused(link, found, tree));
      continue;
    }
    for (const { path, file } of found) {
      budget.addFile(path, file.bytes.length);
      copies.push({ path, mode: file.mode, bytes: file.bytes });
    }
  }
  return { files: copies, diagnostics };
}

type Tree = { files: Map<string, FileEntry>; links: Map<string, LinkEntry>; skillFolders: Set<string> };

function createTree(links: LinkEntry[], files: FileEntry[]): Tree {
  const markers = [...files, ...links].filter((entry) => isSkillMarker(entry.path));
  return {
    files: new Map(files.map((file) => [file.path, file])),
    links: new Map(links.map((link) => [link.path, link])),
    skillFolders: new Set(markers.map((entry) => parentOf(entry.path))),
  };
}

type Copy = { path: string; file: FileEntry };

function findTarget(link: LinkEntry, tree: Tree): Copy[] | string {
  const path = followLinks(link, tree);
  if (typeof path !== "string") return path.problem;
  const skill = skillOf(link.path, tree.skillFolders);
  const leaves =
    skill === undefined
      ? "its target is a skill, which is read in its own folder"
      : "its target is outside the skill's folder";
  const file = tree.files.get(path);
  if (file !== undefined) {
    return skillOf(path, tree.skillFolders) === skill ? [{ path: link.path, file }] : leaves;
  }
  const prefix = path === "" ? "" : `${path}/`;
  if (`${link.path}/`.startsWith(prefix)) return "its target is a folder that contains it";
  const below = [...tree.files.values()].filter((candidate) => candidate.path.startsWith(prefix));
  if (below.length === 0) return "its target is not in the archive";
  const isInside = below.every((candidate) => skillOf(candidate.path, tree.skillFolders) === skill);
  if (!isInside) return leaves;
  const copies = below.map((file) => ({ path: `${link.path}/${file.path.slice(prefix.length)}`, file }));
  return copies.every((copy) => isSafe(copy.path)) ? copies : "the paths of its copies would be too long or too deep";
}

function isSafe(path: string): boolean {
  try {
    return safePath(path) === path;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function followLinks(link: LinkEntry, { links }: Tree): string | { problem: string } {
  let path: string | null = targetPath(link);
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    if (path === null) return { problem: "its target is outside the archive" };
    const parts: string[] = [path, ...ancestors(path)];
    const through = parts.map((part) => links.get(part)).find((other) => other !== undefined);
    if (through === undefined) return path;
    const base = targetPath(through);
    path = base === null ? null : `${base}${path.slice(through.path.length)}`;
  }
  return { problem: "its target leads back to it" };
}

function targetPath(link: LinkEntry): string | null {
  if (link.target.startsWith("/") || link.target.includes("\\") || link.target.includes("\0")) return null;
  const parent = parentOf(link.path);
  const segments = link.from === "root" || parent === "" ? [] : parent.split("/");
  for (const segment of link.target.normalize("NFC").split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return null;
    } else if (segment !== "" && segment !== ".") {
      segments.push(segment);
    }
  }
  return segments.join("/");
}

/** A link outside of skills, such as a second path to a skill in a repository, loses nothing. */
function describeRefused({ path, target }: LinkEntry, reason: string, { skillFolders }: Tree): Diagnostic {
  const severity = skillOf(path, skillFolders) === undefined ? "info" : "warning";
  const message = `The link to ${quotePath(target)} was left out: ${reason}.`;
  return { code: "link_refused", severity, path, message };
}

function skillOf(path: string, skillFolders: Set<string>): string | undefined {
  return ["", ...ancestors(path)].findLast((folder) => skillFolders.has(folder));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
