import { setImmediate as turn } from "node:timers/promises";
import { canonicalJson, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { AGENT_TASK, planSteps, stepsOf } from "@/lib/policy/analysis/plan-steps";
import { AnalysisStep, MAX_MENTIONED } from "@/lib/policy/analysis/schema";
import { loadModel } from "@/lib/settings/models/require-model";
import { decodeText } from "@/lib/skill-format/archive/decode-text";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { VersionRow } from "@/lib/skills/version-access";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";

/** Of a name (RFC 1035, section 2.3.4), with a dot on both sides. */
const MAX_HOST = 257;

type Planned = Pick<VersionRow, "manifest" | "files">;

/** What an analysis of a version executes unless a reviewer chooses otherwise. */
export async function planVersion(ctx: Ctx, version: Planned): Promise<{ steps: AnalysisStep[]; leftOut: number }> {
  return planSteps(...(await readPlanned(ctx, version)));
}

async function readPlanned(ctx: Ctx, version: Planned): Promise<Parameters<typeof planSteps>> {
  const { entry, schema, kind } = parseJsonColumn(SkillManifest, version.manifest);
  const files = await readVersionFiles(ctx, version);
  return [
    { entry, schema, isPlaybook: kind === "playbook" },
    files.map(({ path, mode, bytes }) => ({ path, mode, text: decodeText(bytes) })),
  ];
}

/** The step of an agent that follows a playbook, for reviewers to add; null for other versions and without a model. */
export async function planAgent(ctx: Ctx, version: Planned): Promise<AnalysisStep | null> {
  const path = playbookOf(version);
  if (path === null) return null;
  const model = await loadModel(ctx, {}).catch(() => null);
  if (model === null) return null;
  return AnalysisStep.parse({
    ...{ kind: "agent", path, task: AGENT_TASK, endpointId: model.endpointId, model: model.model },
  });
}

function playbookOf(version: Planned): string | null {
  if (parseJsonColumn(SkillManifest, version.manifest).kind !== "playbook") return null;
  return version.files.find((file) => /^skill\.md$/i.test(file.path))?.path ?? null;
}

/** What only the files of a version tell of its report. */
export type OwnParts = { steps: ReadonlySet<number>; mentioned: string[] };

/**
 * `steps`: the indexes of the steps that execute what the version contains, in nothing changed by a reviewer: neither file, place, text
 * and language nor arguments and input. What others do is no act of the version. `mentioned`: which of the hosts its files name as a
 * text. Throws `version_tampered`.
 */
export async function findOwnParts(
  ctx: Ctx,
  version: Planned,
  { steps, hosts }: { steps: readonly AnalysisStep[]; hosts: readonly string[] },
): Promise<OwnParts> {
  const agentPath = playbookOf(version);
  const places = new Set(steps.map((step) => (step.kind === "command" ? `${step.line} ${step.path}` : step.path)));
  const isAsked = (path: string, line: number) => places.has(`${line} ${path}`);
  const [manifest, files] = await readPlanned(ctx, version);
  const planned = stepsOf(manifest, files, isAsked).steps;
  const own = new Set(planned.filter((step) => step.kind === "command" || places.has(step.path)).map(identityOf));
  const isOwn = (step: AnalysisStep) =>
    step.kind === "agent" ? step.path === agentPath && step.task === AGENT_TASK : own.has(identityOf(step));
  return {
    steps: new Set(steps.flatMap((step, index) => (isOwn(step) ? [index] : []))),
    mentioned: await findMentions(
      files.map(({ text }) => text),
      hosts,
    ),
  };
}

/** The hosts that stand in a text as whole words, such as `api.example.org` without a scheme. Other requests have their turn between files. */
async function findMentions(texts: readonly (string | null)[], hosts: readonly string[]): Promise<string[]> {
  const asked = new Set(hosts.filter((host) => host.includes(".")));
  const found = new Set<string>();
  if (asked.size === 0) return [];
  for (const text of texts) {
    await turn();
    for (const [word] of (text ?? "").matchAll(/[A-Za-z0-9_.-]+/g)) {
      const host = word.length > MAX_HOST ? "" : word.toLowerCase().replace(/^\.|\.$/g, "");
      if (asked.has(host)) found.add(host);
    }
  }
  return [...found].slice(0, MAX_MENTIONED);
}

/** Whether these steps contain every planned one, unchanged. */
export function coversPlan(steps: readonly AnalysisStep[], plan: readonly AnalysisStep[]): boolean {
  const known = new Set(steps.map(identityOf));
  return plan.every((step) => known.has(identityOf(step)));
}

/** As the step is stored, whose parser drops some keys of arguments. */
function identityOf(step: AnalysisStep): string | null {
  const stored = AnalysisStep.safeParse(JSON.parse(JSON.stringify(step)));
  return stored.success ? canonicalJson(stored.data) : null;
}
