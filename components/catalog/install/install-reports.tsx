"use client";

import Link from "next/link";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/revealed-text";
import { useMe } from "@/components/state/use-me";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatBytes } from "@/components/ui/format-bytes";
import type { InstallAnswer, InstallReport } from "@/lib/catalog/install/schema";
import { countOf, reviewHref, skillHref } from "../../skills/skill-words";

const outcomes: Record<InstallReport["outcome"], { word: string; tone: Tone }> = {
  installed: { word: "Waits for review", tone: "warning" },
  updated: { word: "Update waits for review", tone: "warning" },
  known: { word: "Installed already", tone: "neutral" },
  refused: { word: "Not installed", tone: "danger" },
};

type InstallReportsProps = { answer: InstallAnswer; onLeave: () => void };

/** What became of each skill, what does not fit here, and where to go on. */
export function InstallReports({ answer, onLeave }: InstallReportsProps) {
  const isPack = answer.reports.length > 1;
  return (
    <ul className="max-h-[50dvh] divide-y overflow-y-auto">
      {answer.reports.map((report) => (
        <li key={report.entryId} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 truncate font-medium">
              <RevealedText text={report.name} />
            </span>
            <Badge tone={outcomes[report.outcome].tone}>{outcomes[report.outcome].word}</Badge>
            <span className="ml-auto text-muted-foreground text-xs tabular-nums">
              {countOf(report.files, "file")}, {formatBytes(report.bytes)}
            </span>
          </div>
          {report.notes.length > 0 ? (
            <div className="-mx-2">
              <DiagnosticList diagnostics={report.notes} />
            </div>
          ) : report.outcome === "installed" && !isPack ? (
            <p className="text-13 text-muted-foreground">Nothing in it was found that does not fit here.</p>
          ) : null}
          <Links answer={answer} report={report} onLeave={onLeave} />
        </li>
      ))}
    </ul>
  );
}

function Links({ answer, report, onLeave }: InstallReportsProps & { report: InstallReport }) {
  const me = useMe();
  const skill = answer.skills.find(({ id }) => id === report.skillId);
  if (!skill) return null;
  const canReview = me !== undefined && me.user.role !== "user";
  return (
    <p className="flex flex-wrap gap-2">
      <Button asChild size="sm">
        <Link href={skillHref(skill)} onClick={onLeave}>
          Open skill
        </Link>
      </Button>
      {canReview && skill.pendingVersion ? (
        <Button asChild size="sm">
          <Link href={reviewHref(skill.id, skill.pendingVersion.digest)} onClick={onLeave}>
            Open review
          </Link>
        </Button>
      ) : null}
    </p>
  );
}
