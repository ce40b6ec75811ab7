import type { PersonActor } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import { ownerIdOf } from "@/lib/policy/owner-key";
import { proposeClass } from "@/lib/policy/propose-class";
import {
  highestClass,
  type SigningPolicy,
  signaturesNeeded,
  signerOf,
  whyNotSign,
} from "@/lib/policy/signatures-needed";
import { type SkillClass, SkillManifest } from "@/lib/skill-format/schema";

type RoundDecision = { decision: string; standing: string | null; class: string | null; actorId: string };
type RoundVersion<D extends RoundDecision> = {
  manifest: string;
  files: { path: string; mode: string }[];
  decisions: D[];
  createdById: string;
  submittedById: string | null;
};

/** The approvals that wait for more of their kind; empty when nobody has signed yet. */
export function openApprovals<D extends RoundDecision>(version: { decisions: D[] }): D[] {
  return version.decisions.filter((decision) => decision.standing === "open");
}

/** The approvals a version serves under. */
export function countingApprovals<D extends RoundDecision>(version: { decisions: D[] }): D[] {
  return version.decisions.filter((decision) => decision.standing === "counts");
}

/** The highest of declared, proposed and chosen class. Without a choice, of what the open round chose. */
export function highestOf<D extends RoundDecision>(version: RoundVersion<D>, chosen?: SkillClass): SkillClass {
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const inRound = openApprovals(version).map((decision) => decision.class as SkillClass | null);
  const proposed = proposeClass(manifest, version.files).class;
  return highestClass(manifest.declaredClass, proposed, ...(chosen ? [chosen] : inRound));
}

/** Signatures of the open round, else of the approval that counts, and how many it takes. */
export function countSignatures<D extends RoundDecision>(
  version: RoundVersion<D>,
  policy: SigningPolicy,
): { approvals: D[]; needed: number } {
  const open = openApprovals(version);
  const counting = countingApprovals(version);
  const isClosed = open.length === 0 && counting.length > 0;
  const needed = signaturesNeeded(highestOf(version), policy);
  return { approvals: isClosed ? counting : open, needed: isClosed ? counting.length : needed };
}

/** Why this person may not approve this version with this class, if they may not. */
export function whyNotApprove<D extends RoundDecision>(
  actor: PersonActor,
  skill: { ownerKey: string },
  version: RoundVersion<D>,
  policy: SigningPolicy,
  chosen?: SkillClass,
): string | null {
  const ownerId = ownerIdOf(skill.ownerKey);
  const reason = whyNotSign({
    highest: highestOf(version, chosen),
    policy,
    signer: signerOf(actor),
    authorIds: [version.createdById, ...(version.submittedById ? [version.submittedById] : [])],
    owner: { kind: ownerId === null ? "org" : "user", id: ownerId },
  });
  if (reason !== null) return reason;
  const hasSigned = openApprovals(version).some((decision) => decision.actorId === actor.userId);
  return hasSigned ? "You have approved this version already; somebody else has to sign too." : null;
}
