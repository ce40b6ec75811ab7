import type { ArchiveBudget } from "./archive-budget";
import type { ArchiveEntry } from "./archive-entry";
import { resolveLinks } from "./resolve-links";
import { assertUniquePaths } from "./safe-path";
import type { Diagnostic } from "./schema";
import type { SkillFile } from "./skill-file";

/** Turns a reader's entries into files: unique paths, links as copies, junk left out and reported once. */
export function collectFiles(
  entries: ArchiveEntry[],
  budget: ArchiveBudget,
): { files: SkillFile[]; diagnostics: Diagnostic[] } {
  const plain = entries.filter((entry) => entry.kind === "file");
  const links = entries.filter((entry) => entry.kind === "link");
  const folders = entries.filter((entry) => entry.kind === "folder");
  const junk = entries.filter((entry) => entry.kind === "junk");
  assertUniquePaths(
    [...plain, ...links].map((entry) => entry.path),
    folders.map((entry) => entry.path),
  );
  const files = [
    ...plain.map(({ path, mode, bytes }) => ({ path, mode, bytes })),
    ...resolveLinks(links, plain, budget),
  ];
  return { files, diagnostics: junk.length === 0 ? [] : [describeJunk(junk.map((entry) => entry.path))] };
}

function describeJunk(paths: string[]): Diagnostic {
  const shown = paths.slice(0, 3).join(", ");
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return { code: "junk_left_out", severity: "info", message: `Left out: ${shown}${more}.` };
}
