import { FileUp, FolderUp } from "lucide-react";
import Link from "next/link";
import { type ChangeEvent, useRef } from "react";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/hidden-notice";
import { describeError, errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Drawer, DrawerClose, DrawerContent } from "@/components/ui/drawer";
import { formatBytes } from "@/components/ui/format-bytes";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { ApiError } from "@/lib/client/api";
import type { ImportOwner } from "@/lib/client/skills";
import type { ImportAnswer } from "@/lib/skills/transfer/schema";
import { countOf, displayName, reviewHref, skillHref } from "../skill-labels";
import type { PickedFile } from "./import-files";
import { UnusablePick } from "./import-files";
import { ImportFindings } from "./import-findings";
import { type ImportDrawerState, type ImportProgress, useImport } from "./use-import";

export function ImportDrawer({ drawer }: { drawer: ImportDrawerState }) {
  const { isOpen, pick, close, take } = drawer;
  return (
    <Drawer open={isOpen} onOpenChange={(open) => !open && close()}>
      {pick ? (
        <PickedFiles key={pick.id} pick={pick} drawer={drawer} />
      ) : (
        <DrawerContent title="Import skills" description="You see a preview before anything is stored." size="lg">
          <FilePicker onPick={take} />
        </DrawerContent>
      )}
    </Drawer>
  );
}

type PickedProps = { pick: NonNullable<ImportDrawerState["pick"]>; drawer: ImportDrawerState };

function PickedFiles({ pick, drawer }: PickedProps) {
  const progress = useImport(pick);
  const { file, preview, answer, error, isReading, isImporting } = progress;
  return (
    <DrawerContent
      title={titleOf(progress)}
      description={file ? `${file.name}, ${formatBytes(file.size)}` : "Reading files"}
      size="lg"
      footer={<Footer progress={progress} drawer={drawer} />}
    >
      <div aria-live="polite" className="flex flex-col gap-4">
        {error ? <ImportFailure error={error} wasImport={preview !== undefined} /> : null}
        {isImporting && file ? (
          <p className="text-13 text-muted-foreground">
            Uploading {formatBytes(file.size)} and storing {countOf(usableCount(progress), "skill")}. If one fails, none
            is stored.
          </p>
        ) : null}
        {answer ? (
          <ImportResult answer={answer} onLeave={drawer.close} />
        ) : preview ? (
          <>
            <OwnerChoice owner={progress.owner} onChange={progress.setOwner} disabled={isImporting} />
            <ImportFindings preview={preview} />
          </>
        ) : isReading ? (
          <FindingsSkeleton />
        ) : null}
      </div>
    </DrawerContent>
  );
}

function Footer({ progress, drawer }: { progress: ImportProgress; drawer: ImportDrawerState }) {
  const { answer, isImporting, preview } = progress;
  const count = usableCount(progress);
  if (answer) {
    return (
      <DrawerClose asChild>
        <Button variant="primary">Done</Button>
      </DrawerClose>
    );
  }
  return (
    <>
      <FilePicker onPick={drawer.take} compact />
      {preview && count > 0 ? (
        <Button variant="primary" pending={isImporting} onClick={progress.run}>
          Import {countOf(count, "skill")}
        </Button>
      ) : null}
    </>
  );
}

function FindingsSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">Reading files</span>
      {[1, 2, 3].map((shape) => (
        <div key={shape} className="flex flex-col gap-2 border-b pb-4">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-4/5" />
          <Skeleton className="w-1/2" />
        </div>
      ))}
    </div>
  );
}

function titleOf({ answer, preview, error }: ImportProgress): string {
  if (answer) return `${countOf(answer.skills.length, "skill")} imported`;
  if (preview) return `${countOf(preview.skills.length, "skill")} found`;
  return error ? "The upload cannot be imported" : "Reading files";
}

function usableCount({ preview }: ImportProgress): number {
  return preview?.skills.filter((skill) => skill.effect === "new" || skill.effect === "version").length ?? 0;
}

type OwnerChoiceProps = { owner: ImportOwner; onChange: (owner: ImportOwner) => void; disabled: boolean };

