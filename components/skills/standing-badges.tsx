import { Badge } from "@/components/ui/badge";
import type { Skill } from "@/lib/skills/schema";

type StandingBadgesProps = {
  skill: Pick<Skill, "builtin" | "offered" | "listed" | "lifecycle" | "adopted" | "shadowedBy" | "deprecated">;
};

/** What a skill’s switch does not say: came with the release, off the list, unused, adopted, or shadowed by another of the same name. */
export function StandingBadges({
  skill: { builtin, offered, listed, lifecycle, adopted, shadowedBy, deprecated },
}: StandingBadgesProps) {
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
