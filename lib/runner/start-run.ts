import { findPersona } from "@/lib/auth/find-persona";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { assertGateOpens, gateRun } from "@/lib/policy/gate-run";
import { requireScope } from "@/lib/policy/require-scope";
import { type ApprovedVersion, requireApproved } from "@/lib/review/require-approved";
import { getSettings } from "@/lib/settings/get-settings";
import { validateArgs } from "@/lib/skill-format/validate-args";
import { assertOffered } from "@/lib/skills/access/assert-offered";
import { findNamedSkill } from "@/lib/skills/skill-access";
import { getRun } from "./get-run";
import { limitRuns } from "./limit-runs";
import { whyNoIsolation } from "./require-isolation";
import { requireNamedSop } from "./require-named-sop";
import type { DryRun, Run, StartRunInput } from "./schema";
import { storeRun } from "./store-run";
import { wake } from "./wake-bus";

export type StartedRun = { run: Run } | { dryRun: DryRun };

/**
 * Asks for a run of a skill's approved version with frozen arguments. What the policy lets through is queued; what needs
 * other people is parked as `awaiting_approval`. Errors: `not_approved`, `invalid` with the place of each wrong
 * argument, `confirmation_required` when a person runs what changes things without `confirm`, `forbidden` when a persona
 * does not allow it, `no_isolation` when the workers that could take it have no sandbox and no setting allows that,
 * `rate_limited`.
 */
export async function startRun(ctx: Ctx, idOrName: string, input: StartRunInput): Promise<StartedRun> {
  const actor = requireScope(ctx.actor, "run");
  await limitRuns(ctx, actor);
  const started = await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await findNamedSkill(txCtx, idOrName);
    const approved = await requireApproved(txCtx, skill);
    if (approved.manifest.entry === null)
      throw new AppError("invalid", `“${skill.name}” is a playbook: an agent uses it, there is nothing to run.`);
    assertArgsFit(approved, input.args);
    const settings = await getSettings(txCtx);
    const persona = await findPersona(txCtx, actor);
    const gate = gateRun({
      class: approved.class,
      persona,
      confirmed: input.confirm === true,
      soloMode: settings.soloMode,
      skill,
    });
    if (input.dryRun && gate.outcome === "refuse") return dryRun(gate, approved);
    if (gate.outcome === "refuse") assertGateOpens(gate);
    await assertOffered(txCtx, skill);
    const unsandboxed = await whyNoIsolation(txCtx, {
      class: approved.class,
      scope: skill.scope,
      workerId: input.workerId,
    });
    if (unsandboxed !== null && input.dryRun) {
      return dryRun({ outcome: "refuse", rule: "no_isolation", reason: unsandboxed, signatures: 0 }, approved);
    }
    if (unsandboxed !== null) throw new AppError("no_isolation", unsandboxed, { rule: "no_isolation" });
    const sopId = await requireNamedSop(txCtx, { class: approved.class, sop: input.sop, settings });
    if (input.dryRun) return dryRun(gate, approved);
    assertGateOpens(gate);
    const personaName = persona === null || persona === "missing" ? null : persona.name;
    return storeRun(tx, txCtx, { actor, skill, approved, input, gate, sopId, personaName, settings });
  });
  if (typeof started !== "string") return { dryRun: started };
  wake("work");
  return { run: await getRun(ctx, started) };
}

function assertArgsFit(approved: ApprovedVersion, args: Record<string, unknown>): void {
  const errors = validateArgs(approved.manifest.schema, args);
  if (errors.length === 0) return;
  const prefixed = errors.map(({ path, message }) => ({ path: path ? `args.${path}` : "args", message }));
  const first = `${prefixed[0]?.path} ${prefixed[0]?.message}`;
  throw new AppError("invalid", `The arguments do not fit the schema: ${first}.`, { errors: prefixed });
}

type Answer = Pick<DryRun, "outcome" | "rule" | "reason" | "signatures">;

function dryRun({ outcome, rule, reason, signatures }: Answer, approved: ApprovedVersion): DryRun {
  const ok = outcome === "start" || outcome === "park";
  return { ok, outcome, rule, reason, signatures, class: approved.class, versionDigest: approved.version.digest };
}
