"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { meQuery } from "@/lib/client/me";
import { reviewsKey } from "@/lib/client/reviews";
import { skillsKey } from "@/lib/client/skills";
import { submitVersion } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { VersionSummary } from "@/lib/skills/versions/schema";
import { canManage } from "../can-manage";

/** Hands a draft, or a version that was sent back, to review. */
export function SubmitDraft({ skill, version }: { skill: Skill; version: VersionSummary }) {
  const me = useMe();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => submitVersion(skill.id, version.digest),
    onSuccess: () => {
      toast({ title: `Version ${version.number} waits for review.`, tone: "success" });
      for (const queryKey of [skillsKey, reviewsKey, meQuery.queryKey])
        void queryClient.invalidateQueries({ queryKey });
    },
    onError: (error) => toast({ title: "It was not submitted.", description: errorText(error), tone: "danger" }),
  });
  const canSubmit = version.state === "draft" || version.state === "changes_requested";
  if (!canSubmit || !canManage(skill, me)) return null;
  return (
    <div>
      <Button size="sm" pending={isPending} onClick={() => mutate()}>
        {version.state === "draft" ? "Submit for review" : "Submit again"}
      </Button>
    </div>
  );
}
