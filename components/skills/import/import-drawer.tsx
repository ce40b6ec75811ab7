"use client";

import { Button } from "@/components/ui/button";
import { Drawer, DrawerClose, DrawerContent } from "@/components/ui/drawer";
import { formatBytes } from "@/components/ui/format-bytes";
import { Skeleton } from "@/components/ui/skeleton";
import { countOf } from "../skill-words";
import { FilePicker } from "./file-picker";
import { ImportFailure } from "./import-failure";
import { ImportFindings } from "./import-findings";
import { ImportResult } from "./import-result";
import { OwnerChoice } from "./owner-choice";
import { type ImportProgress, useImport } from "./use-import";
import type { ImportDrawerState } from "./use-import-drawer";

/** Shows what an upload holds, each skill with its diagnostics, before anything is stored. */
export function ImportDrawer({ drawer }: { drawer: ImportDrawerState }) {
  const { isOpen, pick, close, take } = drawer;
  return (
    <Drawer open={isOpen} onOpenChange={(open) => !open && close()}>
      {pick ? (
        <Picked key={pick.id} pick={pick} drawer={drawer} />
      ) : (
        <DrawerContent
          title="Import skills"
          description="Nothing is stored before you have seen what was found."
          size="lg"
        >
          <FilePicker onPick={take} />
        </DrawerContent>
      )}
    </Drawer>
  );
}

type PickedProps = { pick: NonNullable<ImportDrawerState["pick"]>; drawer: ImportDrawerState };

function Picked({ pick, drawer }: PickedProps) {
  const progress = useImport(pick);
  const { file, preview, answer, error, isReading, isImporting } = progress;
  return (
    <DrawerContent
      title={titleOf(progress)}
      description={file ? `${file.name}, ${formatBytes(file.size)}` : "Reading the files"}
      size="lg"
      footer={<Footer progress={progress} drawer={drawer} />}
    >
      <div aria-live="polite" className="flex flex-col gap-4">
        {error ? <ImportFailure error={error} wasImport={preview !== undefined} /> : null}
        {isImporting && file ? (
          <p className="text-13 text-muted-foreground">
            Sending {formatBytes(file.size)} and storing {countOf(usableCount(progress), "skill")}: all of them, or
            none.
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
          <FindingShapes />
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

function FindingShapes() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">Looking at the files</span>
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
  return error ? "This cannot be imported" : "Looking at the files";
}

function usableCount({ preview }: ImportProgress): number {
  return preview?.skills.filter((skill) => skill.effect === "new" || skill.effect === "version").length ?? 0;
}