/** Reviewers and admins may import skills for the organisation. */
function OwnerChoice({ owner, onChange, disabled }: OwnerChoiceProps) {
  const me = useMe();
  if (!me || me.user.role === "user") return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
      <span className="text-muted-foreground">Import for</span>
      <SegmentedControl
        label="Import for"
        value={owner}
        onValueChange={(next) => !disabled && onChange(next)}
        options={[
          { value: "me", label: "Me" },
          { value: "org", label: "The organisation" },
        ]}
      />
      <span className="text-muted-foreground text-xs">
        {owner === "me" ? "Visible to you, reviewers and admins" : "Visible to everyone"}
      </span>
    </div>
  );
}

type ImportFailureProps = {
  error: unknown /** Whether the import failed, not the preview. */;
  wasImport: boolean;
};

function ImportFailure({ error, wasImport }: ImportFailureProps) {
  const isUnknown = error instanceof ApiError && wasImport && (error.status === 0 || error.status >= 500);
  const reasons = error instanceof ApiError ? error.errors : [];
  const requestId = error instanceof ApiError ? describeError(error).requestId : null;
  return (
    <Notice tone="danger" announce title={error instanceof UnusablePick ? error.message : errorText(error)}>
      {reasons.length > 0 ? (
        <ul className="mt-1 flex flex-col gap-1">
          {reasons.map((reason) => (
            <li key={`${reason.path}${reason.message}`} className="[overflow-wrap:anywhere]">
              {reason.path ? <code className="font-mono text-xs">{reason.path}</code> : null} {reason.message}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="mt-1 text-muted-foreground">
        {isUnknown
          ? "It is unknown whether the skills were stored. You can safely import again: nothing is stored twice."
          : "Nothing was stored."}
        {requestId ? <span className="block text-xs">Request {requestId}</span> : null}
      </p>
    </Notice>
  );
}

type ImportResultProps = { answer: ImportAnswer; onLeave: () => void };

function ImportResult({ answer, onLeave }: ImportResultProps) {
  return (
    <>
      <ul className="divide-y">
        {answer.skills.map((skill) => (
          <li key={skill.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0">
            <Link href={skillHref(skill)} onClick={onLeave} className="min-w-0 truncate font-medium hover:underline">
              <RevealedText text={displayName(skill)} />
            </Link>
            {skill.pendingVersion ? (
              <>
                <StateChip state="pending" />
                <Link
                  href={reviewHref(skill.id, skill.pendingVersion.digest)}
                  onClick={onLeave}
                  className="ml-auto text-13 text-primary underline underline-offset-2"
                >
                  Open review
                </Link>
              </>
            ) : skill.currentVersion ? (
              <StateChip state="approved" />
            ) : (
              <StateChip state="draft" />
            )}
          </li>
        ))}
      </ul>
      {answer.diagnostics.length > 0 ? (
        <Section title="Parser warnings" level={3} className="gap-1">
          <DiagnosticList diagnostics={answer.diagnostics} />
        </Section>
      ) : null}
    </>
  );
}

type FilePickerProps = {
  onPick: (files: Promise<PickedFile[]>) => void;
  compact?: boolean;
};

const accepted = ".md,.zip,.tgz,.gz,.tar.gz,application/zip,application/gzip,text/markdown";

function FilePicker({ onPick, compact = false }: FilePickerProps) {
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);

  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = "";
    if (files.length > 0)
      onPick(Promise.resolve(files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))));
  };

  return (
    <>
      <input ref={fileInput} type="file" accept={accepted} onChange={pick} hidden data-testid="import-file" />
      <input ref={folderInput} type="file" onChange={pick} hidden {...{ webkitdirectory: "" }} />
      {compact ? (
        <Button onClick={() => fileInput.current?.click()}>Choose another file</Button>
      ) : (
        <div className="flex flex-col items-center gap-4 rounded-md border border-dashed px-6 py-12 text-center">
          <FolderUp aria-hidden strokeWidth={1.5} className="size-7 text-muted-foreground" />
          <div>
            <p className="font-medium">Drop or paste a skill here, or anywhere on the page</p>
            <p className="mt-1 text-13 text-muted-foreground">
              A folder, a SKILL.md or an archive (.zip, .tar.gz, .tgz) with one or more skills, up to 20 MiB.
            </p>
          </div>
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" onClick={() => fileInput.current?.click()}>
              <FileUp aria-hidden />
              Choose a file
            </Button>
            <Button onClick={() => folderInput.current?.click()}>
              <FolderUp aria-hidden />
              Choose a folder
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
