"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { SubmitDraft } from "@/components/skills/detail/submit-draft";
import { Notice } from "@/components/ui/notice";
import { stateLooks } from "@/components/ui/state-chip";
import { skillQuery } from "@/lib/client/skills";
import { versionQuery } from "@/lib/client/versions";
import { reviewHref, skillHref } from "../../skills/skill-words";

type SavedNoticeProps = { skillId: string; digest: string };

/** After saving: what was made, where it is, and the way to review. */
export function SavedNotice({ skillId, digest }: SavedNoticeProps) {
  const skill = useQuery(skillQuery(skillId)).data;
  const version = useQuery(versionQuery(skillId, digest)).data;
  if (!skill || !version) return null;
  const isDraft = version.state === "draft";
  const link = "underline underline-offset-2";
  return (
    <Notice tone="success" announce className="items-center" action={<SubmitDraft skill={skill} version={version} />}>
      {isDraft
        ? `Version ${version.number} is saved as a draft. Agents get it after a review. `
        : `Version ${version.number}: ${stateLooks[version.state].label.toLowerCase()}. `}
      <Link href={`${skillHref(skill)}?tab=versions`} className={link}>
        Open versions
      </Link>
      {isDraft ? null : (
        <>
          {" "}
          <Link href={reviewHref(skill.id, digest)} className={link}>
            Open review
          </Link>
        </>
      )}
    </Notice>
  );
}
