import type { PersonActor, Role } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import { Grants } from "@/lib/policy/grants/schema";
import { settleGrants } from "@/lib/policy/grants/settle-grants";
import { ownerIdOf } from "@/lib/policy/ownership";
import { extraPermissions } from "@/lib/policy/plain-sandbox";
import { proposeClass } from "@/lib/policy/propose-class";
import {
  highestClass,
  judgeSigner,
  type SigningPolicy,
  type SigningRight,
  signaturesNeeded,
  signerOf,
} from "@/lib/policy/signatures-needed";
import { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { type SkillClass, SkillManifest } from "@/lib/skill-format/schema";

type RoundDecision = {
  decision: string;
  standing: string | null;
  class: string | null;
  grants: string | null;
  entry: string | null;
  actorId: string;
};
type RoundVersion<D extends RoundDecision> = {
  manifest: string;
  files: { path: string; mode: string }[];
  decisions: D[];
  createdById: string;
  submittedById: string | null;
};

/** Approvals of the open round; empty before the first signature. */
export function openApprovals<D extends RoundDecision>(version: { decisions: D[] }): D[] {
  return version.decisions.filter((decision) => decision.standing === "open");
}

/** The approvals that count for the current state of a version. */
export function countingApprovals<D extends RoundDecision>(version: { decisions: D[] }): D[] {
  return version.decisions.filter((decision) => decision.standing === "counts");
}

/** The highest of the declared, proposed and chosen class; without `chosen`, of the classes in the open round. */
export function highestOf<D extends RoundDecision>(version: RoundVersion<D>, chosen?: SkillClass): SkillClass {
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const inRound = openApprovals(version).map((decision) => decision.class as SkillClass | null);
  const proposed = proposeClass(manifest, version.files).class;
  return highestClass(manifest.declaredClass, proposed, ...(chosen ? [chosen] : inRound));
}

/** Signatures of the open round, else of the counting approval, and how many are needed. */
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

/** Terms that a decision chooses; omitted ones are as declared. */
export type ChosenTerms = {
  class?: SkillClass | undefined;
  grants?: Grants | undefined;
  entry?: ScriptEntry | null | undefined;
};

/** The right to approve a version with these terms (default: those of the open round), or why not. */
export function judgeApprover<D extends RoundDecision>(
  actor: PersonActor,
  ...question: Question<D>
): { right: SigningRight } | { whyNot: string } {
  return judge(signerOf(actor), ...question);
}

/** Whether a person may give the next approval, signed in by a browser. */
export function mayApprove<D extends RoundDecision>(
  person: { id: string; role: Role },
  ...question: Question<D>
): boolean {
  return "right" in judge({ userId: person.id, canReview: person.role !== "user", isPresent: true }, ...question);
}

type Question<D extends RoundDecision> = [
  skill: { ownerKey: string; visibility: string },
  version: RoundVersion<D>,
  policy: SigningPolicy,
  chosen?: ChosenTerms,
];

function judge<D extends RoundDecision>(
  signer: ReturnType<typeof signerOf>,
  ...[skill, version, policy, chosen]: Question<D>
): { right: SigningRight } | { whyNot: string } {
  const ownerId = ownerIdOf(skill.ownerKey);
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const terms = chosen ?? termsOfRound(version);
  const judged = judgeSigner({
    highest: highestOf(version, terms.class),
    policy,
    signer,
    authorIds: authorsOf(version),
    owner: { kind: ownerId === null ? "org" : "user", id: ownerId },
    beyond: extraPermissions(manifest, {
      grants: settleGrants(manifest, terms.grants),
      entry: terms.entry ?? null,
      files: version.files,
    }),
    isPublic: skill.visibility === "public",
  });
  if ("whyNot" in judged) return judged;
  const hasSigned = openApprovals(version).some((decision) => decision.actorId === signer.userId);
  return hasSigned
    ? { whyNot: "You have already approved this version. Another reviewer must approve it too." }
    : judged;
}

/** Why this person may not approve a version with these terms; null when they may. */
export function whyNotApprove<D extends RoundDecision>(
  ...question: Parameters<typeof judgeApprover<D>>
): string | null {
  const judged = judgeApprover(...question);
  return "right" in judged ? null : judged.whyNot;
}

/** Ids of the persons who wrote, imported or submitted the files. */
export function authorsOf({ createdById, submittedById }: Pick<RoundVersion<never>, "createdById" | "submittedById">) {
  return [createdById, ...(submittedById ? [submittedById] : [])];
}

/**
 * Ids of the people whose decisions on a version are not those of another person: its authors and the owner of its skill.
 * Empty in solo mode.
 */
export function selfReviewers(
  skill: { ownerKey: string },
  version: Pick<RoundVersion<never>, "createdById" | "submittedById">,
  policy: Pick<SigningPolicy, "soloMode">,
): ReadonlySet<string> {
  const ownerId = ownerIdOf(skill.ownerKey);
  return new Set(policy.soloMode ? [] : [...authorsOf(version), ...(ownerId === null ? [] : [ownerId])]);
}

function termsOfRound<D extends RoundDecision>(version: RoundVersion<D>): ChosenTerms {
  const [first] = openApprovals(version);
  if (first === undefined) return {};
  return {
    grants: first.grants === null ? undefined : parseJsonColumn(Grants, first.grants),
    entry: first.entry === null ? null : parseJsonColumn(ScriptEntry, first.entry),
  };
}
