import Link from "next/link";
import { reviewHref } from "@/components/skills/skill-labels";
import { Badge } from "@/components/ui/badge";
import { Digest } from "@/components/ui/digest";
import type { Skill } from "@/lib/skills/schema";

type VersionStateProps = { skill: Pick<Skill, "id" | "currentVersion" | "pendingVersion"> };

/** What serves and what waits: the approved digest, a version in review, or a draft. */
export function VersionState({ skill: { id, currentVersion, pendingVersion } }: VersionStateProps) {
  if (!currentVersion && !pendingVersion) return <Badge>No version in review</Badge>;
  return (
    <span className="flex items-center gap-1.5">
      {pendingVersion ? (
        <Link href={reviewHref(id, pendingVersion.digest)} className="rounded-sm">
          <Badge tone="warning" className="hover:underline">
            {currentVersion ? "Update waits" : "Waits for review"}
          </Badge>
        </Link>
      ) : null}
      {currentVersion ? <Digest value={currentVersion.digest} label="digest of the approved version" /> : null}
    </span>
  );
}
