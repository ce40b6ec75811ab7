import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { readVersionFiles } from "@/lib/skills/read-version-files";
import { requireVersion } from "@/lib/skills/version-access";
import { type ReadEvals, readEvals } from "./read-evals";
import type { VersionEvals } from "./schema";

/** The cases that a version carries, with the files they give to a model. `not_found` like the version itself. */
export async function readVersionEvals(ctx: Ctx, skillId: string, digest: string): Promise<ReadEvals> {
  const { version } = await requireVersion(ctx, skillId, digest);
  if (!version.files.some(({ path }) => path.startsWith("evals/"))) return { cases: [], diagnostics: [] };
  return readEvals(await readVersionFiles(ctx, version));
}

/** The same for people: files by their paths. */
export async function getVersionEvals(ctx: Ctx, skillId: string, digest: string): Promise<VersionEvals> {
  requireScope(ctx.actor, "read");
  const { version } = await requireVersion(ctx, skillId, digest);
  const { cases, diagnostics } = await readVersionEvals(ctx, skillId, digest);
  return {
    versionDigest: version.digest,
    versionNumber: version.number,
    cases: cases.map((item) => ({ ...item, files: item.files.map(({ path }) => path) })),
    diagnostics,
  };
}
