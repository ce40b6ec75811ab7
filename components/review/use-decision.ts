import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "@/components/forms/use-action";
import { displayName } from "@/components/skills/skill-labels";
import { useSkillSwitch } from "@/components/skills/skill-switch";
import { useToast } from "@/components/ui/toast";
import { type Decision, decideVersion, decisionKeys } from "@/lib/client/reviews";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";

const resultTexts: Record<Decision["decision"], string> = {
  approve: "approved",
  request_changes: "returned for changes with your comment",
  reject: "rejected",
  revoke: "revoked",
};

export function useDecision(skill: Skill, version: Version) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const change = useSkillSwitch();
  const name = `Version ${version.number} of ${displayName(skill)}`;
  return useAction((decision: Decision) => decideVersion(skill.id, version.digest, decision), {
    refresh: decisionKeys,
    onDone: (decided, { decision }) => {
      queryClient.setQueryData(versionQuery(skill.id, version.digest).queryKey, decided);
      const waitsForMore = decision === "approve" && decided.state === "pending";
      toast({
        title: waitsForMore ? `${name} needs 1 more approval.` : `${name} ${resultTexts[decision]}.`,
        tone: decision === "approve" ? "success" : "neutral",
        ...(decided.active && !skill.enabled
          ? { action: { label: "Switch skill on", onClick: () => change({ skill, enabled: true }) } }
          : {}),
      });
    },
  });
}
