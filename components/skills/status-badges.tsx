import { BadgeCheck } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { PublisherRef } from "@/lib/skills/community/schema";
import type { Skill } from "@/lib/skills/schema";

type SkillStatusBadgesProps = {
  skill: Pick<Skill, "builtin" | "offered" | "listed" | "lifecycle" | "adopted" | "shadowedBy" | "deprecated">;
};

/** What a skill’s switch does not say: came with the release, off the list, unused, adopted, or shadowed by another of the same name. */
export function SkillStatusBadges({
  skill: { builtin, offered, listed, lifecycle, adopted, shadowedBy, deprecated },
}: SkillStatusBadgesProps) {
  return (
    <>
      {builtin ? <Badge title="Came with this release of Skillgate, byte for byte">built-in</Badge> : null}
      {deprecated ? (
        <Badge tone="warning" title={`Deprecated. ${deprecated.reason}`}>
          deprecated
        </Badge>
      ) : null}
      {listed ? null : (
        <Badge tone="danger" title="An admin took it off the list: nobody can use it">
          unlisted
        </Badge>
      )}
      {lifecycle === "stale" ? (
        <Badge tone="warning" title="Nobody has used it for 30 days">
          stale
        </Badge>
      ) : null}
      {lifecycle === "archived" ? (
        <Badge title="Nobody has used it for 90 days: it is switched off; switching it on brings it back">
          archived
        </Badge>
      ) : null}
      {offered === false ? <Badge title="No worker has it any longer">no longer offered</Badge> : null}
      {adopted ? <Badge title="You use it as a personal skill">adopted</Badge> : null}
      {shadowedBy ? <Badge title={`Its name means another skill to you. ${shadowedBy.reason}`}>shadowed</Badge> : null}
    </>
  );
}

type PublisherLinkProps = { publisher: PublisherRef; className?: string };

/** Under whose name a skill is offered, with the mark that an admin gave. */
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
  const words = "Verified: an admin confirmed that it is who its name says";
  return <BadgeCheck role="img" aria-label={words} className="size-3.5 shrink-0 text-primary" />;
}
