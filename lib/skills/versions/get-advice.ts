import type { Ctx } from "@/lib/db/context";
import { writeSpec } from "@/lib/skill-format/export/write-spec";
import { checkQuality } from "@/lib/skill-format/manifest/check-quality";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { requireVersion } from "@/lib/skills/version-access";
import { readVersionFiles } from "./read-blob";
import type { VersionAdvice } from "./schema";

/** Suggestions for the author, and what the standard export format cannot express. Advice only. */
export async function getAdvice(ctx: Ctx, idOrName: string, digest: string): Promise<VersionAdvice> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const files = await readVersionFiles(ctx, version);
  const { manifest } = readSkill(files, { folder: skill.slug });
  return { quality: checkQuality(files, manifest), specLosses: writeSpec(files, manifest).losses };
}
