import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { UpstreamNotice } from "@/components/catalog/updates/upstream-notice";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { reviewHref } from "../skill-labels";
import { signaturesText } from "../versions/signatures-text";

export function SkillNotices({ skill }: { skill: Skill }) {
  return (
    <>
      {skill.runnable && !skill.userInvocable ? (
        <Notice tone="neutral" title="Only agents can run this skill">
          The author set user-invocable: false. Agents and pipelines can run it.
        </Notice>
      ) : null}
      <PendingReviewNotice skill={skill} />
      <UpstreamNotice skill={skill} />
    </>
  );
}

function PendingReviewNotice({ skill: { id, pendingVersion, currentVersion } }: { skill: Skill }) {
  const me = useMe();
  const digest = pendingVersion?.digest ?? "";
  const approvals = useQuery({ ...versionQuery(id, digest), enabled: digest !== "" }).data?.approvals;
  if (!pendingVersion) return null;
  const canReview = me !== undefined && me.user.role !== "user";
  return (
    <Notice
      tone="warning"
      className="items-center"
      action={
        <Button asChild size="sm">
          <Link href={reviewHref(id, pendingVersion.digest)}>{canReview ? "Review version" : "View version"}</Link>
        </Button>
      }
    >
      Version {pendingVersion.number} is pending review.{" "}
      {currentVersion
        ? `Version ${currentVersion.number} stays active until then.`
        : "You can switch the skill on once it is approved."}
      {approvals?.maySign
        ? ` ${signaturesText({ ...approvals, by: approvals.by.map(({ name }) => name) }, approvals.maySign)}`
        : null}
    </Notice>
  );
}
