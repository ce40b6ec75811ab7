"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { errorText } from "@/components/state/describe-error";
import { useToast } from "@/components/ui/toast";
import { adoptSkill, publishSkill, unadoptSkill } from "@/lib/client/access";
import { patchSkill, skillsKey } from "@/lib/client/skills";
import type { PatchSkillInput, Skill } from "@/lib/skills/schema";
import { displayName, skillHref } from "../skill-words";

/** What people do about who uses a skill. */
export function useAccessActions(skill: Skill) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { toast } = useToast();
  const name = displayName(skill);
  const onSettled = () => queryClient.invalidateQueries({ queryKey: skillsKey });
  const fail = (title: string) => (error: Error) => toast({ tone: "danger", title, description: errorText(error) });

  const adopt = useMutation({
    mutationFn: async (adopted: boolean): Promise<unknown> => (adopted ? adoptSkill(skill.id) : unadoptSkill(skill.id)),
    onSuccess: (_, adopted) => toast({ title: adopted ? `${name} is adopted.` : `${name} is no longer adopted.` }),
    onSettled,
    onError: fail(`${name} stays as it was.`),
  });
  const publish = useMutation({
    mutationFn: () => publishSkill(skill.id),
    onSuccess: (made) =>
      toast({
        title: `${name} waits for review.`,
        action: { label: "Open it", onClick: () => router.push(skillHref(made)) },
      }),
    onSettled,
  });
  const patch = useMutation({
    mutationFn: (input: PatchSkillInput) => patchSkill(skill.id, input),
    onSettled,
    onError: fail(`${name} stays as it was.`),
  });
  return { adopt, publish, patch };
}
