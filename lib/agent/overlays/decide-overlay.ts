import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import type { SkillRow } from "@/lib/skills/skill-access";
import {
  aboutOverlay,
  examplesOf,
  mayWithdraw,
  type OverlayRow,
  presentOverlay,
  requireOverlay,
  whyNotDecide,
} from "./read-overlays";
import type { DecideOverlayInput, SkillOverlay } from "./schema";

const NEXT = { approve: "approved", reject: "rejected", withdraw: "withdrawn" } as const;
const VERBS = { approve: "approved", reject: "rejected", withdraw: "withdrew" } as const;

/**
 * Decides on an overlay: reviewers approve or reject it; its proposer, the skill's owner and reviewers withdraw it. Approving
 * replaces the approved one. `conflict` when it is decided already, or was made for a version that is no longer active;
 * `separation_of_duties` when solo mode is off and the caller proposed it.
 */
export async function decideOverlay(ctx: Ctx, id: string, input: DecideOverlayInput): Promise<SkillOverlay> {
  const actor = requireScope(ctx.actor, input.decision === "withdraw" ? "write" : "review");
  return inTransaction(ctx, async (tx, txCtx) => {
    const { row, skill } = await requireOverlay(txCtx, id);
    const policy = await getSettings(txCtx);
    assertOpen(row, input.decision);
    if (input.decision === "withdraw") {
      if (!mayWithdraw(actor, row, skill)) {
        throw new AppError("forbidden", "Only its proposer, the skill's owner and reviewers may withdraw an overlay.");
      }
    } else {
      const whyNot = whyNotDecide(actor, row, policy);
      if (whyNot !== null) throw new AppError("separation_of_duties", whyNot);
    }
    if (input.decision === "approve") await replaceApproved(tx, row, skill);
    const decided = await tx.overlay.update({
      where: { id },
      data: {
        state: NEXT[input.decision],
        decidedAt: ctx.now(),
        decidedById: actor.userId,
        decidedByName: actor.name,
        comment: input.comment,
      },
    });
    await recordEvent(tx, txCtx, {
      action: `overlay.${input.decision}`,
      ...aboutOverlay(row, skill),
      summary: `${VERBS[input.decision]} the overlay of ${skill.name} by ${row.optimizer}`,
      data: { comment: input.comment, description: row.description, fewShot: examplesOf(row) },
    });
    return presentOverlay(txCtx, decided, skill, policy);
  });
}

function assertOpen(row: OverlayRow, decision: DecideOverlayInput["decision"]): void {
  if (row.state === "pending" || (decision === "withdraw" && row.state === "approved")) return;
  const by = row.decidedByName === null ? "" : ` by ${row.decidedByName}`;
  throw new AppError("conflict", `This overlay is ${row.state}${by}. Only a pending overlay can be decided on.`);
}

async function replaceApproved(tx: Tx, row: OverlayRow, skill: SkillRow): Promise<void> {
  if (skill.current?.digest !== row.baseDigest) {
    const now = skill.current
      ? `its active version is now ${skill.current.digest.slice(0, 7)}`
      : "it has no active version now";
    const message = `The overlay was made for version ${row.baseDigest.slice(0, 7)} of “${skill.name}”; ${now}. Propose it again.`;
    throw new AppError("conflict", message);
  }
  await tx.overlay.updateMany({ where: { skillId: skill.id, state: "approved" }, data: { state: "replaced" } });
}
