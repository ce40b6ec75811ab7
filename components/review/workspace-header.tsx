import { FlaskConical } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { playgroundHref } from "@/components/playground/choice";
import { isWaiting } from "@/components/playground/version-choices";
import { countOf, displayName, skillHref } from "@/components/skills/skill-words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { formatBytes } from "@/components/ui/format-bytes";
import { StateChip } from "@/components/ui/state-chip";
import type { Skill, Version } from "@/lib/skills/schema";

export function WorkspaceHeader({ skill, version }: { skill: Skill; version: Version }) {
  const bytes = version.files.reduce((sum, file) => sum + file.size, 0);
  const isUpdate = skill.currentVersion !== null && skill.currentVersion.digest !== version.digest;
  const isServing = skill.currentVersion?.digest === version.digest;
  const mayBeTried = isServing ? skill.enabled : isWaiting(version.state);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2.5">
      <h1 className="min-w-0 truncate text-base">
        <Link href={skillHref(skill)} className="rounded-sm hover:underline">
          <RevealedText text={displayName(skill)} />
        </Link>
      </h1>
      <StateChip state={version.state} />
      {isUpdate ? <Badge tone="accent">update of version {skill.currentVersion?.number}</Badge> : null}
      <span className="inline-flex items-center gap-1 text-13 text-muted-foreground">
        version {version.number} <Digest value={version.digest} label="digest of the version" />
      </span>
      <span className="text-13 text-muted-foreground tabular-nums max-sm:hidden">
        {version.manifest.kind}, {countOf(version.files.length, "file")}, {formatBytes(bytes)}
      </span>
      {version.manifest.kind === "playbook" && mayBeTried ? (
        <Button asChild size="sm" className="ml-auto">
          <Link href={playgroundHref(skill.id, isServing ? null : version.digest)}>
            <FlaskConical aria-hidden />
            Try
          </Link>
        </Button>
      ) : null}
    </header>
  );
}
