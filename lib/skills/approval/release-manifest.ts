import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { processStore } from "@/lib/core/process-store";
import { Grants } from "@/lib/policy/grants/schema";
import { SkillClass } from "@/lib/skill-format/schema";

const ReleasedBuiltin = z.object({
  name: z.string(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  class: SkillClass,
  scope: z.enum(["manager", "host"]),
  grants: Grants,
  context: z.enum(["edges", "changes"]).optional(),
});
export type ReleasedBuiltin = z.infer<typeof ReleasedBuiltin>;

const ReleaseManifest = z.object({ release: z.string(), builtins: z.array(ReleasedBuiltin) });
type ReleaseManifest = z.infer<typeof ReleaseManifest>;

const NOTHING: ReleaseManifest = { release: "", builtins: [] };

/**
 * Built-ins of this release, from `.build/builtins/manifest.json`; read again after a new build, empty without one.
 * Only this file decides what the release approves, never a worker.
 */
export async function releaseManifest(
  file = join(/* turbopackIgnore: true */ process.cwd(), ".build", "builtins", "manifest.json"),
): Promise<ReleaseManifest> {
  const known = processStore("release-manifest", () => new Map<string, { print: string; manifest: ReleaseManifest }>());
  const stats = await stat(file).catch(() => null);
  if (stats === null) return NOTHING;
  const print = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
  const kept = known.get(file);
  if (kept?.print === print) return kept.manifest;
  const manifest = ReleaseManifest.parse(JSON.parse(await readFile(file, "utf8")));
  known.set(file, { print, manifest });
  return manifest;
}

/** The built-in with this digest; null for all other bytes. */
export async function findReleased(digest: string): Promise<(ReleasedBuiltin & { release: string }) | null> {
  const { release, builtins } = await releaseManifest();
  const found = builtins.find((builtin) => builtin.digest === digest);
  return found ? { ...found, release } : null;
}
