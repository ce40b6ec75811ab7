import type { Ctx } from "@/lib/db/context";
import { readEntry } from "./present-decisions";
import { type Version, VersionState } from "./schema";
import type { SkillRow } from "./skill-access";
import type { VersionRow } from "./version-access";

/** The script that the serving version runs, when another version is looked at that has the file too, or had it. */
export async function carriedEntry(ctx: Ctx, skill: SkillRow, version: VersionRow): Promise<Version["carriedEntry"]> {
  const serving = skill.current;
  const entry = readEntry(serving?.entry ?? null);
  if (serving === null || entry === null || serving.id === version.id) return null;
  const before = await ctx.db.versionFile.findUnique({
    where: { versionId_path: { versionId: serving.id, path: entry.path } },
  });
  const now = version.files.find(({ path }) => path === entry.path);
  const from = { digest: serving.digest, number: serving.number, state: VersionState.parse(serving.state) };
  const file = now === undefined ? "gone" : now.sha256 === before?.sha256 ? "unchanged" : "changed";
  return { entry, from, file };
}
