"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import { undeprecateSkill } from "@/lib/client/skill-marks";
import { skillsKey } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { canManage } from "../can-manage";
import { displayName, skillHref } from "../skill-words";

/** Why its owner advises against a skill, and what to use instead. */
export function DeprecatedNotice({ skill }: { skill: Skill }) {
  const me = useMe();
  const queries = useQueryClient();
  const { toast } = useToast();
  const undo = useMutation({
    mutationFn: () => undeprecateSkill(skill.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: skillsKey }),
    onError: (error) => toast({ tone: "danger", title: "It stays deprecated.", description: errorText(error) }),
  });
  if (skill.deprecated === null) return null;
  const { reason, replacedBy } = skill.deprecated;
  return (
    <Notice
      tone="warning"
      title={
        replacedBy ? (
          <>
            Deprecated. Use{" "}
            <Link href={skillHref(replacedBy)} className="underline underline-offset-2">
              {displayName(replacedBy)}
            </Link>{" "}
            instead.
          </>
        ) : (
          "Deprecated."
        )
      }
      action={
        canManage(skill, me) ? (
          <Button size="sm" pending={undo.isPending} onClick={() => undo.mutate()}>
            Take back
          </Button>
        ) : undefined
      }
    >
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">
        <RevealedText text={reason} />
      </p>
    </Notice>
  );
}
