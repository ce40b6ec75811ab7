import { AppError } from "@/lib/core/errors";
import { ancestors } from "@/lib/skill-format/archive/archive-entry";
import { readArchive } from "@/lib/skill-format/archive/read-archive";
import {
  findCollisions,
  isSkillMarker,
  type LocatedSkill,
  type SplitSkill,
  splitSkills,
} from "@/lib/skill-format/archive/split-skills";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { ReadSkill } from "@/lib/skills/versions/store-version";

export type Upload = { filename: string; bytes: Uint8Array };
/** `location` is the folder's path in the upload, empty at its root. */
export type UploadedSkill = ReadSkill & { location: string };
/** A folder with a file of a skill's name that was not read as a skill. */
export type SkippedFolder = { location: string; reason: string };
type ReadUpload = {
  usable: UploadedSkill[];
  refused: UploadedSkill[];
  skipped: SkippedFolder[];
  diagnostics: Diagnostic[];
};

/**
 * Reads an uploaded file into skills. A skill with an error among its diagnostics, or whose name another skill of the
 * same upload has, is refused; the others are usable. Each folder that could be a skill is in one of the lists. Throws for an archive that is rejected as a whole.
 */
export async function readUpload(upload: Upload): Promise<ReadUpload> {
  const archive = await readArchive(upload);
  const fallbackName = upload.filename.replace(/^.*[\\/]/, "").replace(/\.(zip|skill|tar\.gz|tgz|tar|md)$/i, "");
  const split = splitSkills(archive.files, { fallbackName });
  const { general, bySkill } = sortByOwner(archive.diagnostics, split.skills);
  const usable: UploadedSkill[] = [];
  const refused: UploadedSkill[] = [];
  const placed: LocatedSkill[] = [];
  for (const { folder, location, files } of split.skills) {
    const { manifest, diagnostics } = readSkill(files, { folder });
    placed.push({ location, files, manifest });
    const read: UploadedSkill = {
      folder,
      location,
      files,
      manifest,
      diagnostics: [...(bySkill.get(location) ?? []), ...diagnostics],
    };
    const twin = usable.find((other) => other.manifest.slug === manifest.slug);
    if (twin) read.diagnostics.push(collision(read, twin));
    const isBroken = read.diagnostics.some((diagnostic) => diagnostic.severity === "error");
    (isBroken ? refused : usable).push(read);
  }
  const skipped = findSkipped([...archive.diagnostics, ...split.diagnostics], split.skills);
  return { usable, refused, skipped, diagnostics: [...general, ...split.diagnostics, ...findCollisions(placed)] };
}

/** Folders of which only the file was found and left out that would have made them a skill. */
function findSkipped(diagnostics: Diagnostic[], skills: SplitSkill[]): SkippedFolder[] {
  const found = new Set(skills.map(({ location }) => location));
  const skipped = diagnostics.flatMap(({ path, message }) => {
    const location = path === undefined ? "" : path.slice(0, Math.max(0, path.lastIndexOf("/")));
    return path !== undefined && isSkillMarker(path.toLowerCase()) && !found.has(location)
      ? [{ location, reason: message }]
      : [];
  });
  return [...new Map(skipped.map((folder) => [folder.location, folder])).values()];
}

/** What an upload, or files that came in another way, are told of. */
type Reported = Pick<ReadUpload, "diagnostics"> & Record<"usable" | "refused", (ReadSkill & { location?: string })[]>;

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
export function allDiagnostics(read: Reported): Diagnostic[] {
  const skills = [...read.usable, ...read.refused];
  const prefixed = skills.flatMap(({ folder, location, diagnostics }) => {
    const place = location || folder;
    return diagnostics.map((d) => (skills.length > 1 ? { ...d, path: d.path ? `${place}/${d.path}` : place } : d));
  });
  return [...read.diagnostics, ...prefixed];
}

/** Nothing in the upload can be stored: says why, each reason with its place. */
export function unusableUpload(read: Reported): AppError {
  const errors = allDiagnostics(read)
    .filter((diagnostic) => diagnostic.severity === "error")
    .map(({ path, line, message }) => ({ path: `${path ?? ""}${line ? `:${line}` : ""}`, message }));
  return new AppError("invalid", `No skill in this upload can be imported. ${errors[0]?.message ?? ""}`.trim(), {
    errors,
  });
}

function collision(read: ReadSkill, twin: UploadedSkill): Diagnostic {
  return {
    code: "name_collision",
    severity: "error",
    message: `“${read.manifest.name}” has the same name as “${twin.manifest.name}” in ${twin.location || "the root"}; only that one is taken.`,
  };
}
