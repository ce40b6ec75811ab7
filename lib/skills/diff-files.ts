import { structuredPatch } from "diff";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { FileDiff, VersionDiff } from "./schema";

const MAX_DIFF_BYTES = 1024 * 1024;

/** One side of a comparison. The bytes are asked for only when their hash is another on the other side. */
export type DiffSide = {
  path: string;
  mode: string;
  sha256: string;
  size: number;
  isText: boolean;
  bytes(): Promise<Uint8Array>;
};

/** What changed per file. Files that are not text, or larger than 1 MiB, have no hunks. */
export async function diffFiles(before: DiffSide[], after: DiffSide[]): Promise<FileDiff[]> {
  const paths = [...new Set([...before, ...after].map((file) => file.path))].sort();
  const files: FileDiff[] = [];
  for (const path of paths) {
    const [from, to] = [before, after].map((side) => side.find((file) => file.path === path));
    if (from && to && from.sha256 === to.sha256 && from.mode === to.mode) continue;
    files.push({
      path,
      change: from ? (to ? "changed" : "removed") : "added",
      modeBefore: modeOf(from),
      modeAfter: modeOf(to),
      hunks: await hunksOf(from, to),
    });
  }
  return files;
}

function modeOf(side: DiffSide | undefined): FileDiff["modeBefore"] {
  return side ? (side.mode === "755" ? "755" : "644") : null;
}

async function hunksOf(before: DiffSide | undefined, after: DiffSide | undefined): Promise<FileDiff["hunks"]> {
  const sides = [before, after].filter((side) => side !== undefined);
  if (sides.some((side) => !side.isText || side.size > MAX_DIFF_BYTES)) return null;
  const text = async (side: DiffSide | undefined) => (side ? new TextDecoder().decode(await side.bytes()) : "");
  const patch = structuredPatch("a", "b", await text(before), await text(after), "", "", { context: 3, timeout: 2000 });
  return patch ? patch.hunks : null;
}

/** What the files declare, with the class that follows from them. */
type Declared = { manifest: SkillManifest; proposedClass: string };

const COMPARED = [
  "description",
  "declaredClass",
  "entry",
  "envAllow",
  "timeoutSeconds",
  "allowedTools",
  "schema",
  "requires",
] as const;

export function declaredChanges(before: Declared, after: Declared): VersionDiff["changes"] {
  const changes: VersionDiff["changes"] = COMPARED.filter(
    (key) => JSON.stringify(before.manifest[key]) !== JSON.stringify(after.manifest[key]),
  ).map((key) => ({ field: key, before: before.manifest[key], after: after.manifest[key] }));
  if (before.proposedClass !== after.proposedClass) {
    changes.push({ field: "class", before: before.proposedClass, after: after.proposedClass });
  }
  return changes;
}
