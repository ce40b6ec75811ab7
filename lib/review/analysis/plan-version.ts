import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { AGENT_TASK, planSteps } from "@/lib/policy/analysis/plan-steps";
import { AnalysisStep } from "@/lib/policy/analysis/schema";
import { loadModel } from "@/lib/settings/models/require-model";
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

/** The step of an agent that follows a playbook, for reviewers to add; null for other versions and without a model. */
export async function planAgent(ctx: Ctx, version: VersionRow): Promise<AnalysisStep | null> {
  if (parseJsonColumn(SkillManifest, version.manifest).kind !== "playbook") return null;
  const path = version.files.find((file) => /^skill\.md$/i.test(file.path))?.path;
  const model = await loadModel(ctx, {}).catch(() => null);
  if (path === undefined || model === null) return null;
  return AnalysisStep.parse({
    ...{ kind: "agent", path, task: AGENT_TASK, endpointId: model.endpointId, model: model.model },
  });
}
