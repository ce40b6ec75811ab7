import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { gateRun } from "@/lib/policy/gate-run";
import { requireScope } from "@/lib/policy/require-scope";
import { type ApprovedVersion, requireApproved } from "@/lib/review/require-approved";
import { getSettings } from "@/lib/settings/get-settings";
import { validateArgs } from "@/lib/skill-format/validate-args";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import type { RunLimits } from "@/lib/worker/protocol";
import { getRun } from "./get-run";
import type { Run, StartRunInput } from "./schema";
import { wake } from "./wake-bus";

const STDERR_BYTES = 1024 * 1024;

export type StartedRun = { run: Run } | { dryRun: { ok: true; class: string; versionDigest: string } };

/**
 * Queues a run of a skill's approved version with frozen arguments. Errors: `not_approved`, `invalid` with the place of
 * each wrong argument, `confirmation_required` when a person runs what changes things without `confirm`, `forbidden`.
 */
export async function startRun(ctx: Ctx, idOrName: string, input: StartRunInput): Promise<StartedRun> {
  const actor = requireScope(ctx.actor, "run");
  const started = await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, idOrName);
    const approved = await requireApproved(txCtx, skill);
    if (approved.manifest.entry === null)
      throw new AppError("invalid", `“${skill.name}” is a playbook: an agent uses it, there is nothing to run.`);
    const errors = validateArgs(approved.manifest.schema, input.args);
    if (errors.length > 0) {
      const prefixed = errors.map(({ path, message }) => ({ path: path ? `args.${path}` : "args", message }));
      throw new AppError(
        "invalid",
        `The arguments do not fit the schema: ${prefixed[0]?.path} ${prefixed[0]?.message}.`,
        { errors: prefixed },
      );
    }
    const settings = await getSettings(txCtx);
    gateRun({
      class: approved.class,
      actor,
      confirmed: input.confirm === true,
      soloMode: settings.soloMode,
      skillName: skill.name,
    });
    if (input.dryRun) return null;
    const limits: RunLimits = {
      timeoutMs: Math.min(approved.grants.timeoutSeconds ?? 30, settings.maxTimeoutSeconds) * 1000,
      stdoutBytes: settings.stdoutLimitMiB * 1024 * 1024,
      stderrBytes: STDERR_BYTES,
    };
    return queueRun(tx, txCtx, actor, { skill, approved, input, limits });
  });
  if (started === null) return dryRunAnswer(ctx, idOrName);
  wake("work");
  return { run: await getRun(ctx, started) };
}

async function queueRun(
  tx: Tx,
  ctx: Ctx,
  actor: PersonActor,
  {
    skill,
    approved,
    input,
    limits,
  }: { skill: SkillRow; approved: ApprovedVersion; input: StartRunInput; limits: RunLimits },
): Promise<string> {
  const id = newId();
  const argsDigest = sha256Hex(canonicalJson(input.args));
  await tx.run.create({
    data: {
      id,
      skillId: skill.id,
      versionId: approved.version.id,
      versionDigest: approved.version.digest,
      subject: approved.subject,
      class: approved.class,
      scope: skill.scope,
      state: "queued",
      args: JSON.stringify(input.args),
      argsDigest,
      limits: JSON.stringify(limits),
      env: JSON.stringify(approved.grants.env ?? []),
      targetWorker: input.workerId ?? null,
      callerId: actor.userId,
      callerName: actor.name,
      callerKind: actor.kind,
      tokenId: actor.kind === "token" ? actor.tokenId : null,
      sessionId: actor.kind === "user" ? actor.sessionId : null,
      requestId: ctx.request.requestId,
      queuedAt: ctx.now(),
    },
  });
  await tx.skill.update({ where: { id: skill.id }, data: { lastUsedAt: ctx.now() } });
  await recordEvent(tx, ctx, {
    action: "run.start",
    summary: `started ${skill.name}`,
    target: { kind: "run", id, name: skill.name },
    skillId: skill.id,
    versionDigest: approved.version.digest,
    runId: id,
    tool: skill.toolName,
    class: approved.class,
    data: { args: input.args, argsDigest, subject: approved.subject },
  });
  return id;
}

async function dryRunAnswer(ctx: Ctx, idOrName: string): Promise<StartedRun> {
  const approved = await requireApproved(ctx, await requireSkill(ctx, idOrName));
  return { dryRun: { ok: true, class: approved.class, versionDigest: approved.version.digest } };
}
