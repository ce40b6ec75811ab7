import { isAgent, type PersonActor, Role } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import type { RunDecision } from "@/lib/db/generated/client";
import { hasScope } from "@/lib/policy/require-scope";
import { type SigningRefusal, whyNotSignRun } from "@/lib/policy/signatures-needed";
import { SkillClass } from "@/lib/skill-format/schema";

type SignedRun = { id: string; class: string; callerId: string; signatures: number | null };

/** Whether one person alone may sign: solo mode is on now and was on when the run was parked. */
export function isSoloFor(run: Pick<SignedRun, "signatures">, soloMode: boolean): boolean {
  return soloMode && run.signatures === 1;
}

/** Number of different people who have approved a run and could still do so; people who left or lost the right do not count. */
export async function countSignatures(ctx: Ctx, run: SignedRun, soloMode: boolean): Promise<number> {
  const decisions = await ctx.db.runDecision.findMany({ where: { runId: run.id, decision: "approve" } });
  return (await countEach(ctx, [run], decisions, soloMode)).get(run.id) ?? 0;
}

/** Like `countSignatures` for several runs, by run id, from all decisions on them. */
export async function countEach(
  ctx: Ctx,
  runs: SignedRun[],
  decisions: Pick<RunDecision, "runId" | "actorId" | "decision">[],
  soloMode: boolean,
): Promise<Map<string, number>> {
  const approvals = decisions.filter(({ decision }) => decision === "approve");
  if (approvals.length === 0) return new Map();
  const people = await ctx.db.user.findMany({
    where: { id: { in: approvals.map(({ actorId }) => actorId) }, state: "active" },
  });
  return new Map(
    runs.map((run) => {
      const signed = new Set(approvals.filter(({ runId }) => runId === run.id).map(({ actorId }) => actorId));
      const counts = people.filter(
        (person) =>
          signed.has(person.id) &&
          whyNotSignRun({
            class: SkillClass.parse(run.class),
            signer: { userId: person.id, canReview: Role.parse(person.role) !== "user", isAgent: false },
            callerId: run.callerId,
            soloMode: isSoloFor(run, soloMode),
          }) === null,
      );
      return [run.id, counts.length];
    }),
  );
}

type DecidableRun = { class: string; callerId: string; signatures: number | null };

/** Why the policy does not let a person approve a parked run; null when it does. */
export function whyNotDecide(actor: PersonActor, run: DecidableRun, soloMode: boolean): SigningRefusal | null {
  return whyNotSignRun({
    class: SkillClass.parse(run.class),
    signer: { userId: actor.userId, canReview: hasScope(actor, "review"), isAgent: isAgent(actor) },
    callerId: run.callerId,
    soloMode: isSoloFor(run, soloMode),
  });
}
