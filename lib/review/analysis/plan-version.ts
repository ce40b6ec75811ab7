import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { planSteps } from "@/lib/policy/analysis/plan-steps";
import type { AnalysisStep } from "@/lib/policy/analysis/schema";
import { decodeText } from "@/lib/skill-format/archive/decode-text";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { VersionRow } from "@/lib/skills/version-access";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";

/** What an analysis of a version executes unless a reviewer chooses otherwise. */
export async function planVersion(ctx: Ctx, version: VersionRow): Promise<{ steps: AnalysisStep[]; leftOut: number }> {
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const files = await readVersionFiles(ctx, version);
  const isPlaybook = manifest.kind === "playbook";
  return planSteps(
    { entry: manifest.entry, schema: manifest.schema, isPlaybook },
    files.map(({ path, mode, bytes }) => ({ path, mode, text: decodeText(bytes) })),
  );
}
