import { useQuery } from "@tanstack/react-query";
import { GitCompare } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { FormDialog, TextareaField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";

import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Dialog } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import { StateChip } from "@/components/ui/state-chip";
import { setChangelog } from "@/lib/client/skill-marks";
import { skillsKey } from "@/lib/client/skills";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { VersionSummary } from "@/lib/skills/versions/schema";
import { canManage, countOf, reviewHref, skillHref } from "../skill-labels";

import { DecisionList } from "./decision-list";
import { MakeActive, SubmitDraft } from "./version-actions";
import { VersionComparison } from "./version-comparison";

const undecided: readonly VersionSummary["state"][] = ["draft", "pending", "changes_requested"];

type ChangelogProps = { skill: Skill; version: VersionSummary };

type VersionItemProps = {
  skill: Skill;
  version: VersionSummary;
  against: string | null;
  isCompared: boolean;
  onCompare: (open: boolean) => void;
};

const dots: Record<VersionSummary["state"], string> = {
  draft: "bg-background ring-input",
  pending: "bg-warning-mark ring-warning-mark",
  approved: "bg-success-mark ring-success-mark",
  changes_requested: "bg-warning-mark ring-warning-mark",
  rejected: "bg-danger-mark ring-danger-mark",
  revoked: "bg-danger-mark ring-danger-mark",
};

export function VersionItem({ skill, version, against, isCompared, onCompare }: VersionItemProps) {
  const detail = useQuery(versionQuery(skill.id, version.digest)).data;
  return (
    <li className="group relative flex flex-col gap-2 pb-7 pl-7">
      <span aria-hidden className="absolute top-4 bottom-[-0.25rem] left-[5px] w-px bg-border group-last:hidden" />
      <span
        aria-hidden
        className={cn("absolute top-1.5 left-0 size-[11px] rounded-full ring-1", dots[version.state])}
      />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3>Version {version.number}</h3>
        <StateChip state={version.state} />
        {version.active ? <Badge tone="success">Active</Badge> : null}
        <Digest value={version.digest} label="version digest" />
        <span className="text-13 text-muted-foreground">
          {version.createdBy.name}, <RelativeTime value={version.createdAt} />
          {detail ? <>, {countOf(detail.files.length, "file")}</> : null}
        </span>
        <span className="ml-auto flex flex-wrap gap-1 max-sm:ml-0">
          {against ? (
            <Button size="sm" aria-expanded={isCompared} onClick={() => onCompare(!isCompared)}>
              <GitCompare aria-hidden />
              {isCompared ? "Hide changes" : "Show changes"}
            </Button>
          ) : null}
          <Button asChild size="sm">
            <Link href={`${skillHref(skill)}?tab=files&v=${version.digest}`}>Files</Link>
          </Button>
          <Button asChild size="sm">
            <Link href={`/audit?skill=${skill.id}&version=${version.digest}`}>Audit</Link>
          </Button>
          {detail ? <MakeActive skill={skill} version={detail} size="sm" /> : null}
          <Button asChild size="sm">
            <Link href={reviewHref(skill.id, version.digest)}>Review</Link>
          </Button>
        </span>
      </div>
      <Changelog skill={skill} version={version} />
      {detail ? <DecisionList decisions={detail.decisions} /> : null}
      <SubmitDraft skill={skill} version={version} />
      {isCompared && against ? (
        <VersionComparison skillId={skill.id} digest={version.digest} against={against} />
      ) : null}
    </li>
  );
}

/** The changelog; skill managers may edit it until the version is decided. */
function Changelog({ skill, version }: ChangelogProps) {
  const me = useMe();
  const [isEditing, setEditing] = useState(false);
  const mayWrite = undecided.includes(version.state) && canManage(skill, me);
  if (version.changelog === null && !mayWrite) return null;
  return (
    <div className="flex flex-col items-start gap-1">
      {version.changelog === null ? null : (
        <p className="max-w-prose whitespace-pre-line text-13 [overflow-wrap:anywhere]">
          <RevealedText text={version.changelog} />
        </p>
      )}
      {mayWrite ? (
        <Button size="sm" onClick={() => setEditing(true)}>
          {version.changelog === null ? "Write changelog" : "Edit changelog"}
        </Button>
      ) : null}
      {isEditing ? <ChangelogDialog skill={skill} version={version} onDone={() => setEditing(false)} /> : null}
    </div>
  );
}

function ChangelogDialog({ skill, version, onDone }: ChangelogProps & { onDone: () => void }) {
  const form = useApiForm({
    values: { changelog: version.changelog ?? "" },
    send: ({ changelog }) => setChangelog(skill.id, version.digest, changelog),
    refresh: [skillsKey],
    onDone,
  });
  return (
    <Dialog open onOpenChange={onDone}>
      <FormDialog
        form={form}
        title={`Changelog of version ${version.number}`}
        description="Reviewers and people who update see the changelog."
        action="Save"
      >
        <TextareaField
          form={form}
          name="changelog"
          label="Changelog"
          help="Plain text. You cannot change it after the decision."
          rows={6}
          maxLength={4000}
        />
      </FormDialog>
    </Dialog>
  );
}
