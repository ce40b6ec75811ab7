import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { openApprovals } from "@/lib/skills/approval-round";
import { decidedAlready } from "./decided-already";
import { type DecisionAct, recordDecision } from "./record-decision";
import type { DecideVersionInput } from "./schema";
import { dropCurrent } from "./serve-version";

type Refusal = Exclude<DecideVersionInput["decision"], "approve">;
const NEXT_STATE = { request_changes: "changes_requested", reject: "rejected", revoke: "revoked" } as const;
const SENTENCE = { request_changes: "asked for changes to", reject: "rejected", revoke: "revoked" } as const;

/**
 * Asks for changes to a version, rejects or revokes it. On an approved version whose other terms wait for signatures, the
 * first two close that round and leave what stands.
 */
export async function refuseVersion(
  tx: Tx,
  ctx: Ctx,
  act: DecisionAct & { decision: Refusal; comment: string },
): Promise<void> {
  const { actor, skill, version, decision, comment } = act;
  const closesRound = decision !== "revoke" && version.state === "approved" && openApprovals(version).length > 0;
  assertState(act, decision, closesRound);
  const at = ctx.now();
  const ended = decision === "revoke" ? { in: ["open", "counts"] } : "open";
  await tx.decision.updateMany({ where: { versionId: version.id, standing: ended }, data: { standing: "void" } });
  if (!closesRound) {
    await tx.version.update({
      where: { id: version.id },
      data: { state: NEXT_STATE[decision], decidedAt: at, returnedReason: null },
    });
    await dropCurrent(tx, ctx, skill, version);
  }
  await recordDecision(tx, ctx, act, {
    decision,
    sentence: closesRound ? "declined other terms for" : SENTENCE[decision],
    given: 1,
    needed: 1,
    row: { id: newId(), createdAt: at, comment, actorId: actor.userId, actorName: actor.name },
  });
}

function assertState({ skill, version }: DecisionAct, decision: Refusal, closesRound: boolean): void {
  const wanted = decision === "revoke" ? "approved" : "pending";
  if (version.state === wanted || closesRound) return;
  if (version.decisions.length > 0) throw decidedAlready(skill, version);
  const state = version.state.replace("_", " ");
  throw new AppError(
    "conflict",
    `Version ${version.digest.slice(0, 7)} is ${state}; only ${wanted} versions can be ${NEXT_STATE[decision].replace("_", " ")}.`,
  );
}
