import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/hidden-notice";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { formatBytes } from "@/components/ui/format-bytes";
import { Notice } from "@/components/ui/notice";
import { ProgressBar } from "@/components/ui/progress-bar";
import type { InstallAnswer, InstallReport } from "@/lib/catalog/install/schema";
import { installProgressQuery } from "@/lib/client/catalog";
import { countOf, reviewHref, skillHref } from "../../skills/skill-labels";
import type { Install } from "./use-install";

const outcomeBadges: Record<InstallReport["outcome"], { word: string; tone: Tone }> = {
  installed: { word: "Pending review", tone: "warning" },
  updated: { word: "Update pending review", tone: "warning" },
  known: { word: "Already installed", tone: "neutral" },
  refused: { word: "Not installed", tone: "danger" },
};

type InstallReportsProps = { answer: InstallAnswer; onLeave: () => void };

export function InstallDialog({ install }: { install: Install }) {
  const { target, isRunning, answer, error, progressId, close } = install;
  return (
    <Dialog open={target !== null} onOpenChange={(open) => !open && close()}>
      {target ? (
        <DialogContent
          title={titleOf(install)}
          {...(answer ? { description: answer.summary } : {})}
          footer={<Footer install={install} />}
        >
          <div aria-live="polite" className="flex flex-col gap-4">
            {isRunning && progressId ? <Progress progressId={progressId} /> : null}
            {error && !isRunning ? (
              <Notice tone="danger" title="Nothing was installed.">
                {errorText(error)}
              </Notice>
            ) : null}
            {answer ? <InstallReports answer={answer} onLeave={close} /> : null}
          </div>
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

function Footer({ install: { isRunning, error, retry } }: { install: Install }) {
  if (isRunning) {
    return (
      <DialogClose asChild>
        <Button>Continue in background</Button>
      </DialogClose>
    );
  }
  return (
    <>
      <DialogClose asChild>
        <Button variant={error ? "secondary" : "primary"}>{error ? "Close" : "Done"}</Button>
      </DialogClose>
      {error ? (
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      ) : null}
    </>
  );
}

function Progress({ progressId }: { progressId: string }) {
  const { data } = useQuery(installProgressQuery(progressId));
  const isCounted = data !== undefined && data.total > 0;
  return (
    <div className="flex flex-col gap-2 text-13">
      <ProgressBar label="Install" done={data?.done ?? 0} total={data?.total ?? 0} />
      <p className="flex justify-between gap-4 text-muted-foreground">
        <span className="truncate" title={data?.current ?? undefined}>
          {data?.current ?? "Fetching the files at the pinned commit"}
        </span>
        {isCounted ? (
          <span className="shrink-0 tabular-nums">
            {data.done} of {countOf(data.total, "file")}
          </span>
        ) : null}
      </p>
    </div>
  );
}

function titleOf({ target, isRunning, answer, error }: Install): string {
  if (isRunning) return `Installing ${target?.name ?? ""}`;
  if (answer) return headline(answer);
  return error ? `${target?.name ?? "The skill"} could not be installed` : `Install ${target?.name ?? ""}`;
}

function headline({ reports }: InstallAnswer): string {
  const has = (outcome: string) => reports.filter((report) => report.outcome === outcome).length;
  if (has("installed") + has("updated") > 0) return "Installed, switched off";
  return has("known") > 0 && has("refused") === 0 ? "Already installed" : "Nothing was installed";
}

function InstallReports({ answer, onLeave }: InstallReportsProps) {
  const isPack = answer.reports.length > 1;
  return (
    <ul className="max-h-[50dvh] divide-y overflow-y-auto">
      {answer.reports.map((report) => (
        <li key={report.entryId} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 truncate font-medium">
              <RevealedText text={report.name} />
            </span>
            <Badge tone={outcomeBadges[report.outcome].tone}>{outcomeBadges[report.outcome].word}</Badge>
            <span className="ml-auto text-muted-foreground text-xs tabular-nums">
              {countOf(report.files, "file")}, {formatBytes(report.bytes)}
            </span>
          </div>
          {report.notes.length > 0 ? (
            <div className="-mx-2">
              <DiagnosticList diagnostics={report.notes} />
            </div>
          ) : report.outcome === "installed" && !isPack ? (
            <p className="text-13 text-muted-foreground">Compatible with this server</p>
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
