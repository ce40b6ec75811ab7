import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "@/components/forms/use-action";
import { type Decision, decideVersion, decisionKeys } from "@/lib/client/reviews";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";

/** Sends a decision. The panel shows the result in place of the form, so no message covers its buttons. */
export function useDecision(skill: Skill, version: Version) {
  const queryClient = useQueryClient();
  return useAction((decision: Decision) => decideVersion(skill.id, version.digest, decision), {
    refresh: decisionKeys,
    onDone: (decided) => queryClient.setQueryData(versionQuery(skill.id, version.digest).queryKey, decided),
  });
}
