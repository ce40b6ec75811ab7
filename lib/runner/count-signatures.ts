import { Role } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { whyNotSignRun } from "@/lib/policy/sign-run";
import { SkillClass } from "@/lib/skill-format/schema";

type SignedRun = { id: string; class: string; callerId: string; signatures: number | null };

/** Whether a person alone may sign: solo mode holds now and held when the run was parked. */
export function isSoloFor(run: Pick<SignedRun, "signatures">, soloMode: boolean): boolean {
  return soloMode && run.signatures === 1;
}

/** How many different people have approved a run who could still do so now; who has left or lost the right does not count. */
export async function countSignatures(ctx: Ctx, run: SignedRun, soloMode: boolean): Promise<number> {
  const approvals = await ctx.db.runDecision.findMany({ where: { runId: run.id, decision: "approve" } });
  if (approvals.length === 0) return 0;
  const people = await ctx.db.user.findMany({
    where: { id: { in: approvals.map(({ actorId }) => actorId) }, state: "active" },
  });
  return people.filter(
    (person) =>
      whyNotSignRun({
        class: SkillClass.parse(run.class),
        signer: { userId: person.id, canReview: Role.parse(person.role) !== "user", isAgent: false },
        callerId: run.callerId,
        soloMode: isSoloFor(run, soloMode),
      }) === null,
  ).length;
}
