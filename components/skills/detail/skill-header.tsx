import { FlaskConical, PencilLine, Play, SquarePen, Star } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { tryHref } from "@/components/playground/choice";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { deferred } from "@/components/ui/deferred/deferred";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { PartNav } from "@/components/ui/pane-nav";
import { starSkill, undeprecateSkill } from "@/lib/client/skill-marks";
import { skillsKey } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { SkillIcon } from "../skill-icon";
import { actionHref, canManage, countOf, displayName, editHref, skillHref, sourceNames } from "../skill-labels";
import { SkillSwitch } from "../skill-switch";
import { PublisherLink, SkillStatusBadges } from "../status-badges";

export type SkillTab = "overview" | "files" | "use" | "versions" | "improve" | "access";

type SkillTabsProps = { skill: Pick<Skill, "id" | "runnable">; current: SkillTab | "run" };

const SkillMenu = deferred(async () => (await import("./skill-menu")).SkillMenu, <span aria-hidden className="w-9" />);
const SkillNotices = deferred(async () => (await import("./skill-notices")).SkillNotices);

type SkillHeaderProps = {
  skill: Skill;
  /** On the page that runs the skill, which itself says what hinders a run. */
  isRunPage?: boolean;
  /** On the tab that the main button leads to. */
  isUseTab?: boolean;
};

export function SkillHeader({ skill, isRunPage = false, isUseTab = false }: SkillHeaderProps) {
  const { currentVersion } = skill;
  return (
    <header className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <SkillIcon skill={skill} />
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="[overflow-wrap:anywhere]">
              <RevealedText text={displayName(skill)} />
            </h1>
            <ClassChip value={skill.class} proposed={skill.currentVersion === null} />
            {skill.scope === "host" ? <Badge title="Runs on a named host">Host</Badge> : null}
            {skill.trust.signature === "failed" ? (
              <Badge tone="danger" title={skill.trust.problem ?? undefined}>
                Signatures invalid
              </Badge>
            ) : null}
            {/* The notice below shows the deprecation. */}
            <SkillStatusBadges skill={{ ...skill, deprecated: null }} />
          </div>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-muted-foreground">
            {skill.label ? (
              <>
                <code className="font-mono text-xs">{skill.name}</code>
                <span aria-hidden>·</span>
              </>
            ) : null}
            <span>{sourceNames[skill.source]}</span>
            <span aria-hidden>·</span>
            <PublisherLink publisher={skill.publisher} />
            <span aria-hidden>·</span>
            {currentVersion ? (
              <span className="inline-flex items-center gap-1">
                version {currentVersion.number}
                <Digest value={currentVersion.digest} label="approved version’s digest" />
              </span>
            ) : (
              <span>No approved version</span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-3 max-sm:basis-full">
          <span className="flex items-center gap-2 text-13">
            <span aria-hidden className="w-6 text-right text-muted-foreground">
              {skill.enabled ? "On" : "Off"}
            </span>
            <SkillSwitch skill={skill} />
          </span>
          <StarButton skill={skill} />
          <EditAction skill={skill} />
          <TryAction skill={skill} />
          {isRunPage || isUseTab ? null : <PrimaryAction skill={skill} />}
          <SkillMenu skill={skill} />
        </div>
      </div>
      <DeprecatedNotice skill={skill} />
      {isRunPage ? null : <SkillNotices skill={skill} />}
    </header>
  );
}

function EditAction({ skill }: { skill: Skill }) {
  const me = useMe();
  if (!canManage(skill, me)) return null;
  return (
    <Button asChild className="max-sm:hidden">
      <Link href={editHref(skill)}>
        <PencilLine aria-hidden />
        Edit
      </Link>
    </Button>
  );
}

/** Opens a playbook in the playground. On narrow screens this action is in the menu. */
function TryAction({ skill }: { skill: Skill }) {
  if (skill.runnable) return null;
  return (
    <Button asChild className="max-sm:hidden">
      <Link href={tryHref(skill)}>
        <FlaskConical aria-hidden />
        Try
      </Link>
    </Button>
  );
}

/** Stays enabled when the skill cannot run: the target page explains why. */
function PrimaryAction({ skill }: { skill: Skill }) {
  if (skill.runnable && !skill.userInvocable) return null;
  const isReady = skill.enabled && skill.currentVersion !== null;
  return (
    <Button asChild variant={isReady ? "primary" : "secondary"}>
      <Link href={actionHref(skill)}>
        {skill.runnable ? <Play aria-hidden /> : <SquarePen aria-hidden />}
        {skill.runnable ? "Run" : "Use"}
      </Link>
    </Button>
  );
}

function StarButton({ skill }: { skill: Skill }) {
  const star = useAction((starred: boolean) => starSkill(skill.id, starred), {
    refresh: [skillsKey],
    failed: "The star was not changed.",
  });
  const starred = star.isPending ? star.variables : skill.starred;
  const stars = skill.stars + (starred === skill.starred ? 0 : starred ? 1 : -1);
  return (
    <Button
      aria-pressed={starred}
      aria-label={`Star ${displayName(skill)}, ${countOf(stars, "star")}`}
      title={starred ? "Remove star" : "Star"}
      onClick={() => !star.isPending && star.mutate(!starred)}
    >
      <Star aria-hidden className={cn(starred && "fill-current")} />
      <span className="tabular-nums">{stars.toLocaleString("en-GB")}</span>
    </Button>
  );
}

function DeprecatedNotice({ skill }: { skill: Skill }) {
  const me = useMe();
  const undo = useAction(() => undeprecateSkill(skill.id), {
    refresh: [skillsKey],
    failed: "The deprecation was not removed.",
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
            Remove deprecation
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

/** The sections of a skill. The Run tab is a page of its own. */
export function SkillTabs({ skill, current }: SkillTabsProps) {
  const page = skillHref(skill);
  const tabs = [
    { key: "overview", label: "Overview", href: page },
    { key: "files", label: "Files", href: `${page}?tab=files` },
    { key: skill.runnable ? "run" : "use", label: skill.runnable ? "Run" : "Use", href: actionHref(skill) },
    { key: "versions", label: "Versions", href: `${page}?tab=versions` },
    { key: "improve", label: "Improve", href: `${page}?tab=improve` },
    { key: "access", label: "Access", href: `${page}?tab=access` },
  ];
  return <PartNav label="Skill sections" parts={tabs} current={current} />;
}
