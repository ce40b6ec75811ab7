"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { useToast } from "@/components/ui/toast";
import { starSkill } from "@/lib/client/skill-marks";
import { skillsKey } from "@/lib/client/skills";

/** Stars a skill or takes the star back. */
export function useStar(skillId: string) {
  const queries = useQueryClient();
  const { toast } = useToast();
  return useMutation({
    mutationFn: (starred: boolean) => starSkill(skillId, starred),
    onSettled: () => queries.invalidateQueries({ queryKey: skillsKey }),
    onError: (error) => toast({ tone: "danger", title: "The star stays as it was.", description: errorText(error) }),
  });
}
