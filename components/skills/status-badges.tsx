import { BadgeCheck } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { PublisherRef } from "@/lib/skills/community/schema";
import type { Skill } from "@/lib/skills/schema";
import { lifecycleLabels } from "./skill-labels";

type SkillStatusBadgesProps = {
  skill: Pick<Skill, "builtin" | "offered" | "listed" | "lifecycle" | "adopted" | "shadowedBy" | "deprecated">;
};

export function SkillStatusBadges({
  skill: { builtin, offered, listed, lifecycle, adopted, shadowedBy, deprecated },
}: SkillStatusBadgesProps) {
  return (
    <>
      {builtin ? <Badge title="Part of this Skillgate release, unchanged">Built-in</Badge> : null}
      {deprecated ? (
        <Badge tone="warning" title={`Deprecated. ${deprecated.reason}`}>
          Deprecated
        </Badge>
      ) : null}
      {listed ? null : (
        <Badge tone="danger" title="An admin blocked this skill. It cannot be used">
          Blocked
        </Badge>
      )}
      {lifecycle === "stale" ? (
        <Badge tone="warning" title="Unused for 30 days">
          {lifecycleLabels.stale}
        </Badge>
      ) : null}
      {lifecycle === "archived" ? (
        <Badge title="Unused for 90 days and switched off. Switch it on to use it again">
          {lifecycleLabels.archived}
        </Badge>
      ) : null}
      {offered === false ? <Badge title="No worker offers this skill">Not offered</Badge> : null}
      {adopted ? <Badge title="You use it as a personal skill">Adopted</Badge> : null}
      {shadowedBy ? (
        <Badge title={`For you, this name resolves to another skill. ${shadowedBy.reason}`}>Shadowed</Badge>
      ) : null}
    </>
  );
}

type PublisherLinkProps = { publisher: PublisherRef; className?: string };

export function PublisherLink({ publisher, className }: PublisherLinkProps) {
  return (
    <span className={cn("inline-flex items-center gap-1", className)}>
      <Link href={`/publishers/${publisher.handle}`} className="underline-offset-2 hover:underline">
        <RevealedText text={publisher.name || publisher.handle} />
      </Link>
      {publisher.verified ? <VerifiedMark /> : null}
    </span>
  );
}

export function VerifiedMark() {
  const label = "Verified: an admin confirmed the publisher’s identity";
  return <BadgeCheck role="img" aria-label={label} className="size-3.5 shrink-0 text-primary" />;
}
