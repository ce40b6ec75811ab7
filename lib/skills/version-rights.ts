import { type Actor, isPerson } from "@/lib/core/actor";
import { ownerIdOf } from "@/lib/policy/owner-key";
import { hasScope } from "@/lib/policy/require-scope";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { judgeApprover, openApprovals } from "./approval-round";
import type { Version } from "./schema";
import type { VersionRow } from "./version-access";

/** What the caller may do with a version now. An approved one may be approved again, with other terms. */
export function whatCallerMay(
  actor: Actor,
  skill: { ownerKey: string; visibility: string },
  version: VersionRow,
  policy: SigningPolicy,
): Version["you"] {
  const nothing = { mayApprove: false, forOwnUse: false, mayRefuse: false, mayRevoke: false, mayDismiss: false };
  if (!isPerson(actor)) return { ...nothing, whyNot: "Only people decide on versions." };
  const mayReview = hasScope(actor, "review");
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  const isDecidable = version.state === "pending" || version.state === "approved";
  const judged = !hasScope(actor, "write")
    ? { whyNot: "This needs the scope “write”." }
    : isDecidable
      ? judgeApprover(actor, skill, version, policy)
      : { whyNot: `It is ${version.state.replace("_", " ")}; only what waits for a decision can be approved.` };
  const hasRound = version.state === "pending" || openApprovals(version).length > 0;
  return {
    mayApprove: "right" in judged,
    whyNot: "right" in judged ? null : judged.whyNot,
    forOwnUse: "right" in judged && judged.right === "own",
    mayRefuse: mayReview && isDecidable && hasRound,
    mayRevoke: (mayReview || isOwner) && version.state === "approved",
    mayDismiss: mayReview,
  };
}
