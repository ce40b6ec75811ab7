"use client";

import { useQuery } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { ProgressBar } from "@/components/ui/progress-bar";
import type { InstallAnswer } from "@/lib/catalog/install/schema";
import { installProgressQuery } from "@/lib/client/catalog-install";
import { countOf } from "../../skills/skill-words";
import { InstallReports } from "./install-reports";
import type { Install } from "./use-install";

/** Opens as soon as an install starts: how far it is, then what came of it. */
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
        <Button>Go on in the background</Button>
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
  return error ? `${target?.name ?? "It"} could not be installed` : `Install ${target?.name ?? ""}`;
}

function headline({ reports }: InstallAnswer): string {
  const has = (outcome: string) => reports.filter((report) => report.outcome === outcome).length;
  if (has("installed") + has("updated") > 0) return "Installed, switched off";
  return has("known") > 0 && has("refused") === 0 ? "Installed already" : "Nothing was installed";
}
