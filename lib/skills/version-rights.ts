import { type Actor, isPerson } from "@/lib/core/actor";
import { ownerIdOf } from "@/lib/policy/owner-key";
import { hasScope } from "@/lib/policy/require-scope";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { judgeActivator } from "./activation-rights";
import { judgeApprover, openApprovals } from "./approval-round";
import type { Version } from "./schema";
import type { VersionRow } from "./version-access";

/** What the caller may do with a version now. An approved one may be approved again, with other terms. */
export function whatCallerMay(
  actor: Actor,
  skill: { ownerKey: string; visibility: string; currentId: string | null },
  version: VersionRow,
  policy: SigningPolicy,
): Version["you"] {
  const nothing = { mayApprove: false, forOwnUse: false, mayRefuse: false, mayRevoke: false, mayDismiss: false };
  const noActivation = { mayActivate: false, whyNotActivate: null };
  if (!isPerson(actor)) return { ...nothing, ...noActivation, whyNot: "Only people decide on versions." };
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
    ...(version.state === "approved" && skill.currentId !== version.id
      ? whetherToActivate(actor, skill, version, policy)
      : noActivation),
  };
}

function whetherToActivate(...[actor, skill, version, policy]: Parameters<typeof judgeActivator>) {
  const isConcerned = hasScope(actor, "review") || ownerIdOf(skill.ownerKey) === actor.userId;
  if (!isConcerned) return { mayActivate: false, whyNotActivate: "Only a reviewer may make it active." };
  if (!hasScope(actor, "write")) return { mayActivate: false, whyNotActivate: "This needs the scope “write”." };
  const judged = judgeActivator(actor, skill, version, policy);
  return "right" in judged
    ? { mayActivate: true, whyNotActivate: null }
    : { mayActivate: false, whyNotActivate: judged.whyNot };
}
