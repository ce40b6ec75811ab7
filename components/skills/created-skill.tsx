"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { DialogContent } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import { meQuery } from "@/lib/client/me";
import { reviewsKey } from "@/lib/client/reviews";
import { skillsKey } from "@/lib/client/skills";
import { submitVersion, versionsQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { displayName, skillHref } from "./skill-words";

/** After a skill was written: its draft can go to review at once. */
export function CreatedSkill({ skill, onClose }: { skill: Skill; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { pages } = await queryClient.fetchInfiniteQuery(versionsQuery(skill.id));
      const draft = pages[0]?.items[0];
      if (!draft) throw new Error("a new skill has no version");
      return submitVersion(skill.id, draft.digest);
    },
    onSuccess: () => {
      for (const queryKey of [skillsKey, reviewsKey, meQuery.queryKey])
        void queryClient.invalidateQueries({ queryKey });
      toast({ title: `${displayName(skill)} waits for review.`, tone: "success" });
      onClose();
    },
  });
  return (
    <DialogContent
      title={`${displayName(skill)} is a draft`}
      description="Nobody can use it yet. Submit it, and a reviewer decides; after an approval it can be switched on."
      footer={
        <>
          <Button asChild>
            <Link href={skillHref(skill)} onClick={onClose}>
              Open skill
            </Link>
          </Button>
          <Button variant="primary" pending={isPending} onClick={() => mutate()}>
            Submit for review
          </Button>
        </>
      }
    >
      {error ? (
        <Notice tone="danger" announce title="It was not submitted and is still a draft.">
          {errorText(error)}
        </Notice>
      ) : (
        <p className="text-13 text-muted-foreground">You can look at it once more before you submit it.</p>
      )}
    </DialogContent>
  );
}
