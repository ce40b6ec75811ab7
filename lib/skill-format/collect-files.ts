import type { ArchiveBudget } from "./archive-budget";
import type { ArchiveEntry } from "./archive-entry";
import { resolveLinks } from "./resolve-links";
import { assertUniquePaths } from "./safe-path";
import type { Diagnostic } from "./schema";
import type { SkillFile } from "./skill-file";
import { isSkillMarker } from "./skill-marker";

/** Links and submodules that are named; a repository may have thousands that lead elsewhere. */
const MAX_TOLD = 100;

/**
 * Turns a reader's entries into files: unique paths, links as copies, junk left out and reported once, and each link or
 * submodule that cannot be a file left out with a warning of its own. Each file that would have made its folder a skill and is
 * left out is told, however many there are.
 */
export function collectFiles(
  entries: ArchiveEntry[],
  budget: ArchiveBudget,
): { files: SkillFile[]; diagnostics: Diagnostic[] } {
  const plain = entries.filter((entry) => entry.kind === "file");
  const links = entries.filter((entry) => entry.kind === "link");
  const refused = entries.filter((entry) => entry.kind === "refused");
  const folders = entries.filter((entry) => entry.kind === "folder").map((entry) => entry.path);
  const junk = entries.filter((entry) => entry.kind === "junk");
  assertUniquePaths(
    [...plain, ...links, ...refused].map((entry) => entry.path),
    folders,
  );
  const resolved = resolveLinks(links, plain, budget);
  const files = [...plain.map(({ path, mode, bytes }) => ({ path, mode, bytes })), ...resolved.files];
  const notRead = [...refused.map(describeRefused), ...resolved.diagnostics];
  const isMarker = ({ path }: { path?: string }) => path !== undefined && isSkillMarker(path);
  const leftOut = notRead.filter((note) => !isMarker(note));
  const markers = [...notRead.filter(isMarker), ...junk.filter(isMarker).map(describeJunkMarker)];
  const more = leftOut.length - MAX_TOLD;
  if (more > 0) {
    const message = `${more} more links were left out.`;
    leftOut.splice(MAX_TOLD, more, { code: "link_refused", severity: "warning", message });
  }
  return {
    files,
    diagnostics: [...(junk.length === 0 ? [] : [describeJunk(junk.map(({ path }) => path))]), ...leftOut, ...markers],
  };
}

function describeRefused({ code, path, message }: Extract<ArchiveEntry, { kind: "refused" }>): Diagnostic {
  return { code, severity: "warning", path, message };
}

function describeJunkMarker({ path }: { path: string }): Diagnostic {
  const message = "It lies in what an operating system, an archiver or git made, and is not read as a skill.";
  return { code: "marker_left_out", severity: "info", path, message };
}

function describeJunk(paths: string[]): Diagnostic {
  const shown = paths.slice(0, 3).join(", ");
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return { code: "junk_left_out", severity: "info", message: `Left out: ${shown}${more}.` };
}
