import { type Actor, isPerson } from "@/lib/core/actor";
import { ownerIdOf } from "@/lib/policy/owner-key";
import { hasScope } from "@/lib/policy/require-scope";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { openApprovals, whyNotApprove } from "./approval-round";
import type { Version } from "./schema";
import type { VersionRow } from "./version-access";

/** What the caller may do with a version now. An approved one may be approved again, with other terms. */
export function whatCallerMay(
  actor: Actor,
  skill: { ownerKey: string; visibility: string },
  version: VersionRow,
  policy: SigningPolicy,
): Version["you"] {
  const nothing = { mayApprove: false, mayRefuse: false, mayRevoke: false, mayDismiss: false };
  if (!isPerson(actor)) return { ...nothing, whyNot: "Only people decide on versions." };
  const mayReview = hasScope(actor, "review");
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  const isDecidable = version.state === "pending" || version.state === "approved";
  const whyNot = hasScope(actor, "write")
    ? isDecidable
      ? whyNotApprove(actor, skill, version, policy)
      : `It is ${version.state.replace("_", " ")}; only what waits for a decision can be approved.`
    : "This needs the scope “write”.";
  const hasRound = version.state === "pending" || openApprovals(version).length > 0;
  return {
    mayApprove: whyNot === null,
    whyNot,
    mayRefuse: mayReview && isDecidable && hasRound,
    mayRevoke: (mayReview || isOwner) && version.state === "approved",
    mayDismiss: mayReview,
  };
}
