type Question = {
  highest: string;
  policy: { soloMode: boolean; ownerMayApproveSafe: boolean };
  signer: { userId: string; canReview: boolean; isPresent: boolean };
  authorIds: string[];
  owner: { kind: "user" | "org"; id: string | null };
};

/** The former rule for who may sign, from before grants were checked; copied unchanged, as the control of the model. */
export function formerWhyNotSign({ signer, policy, highest, owner, authorIds }: Question): string | null {
  const isOwner = owner.kind === "user" && owner.id === signer.userId;
  if (highest === "safe" && isOwner && signer.isPresent && policy.ownerMayApproveSafe) return null;
  if (!signer.canReview) return "Only a reviewer may decide on this version.";
  if (!policy.soloMode && authorIds.includes(signer.userId)) {
    return `You brought in this ${highest} version yourself; somebody else has to decide.`;
  }
  return null;
}
