import type { ArchiveBudget } from "./archive-budget";
import type { ArchiveEntry } from "./archive-entry";
import { quotePath, rejectArchive } from "./reject-archive";
import { ancestors } from "./safe-path";
import type { SkillFile } from "./skill-file";
import { isSkillMarker } from "./skill-marker";

type FileEntry = Extract<ArchiveEntry, { kind: "file" }>;
type LinkEntry = Extract<ArchiveEntry, { kind: "link" }>;

/**
 * Each link as a copy of its target. The target must be a regular file of the same archive, and of the same skill when the
 * link belongs to one; links to links, to folders and out of the tree are refused (`archive_rejected`). Copies count
 * against the budget like any file.
 */
export function resolveLinks(links: LinkEntry[], files: FileEntry[], budget: ArchiveBudget): SkillFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const skillFolders = new Set(
    [...files, ...links].filter((entry) => isSkillMarker(entry.path)).map((entry) => parentOf(entry.path)),
  );
  return links.map((link) => {
    const path = resolveTarget(link);
    const target = path === null ? undefined : byPath.get(path);
    if (target === undefined) {
      rejectArchive(
        `${quotePath(link.path)} is a link to ${quotePath(link.target)}, which is not a regular file in the archive.`,
      );
    }
    if (skillOf(link.path, skillFolders) !== skillOf(target.path, skillFolders)) {
      rejectArchive(`${quotePath(link.path)} is a link to ${quotePath(link.target)}, outside of its skill's folder.`);
    }
    budget.addFile(link.path, target.bytes.length);
    return { path: link.path, mode: target.mode, bytes: target.bytes };
  });
}

function resolveTarget(link: LinkEntry): string | null {
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

function skillOf(path: string, skillFolders: Set<string>): string | undefined {
  return ["", ...ancestors(path)].findLast((folder) => skillFolders.has(folder));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
