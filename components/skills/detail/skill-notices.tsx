import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { describeChanges } from "@/components/catalog/updates/import-update";
import { RevealedText } from "@/components/code/hidden-notice";
import { reviewHref } from "@/components/skills/skill-labels";
import { signaturesText } from "@/components/skills/versions/signatures-text";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { Notice } from "@/components/ui/notice";
import { updatesQuery } from "@/lib/client/catalog";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";

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

const UpdateDrawer = deferredUntil(
  async () => (await import("@/components/catalog/updates/update-drawer")).UpdateDrawer,
  ({ item }) => item !== null,
);

/** Shows on the page of a catalog skill that an update exists or the source is gone. Pending updates have their own notice. */
export function UpstreamNotice({ skill }: { skill: Pick<Skill, "id" | "source"> }) {
  const isFromCatalog = skill.source === "catalog";
  const updates = useInfiniteQuery({ ...updatesQuery, enabled: isFromCatalog });
  const [isOpen, setOpen] = useState(false);
  const item = updates.data?.pages.flatMap((page) => page.items).find(({ skillId }) => skillId === skill.id);
  if (!isFromCatalog || !item || item.state === "pending") return null;
  return (
    <>
      <Notice
        tone={item.state === "removed" ? "warning" : "neutral"}
        className="items-center"
        title={item.state === "removed" ? "Removed upstream" : "Update available"}
        action={
          item.state === "available" ? (
            <Button size="sm" onClick={() => setOpen(true)}>
              View update
            </Button>
          ) : null
        }
      >
        {item.state === "removed" ? (
          <>
            <RevealedText text={`${item.repository}@${item.ref}`} /> no longer contains this folder. The installed
            version stays, without updates.
          </>
        ) : (
          <>
            {describeChanges(item.files)} in <RevealedText text={`${item.repository}@${item.ref}`} />. Nothing changes
            until the update is imported and approved.
          </>
        )}
      </Notice>
      <UpdateDrawer item={isOpen ? item : null} onClose={() => setOpen(false)} />
    </>
  );
}
