import { structuredPatch } from "diff";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { presentVersion } from "./get-version";
import { readBlob } from "./get-version-file";
import type { FileDiff, Version, VersionDiff } from "./schema";
import { requireVersion } from "./version-access";

const MAX_DIFF_BYTES = 1024 * 1024;

/**
 * What a version changes against another: per file, and what the reader makes of it. Without `against`, the version
 * that serves now; `not_found` when none does. Files that are not text, or larger than 1 MiB, have no hunks.
 */
export async function diffVersions(ctx: Ctx, idOrName: string, digest: string, against?: string): Promise<VersionDiff> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const baseDigest = against ?? skill.current?.digest;
  if (!baseDigest) throw new AppError("not_found", `“${skill.name}” has no approved version to compare with.`);
  const base = (await requireVersion(ctx, skill.id, baseDigest)).version;
  const paths = [...new Set([...base.files, ...version.files].map((file) => file.path))].sort();
  const files: FileDiff[] = [];
  for (const path of paths) {
    const before = base.files.find((file) => file.path === path);
    const after = version.files.find((file) => file.path === path);
    if (before && after && before.sha256 === after.sha256 && before.mode === after.mode) continue;
    files.push({
      path,
      change: before ? (after ? "changed" : "removed") : "added",
      modeBefore: before ? (before.mode === "755" ? "755" : "644") : null,
      modeAfter: after ? (after.mode === "755" ? "755" : "644") : null,
      hunks: await hunksOf(ctx, before, after),
    });
  }
  return {
    digest: version.digest,
    against: base.digest,
    files,
    changes: declaredChanges(presentVersion(base), presentVersion(version)),
  };
}

type FileRow = { path: string; sha256: string; size: number; isText: boolean };

async function hunksOf(ctx: Ctx, before: FileRow | undefined, after: FileRow | undefined): Promise<FileDiff["hunks"]> {
  const sides = [before, after].filter((side) => side !== undefined);
  if (sides.some((side) => !side.isText || side.size > MAX_DIFF_BYTES)) return null;
  const text = async (side: FileRow | undefined) =>
    side ? new TextDecoder().decode(await readBlob(ctx, side.sha256)) : "";
  const patch = structuredPatch("a", "b", await text(before), await text(after), "", "", { context: 3, timeout: 2000 });
  return patch ? patch.hunks : null;
}

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

function declaredChanges(before: Version, after: Version): VersionDiff["changes"] {
  const changed = COMPARED.filter(
    (key) => JSON.stringify(before.manifest[key]) !== JSON.stringify(after.manifest[key]),
  ).map((key) => ({
    field: key as string,
    before: before.manifest[key] as unknown,
    after: after.manifest[key] as unknown,
  }));
  if (before.proposedClass !== after.proposedClass) {
    changed.push({ field: "class", before: before.proposedClass, after: after.proposedClass });
  }
  return z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })).parse(changed);
}
