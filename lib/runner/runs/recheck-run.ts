import { findCaller } from "@/lib/auth/people/find-caller";
import { findPersona } from "@/lib/auth/personas";
import type { PersonActor } from "@/lib/core/actor";
import { isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { gateRun } from "@/lib/policy/gate-run";
import { hasScope } from "@/lib/policy/require-scope";
import { countSignatures } from "@/lib/runner/approvals/run-signatures";
import { findSop } from "@/lib/runner/approvals/sops";
import type { Settings } from "@/lib/settings/schema";
import { getSettings } from "@/lib/settings/settings";

import { SkillClass } from "@/lib/skill-format/schema";
import { assertOffered } from "@/lib/skills/access/judge-stored-skill";
import { requireSkill } from "@/lib/skills/skill-access";

type AskedRun = {
  id: string;
  class: string;
  callerKind: string;
  callerId: string;
  callerName: string;
  tokenId: string | null;
  sessionId: string | null;
  signatures: number | null;
  sopId: string | null;
  parentRunId?: string | null;
  skill: { name: string; slug: string; toolName: string };
};

type Recheck =
  | { verdict: "start"; caller: PersonActor | null }
  | { verdict: "wait"; given: number; needed: number }
  | { verdict: "refuse"; message: string };

export type CallerCache = Map<string, Promise<PersonActor | null>>;

/**
 * Applies the current policy to a run that was requested earlier: the caller must be active and the token valid, the
 * persona must still allow it, its procedure must verify, and enough people must have signed.
 */
export async function recheckRun(ctx: Ctx, run: AskedRun, callers: CallerCache = new Map()): Promise<Recheck> {
  if (run.callerKind === "system")
    return countTo(ctx, run, { caller: null, needed: run.signatures ?? 0, soloMode: false });
  const caller = await findCallerOnce(ctx, run, callers);
  if (caller === null)
    return refuse(`${run.callerName} may no longer run it: the account or the token is no longer valid.`);
  if (!hasScope(caller, "run")) return refuse(`${run.callerName} no longer has the right to run skills.`);
  const runClass = SkillClass.parse(run.class);
  const persona = await findPersona(ctx, caller);
  if (runClass === "safe" && persona === null && run.signatures === null) return { verdict: "start", caller };
  const settings = await getSettings(ctx);
  const { soloMode } = settings;
  const verdict = gateRun({ class: runClass, persona, confirmed: true, soloMode, skill: run.skill });
  if (verdict.outcome === "refuse") return refuse(`${verdict.reason} (rule: ${verdict.rule})`);
  if (!(await isSopFine(ctx, run, settings)))
    return refuse("Its standard operating procedure is missing or not valid.");
  // The confirmation or the signatures of the pipeline cover a mutating step that was not signed itself.
  const isCovered = (run.parentRunId ?? null) !== null && runClass === "mutating" && run.signatures === null;
  const needed = isCovered ? 0 : Math.max(run.signatures ?? 0, verdict.signatures);
  return countTo(ctx, run, { caller, needed, soloMode });
}

type Count = { caller: PersonActor | null; needed: number; soloMode: boolean };

async function countTo(ctx: Ctx, run: AskedRun, { caller, needed, soloMode }: Count): Promise<Recheck> {
  const given = needed === 0 ? 0 : await countSignatures(ctx, run, soloMode);
  return given < needed ? { verdict: "wait", given, needed } : { verdict: "start", caller };
}

function refuse(message: string): Recheck {
  return { verdict: "refuse", message };
}

function findCallerOnce(ctx: Ctx, run: AskedRun, callers: CallerCache): Promise<PersonActor | null> {
  const key = `${run.callerId} ${run.tokenId}`;
  const known = callers.get(key) ?? findCaller(ctx, { ...run, userId: run.callerId });
  callers.set(key, known);
  return known;
}

async function isSopFine(ctx: Ctx, run: AskedRun, settings: Settings): Promise<boolean> {
  if (run.sopId === null) return run.class !== "dangerous" || !settings.dangerousNeedsSop;
  return (await findSop(ctx, run.sopId))?.valid === true;
}

/** Why an agent may no longer use the skill of a run it asked for; null when it may, and for people. */
export async function whyNotOffered(ctx: Ctx, caller: PersonActor | null, skillId: string): Promise<string | null> {
  if (caller === null || !isAgent(caller)) return null;
  const asCaller = { ...ctx, actor: caller };
  try {
    await assertOffered(asCaller, await requireSkill(asCaller, skillId));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
