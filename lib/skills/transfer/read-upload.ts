import { AppError } from "@/lib/core/errors";
import { loopTurn } from "@/lib/core/threads/loop-turn";
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
/** `location`: path of the folder in the upload; empty at its root. */
export type UploadedSkill = ReadSkill & { location: string };
export type SkippedFolder = { location: string; reason: string };
type ReadUpload = {
  usable: UploadedSkill[];
  refused: UploadedSkill[];
  skipped: SkippedFolder[];
  diagnostics: Diagnostic[];
};

/**
 * Reads the skills of an uploaded file. Skills with an error, or with the name of an earlier one, are refused. Each
 * folder that could be a skill is in one of the lists. Throws for an archive that is rejected as a whole.
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
    await loopTurn();
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

type Reported = Pick<ReadUpload, "diagnostics"> & Record<"usable" | "refused", (ReadSkill & { location?: string })[]>;

/** Assigns each diagnostic to the skill that contains its path, which becomes relative to that skill. */
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

/** All diagnostics of an upload; with several skills each path begins with the skill's folder. */
export function allDiagnostics(read: Reported): Diagnostic[] {
  const skills = [...read.usable, ...read.refused];
  const prefixed = skills.flatMap(({ folder, location, diagnostics }) => {
    const place = location || folder;
    return diagnostics.map((d) => (skills.length > 1 ? { ...d, path: d.path ? `${place}/${d.path}` : place } : d));
  });
  return [...read.diagnostics, ...prefixed];
}

/** Error for an upload without a usable skill, with all reasons. */
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
    message: `“${read.manifest.name}” has the same name as “${twin.manifest.name}” in ${twin.location || "the root"}; only that one is imported.`,
  };
}
