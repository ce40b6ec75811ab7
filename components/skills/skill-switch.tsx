import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Switch } from "@/components/ui/switch";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { meQuery } from "@/lib/client/me";
import { oneSkillKey, patchSkill, type SkillListData, skillListsKey, skillsKey } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { canManage, displayName, reviewHref, skillHref } from "./skill-labels";

export function SkillSwitch({ skill }: { skill: Skill }) {
  const change = useSkillSwitch();
  const me = useMe();
  const mayNot = me !== undefined && !canManage(skill, me);
  return (
    <span
      title={mayNot ? "Only the owner or an admin can switch this skill on or off" : undefined}
      className="inline-flex"
    >
      <Switch
        aria-label={`${displayName(skill)} is ${skill.enabled ? "on" : "off"}`}
        checked={skill.enabled}
        disabled={mayNot}
        onCheckedChange={(enabled) => change({ skill, enabled })}
      />
    </span>
  );
}

type Change = { skill: Skill; enabled: boolean; isUndo?: boolean };

/** Switches a skill on or off optimistically; reverts when the server refuses. */
export function useSkillSwitch(): (change: Change) => void {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const router = useRouter();

  const { mutate } = useMutation({
    mutationFn: ({ skill, enabled }: Change) => patchSkill(skill.id, { enabled }),
    onMutate: async ({ skill, enabled }) => {
      // A response in flight would restore the old state.
      await queryClient.cancelQueries({ queryKey: skillsKey });
      setSkill(queryClient, skill.id, (before) => ({ ...before, enabled }));
    },
    onSuccess: (saved, { skill, enabled, isUndo }) => {
      setSkill(queryClient, skill.id, () => saved);
      if (isUndo) return;
      toast({
        title: `${displayName(skill)} is ${enabled ? "on" : "off"}.`,
        undo: () => mutate({ skill: saved, enabled: !enabled, isUndo: true }),
      });
    },
    onError: (error, { skill, enabled }) => {
      setSkill(queryClient, skill.id, (before) => ({ ...before, enabled: !enabled }));
      const pending = skill.pendingVersion;
      const isUnapproved = error instanceof ApiError && error.code === "not_approved";
      toast({
        title: `${displayName(skill)} stays ${enabled ? "off" : "on"}.`,
        description: errorText(error),
        tone: "danger",
        ...(isUnapproved
          ? {
              action: pending
                ? { label: "Open review", onClick: () => router.push(reviewHref(skill.id, pending.digest)) }
                : { label: "View versions", onClick: () => router.push(`${skillHref(skill)}?tab=versions`) },
            }
          : {}),
      });
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: skillsKey });
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return mutate;
}

/** Updates a skill in all cached queries. */
export function setSkill(queryClient: QueryClient, id: string, change: (before: Skill) => Skill): void {
  const replace = (skill: Skill) => (skill.id === id ? change(skill) : skill);
  queryClient.setQueriesData<SkillListData>(
    { queryKey: skillListsKey },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replace) })) },
  );
  queryClient.setQueriesData<Skill>({ queryKey: oneSkillKey }, (skill) => skill && replace(skill));
}
