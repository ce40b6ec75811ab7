import type { Me } from "@/lib/client/me";
import type { SkillClass } from "@/lib/skill-format/schema";
import type { Version } from "@/lib/skills/schema";

export type Approvals = {
  given: number;
  needed: number /** Whether this person has signed already. */;
  isMine: boolean;
};

/** The approvals since the version was last submitted, and how many the class it would get needs. The server decides. */
export function approvalsOf(version: Version, chosen: SkillClass, me: Me | undefined): Approvals {
  const since = version.submittedAt ?? version.createdAt;
  const given = version.decisions.filter((decision) => decision.decision === "approve" && decision.createdAt >= since);
  const isDangerous = [version.manifest.declaredClass, version.proposedClass, chosen].includes("dangerous");
  return {
    given: given.length,
    needed: isDangerous && me?.soloMode === false ? 2 : 1,
    isMine: given.some((decision) => decision.actor.id === me?.user.id),
  };
}

/** Why the version has the class that is proposed. */
export function classReason({ manifest, proposedClass }: Pick<Version, "manifest" | "proposedClass">): string {
  if (manifest.declaredClass) return "Declared by its author.";
  if (manifest.kind === "pack") return "Not declared; a pack without a class counts as safe.";
  return proposedClass === "safe"
    ? "Proposed: a playbook without scripts, hooks or inline commands."
    : "Proposed: the playbook brings scripts, hooks or inline commands.";
}
