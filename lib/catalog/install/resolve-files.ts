import { type ArchiveBudget, createArchiveBudget } from "@/lib/skill-format/archive-budget";
import type { ArchiveEntry } from "@/lib/skill-format/archive-entry";
import { resolveLinks } from "@/lib/skill-format/resolve-links";
import { assertUniquePaths, safePath } from "@/lib/skill-format/safe-path";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { isLfsPointer } from "../github/is-lfs-pointer";
import type { CatalogFile } from "../schema";

type FileEntry = Extract<ArchiveEntry, { kind: "file" }>;
type LinkEntry = Extract<ArchiveEntry, { kind: "link" }>;

/**
 * The files of a folder as they are stored, under the same limits as those of an archive: links inside the folder as copies
 * of their targets. Links that lead elsewhere and submodules are left out and said; pointers of Git LFS are kept as they are
 * and said. `budget` counts over all skills of an install.
 */
export function resolveFiles(
  listed: CatalogFile[],
  bytesOf: (sha: string) => Uint8Array,
  budget: ArchiveBudget = createArchiveBudget(),
): { files: SkillFile[]; notes: Diagnostic[] } {
  const plain: FileEntry[] = [];
  const links: LinkEntry[] = [];
  const notes: Diagnostic[] = [];
  for (const { path: given, mode, sha, kind } of listed) {
    const path = safePath(given);
    if (kind === "submodule") {
      notes.push(
        left("submodule", path, "This is a submodule; its content is not in this repository and not installed."),
      );
      continue;
    }
    const bytes = bytesOf(sha);
    if (kind === "symlink") {
      links.push({ kind: "link", path, target: new TextDecoder().decode(bytes), from: "folder" });
      continue;
    }
    budget.addFile(path, bytes.length);
    plain.push({ kind: "file", path, mode, bytes });
    if (isLfsPointer(bytes)) {
      notes.push(
        left("lfs_pointer", path, "This is a Git LFS pointer; the file it stands for is not in git and not installed."),
      );
    }
  }
  const resolved = resolveLinks(links, plain, budget);
  const files = [...plain.map(({ path, mode, bytes }) => ({ path, mode, bytes })), ...resolved.files];
  assertUniquePaths(files.map((file) => file.path));
  return { files, notes: [...notes, ...resolved.diagnostics] };
}

function left(code: string, path: string, message: string): Diagnostic {
  return { code, severity: "warning", path, message };
}
