import { AppError } from "@/lib/core/errors";
import { findCollisions, type PlacedSkill } from "@/lib/skill-format/find-collisions";
import { readArchive } from "@/lib/skill-format/read-archive";
import { readSkill } from "@/lib/skill-format/read-skill";
import { ancestors } from "@/lib/skill-format/safe-path";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { type SplitSkill, splitSkills } from "@/lib/skill-format/split-skills";
import type { ReadSkill } from "./store-version";

export type Upload = { filename: string; bytes: Uint8Array };
export type ReadUpload = { usable: ReadSkill[]; refused: ReadSkill[]; diagnostics: Diagnostic[] };

/**
 * Reads an uploaded file into skills. A skill with an error among its diagnostics, or whose name another skill of the
 * same upload has, is refused; the others are usable. Throws for an archive that is rejected as a whole.
 */
export async function readUpload(upload: Upload): Promise<ReadUpload> {
  const archive = await readArchive(upload);
  const fallbackName = upload.filename.replace(/^.*[\\/]/, "").replace(/\.(zip|skill|tar\.gz|tgz|tar|md)$/i, "");
  const split = splitSkills(archive.files, { fallbackName });
  const { general, bySkill } = sortByOwner(archive.diagnostics, split.skills);
  const usable: ReadSkill[] = [];
  const refused: ReadSkill[] = [];
  const placed: PlacedSkill[] = [];
  for (const { folder, location, files } of split.skills) {
    const { manifest, diagnostics } = readSkill(files, { folder });
    placed.push({ location, files, manifest });
    const read: ReadSkill = {
      folder,
      files,
      manifest,
      diagnostics: [...(bySkill.get(location) ?? []), ...diagnostics],
    };
    const twin = usable.find((other) => other.manifest.slug === manifest.slug);
    if (twin) read.diagnostics.push(collision(read, twin));
    const isBroken = read.diagnostics.some((diagnostic) => diagnostic.severity === "error");
    (isBroken ? refused : usable).push(read);
  }
  return { usable, refused, diagnostics: [...general, ...split.diagnostics, ...findCollisions(placed)] };
}

/** What was said about a path in a skill's folder belongs to that skill, and its path is then one inside of the skill. */
function sortByOwner(
  diagnostics: Diagnostic[],
  skills: SplitSkill[],
): { general: Diagnostic[]; bySkill: Map<string, Diagnostic[]> } {
  const general: Diagnostic[] = [];
  const bySkill = new Map<string, Diagnostic[]>(skills.map(({ location }) => [location, []]));
  for (const diagnostic of diagnostics) {
    const { path } = diagnostic;
    const owner = path === undefined ? undefined : ["", ...ancestors(path)].findLast((folder) => bySkill.has(folder));
    if (path === undefined || owner === undefined) general.push(diagnostic);
    else bySkill.get(owner)?.push({ ...diagnostic, path: owner === "" ? path : path.slice(owner.length + 1) });
  }
  return { general, bySkill };
}

/** Every diagnostic of an upload, each path beginning with the folder of its skill when there are several. */
export function allDiagnostics(read: ReadUpload): Diagnostic[] {
  const skills = [...read.usable, ...read.refused];
  const prefixed = skills.flatMap(({ folder, diagnostics }) =>
    diagnostics.map((d) => (skills.length > 1 ? { ...d, path: d.path ? `${folder}/${d.path}` : folder } : d)),
  );
  return [...read.diagnostics, ...prefixed];
}

/** Nothing in the upload can be stored: says why, each reason with its place. */
export function unusableUpload(read: ReadUpload): AppError {
  const errors = allDiagnostics(read)
    .filter((diagnostic) => diagnostic.severity === "error")
    .map(({ path, line, message }) => ({ path: `${path ?? ""}${line ? `:${line}` : ""}`, message }));
  return new AppError("invalid", `No skill in this upload can be imported. ${errors[0]?.message ?? ""}`.trim(), {
    errors,
  });
}

function collision(read: ReadSkill, twin: ReadSkill): Diagnostic {
  return {
    code: "name_collision",
    severity: "error",
    message: `“${read.manifest.name}” has the same name as “${twin.manifest.name}” in ${twin.folder}; only that one is taken.`,
  };
}
