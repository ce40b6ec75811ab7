import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { compareVersions } from "./compare-versions";
import { type DiffSide, declaredChanges, diffFiles } from "./diff-files";
import { presentVersion } from "./get-version";
import { isWithheld } from "./is-withheld";
import { readBlob } from "./read-blob";
import type { Version, VersionDiff } from "./schema";
import { requireVersion, type VersionRow } from "./version-access";

/**
 * What a version changes against another: per file, what the reader makes of it, and what it may do now that it might not
 * before. Without `against`, the version that serves now; `not_found` when none does. An agent is told which scripts
 * changed, and not how, unless a reviewer granted them.
 */
export async function diffVersions(ctx: Ctx, idOrName: string, digest: string, against?: string): Promise<VersionDiff> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const baseDigest = against ?? skill.current?.digest;
  if (!baseDigest) throw new AppError("not_found", `“${skill.name}” has no approved version to compare with.`);
  const base = (await requireVersion(ctx, skill.id, baseDigest)).version;
  const before = await presentVersion(ctx, skill, base);
  const after = await presentVersion(ctx, skill, version);
  return {
    digest: version.digest,
    against: base.digest,
    files: await diffFiles(sidesOf(ctx, base), sidesOf(ctx, version)),
    changes: [...declaredChanges(before, after), ...entryChange(before, after)],
    ...compareVersions(before, after),
  };
}

function sidesOf(ctx: Ctx, version: VersionRow): DiffSide[] {
  return version.files.map(({ path, mode, sha256, size, isText }) => ({
    ...{ path, mode, sha256, size, isText: isText && !isWithheld(ctx.actor, version, { path, mode }) },
    bytes: () => readBlob(ctx, { sha256, path, versionId: version.id }),
  }));
}

/** The script that runs start, where a decision made it runnable: a version that waits is proposed the one that serves. */
function entryChange(before: Version, after: Version): VersionDiff["changes"] {
  const isGone = !after.files.some(({ path }) => path === before.entry?.path);
  const next = after.state === "approved" ? after.entry : isGone ? null : before.entry;
  if (JSON.stringify(before.entry) === JSON.stringify(next)) return [];
  return [{ field: "runnable script", before: before.entry, after: next }];
}
