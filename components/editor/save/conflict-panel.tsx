"use client";

import Link from "next/link";
import { useMemo, useState } from "react";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/revealed-text";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { BaseVersion } from "@/lib/client/editing";
import { countOf, skillHref } from "../../skills/skill-words";
import { diffFiles } from "../model/diff-files";
import { type Rebased, rebaseFiles } from "../model/rebase-files";
import type { Editor } from "../use-editor";

type ConflictPanelProps = {
  editor: Editor;
  theirs: BaseVersion;
  onSaveOnTop: (rebased: Rebased) => void;
  onDiscard: () => void;
};

/** Somebody was faster. Both sides are there until a person says which is to stay. */
export function ConflictPanel({ editor, theirs, onSaveOnTop, onDiscard }: ConflictPanelProps) {
  const [isComparing, setIsComparing] = useState(false);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const { state, skill } = editor;
  const rebased = useMemo(
    () => rebaseFiles(state.base?.files ?? [], state.files, theirs.files),
    [state.base, state.files, theirs],
  );
  const changes = skill ? `${skillHref(skill)}?tab=versions&compare=${theirs.digest}` : "/skills";
  return (
    <Notice tone="warning" announce title="Somebody else saved a version while you edited." className="items-start">
      <p>
        <RevealedText text={theirs.createdBy.name} /> saved version {theirs.number}{" "}
        <Digest value={theirs.digest} label="digest of the other version" /> <RelativeTime value={theirs.createdAt} />.
        Your edit began with version {state.base?.number} and is not saved. Nothing is lost.{" "}
        <Link href={changes} target="_blank" className="underline underline-offset-2">
          See what they changed
        </Link>
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={() => setIsComparing(true)}>
          Compare and save on top
        </Button>
        <Button size="sm" onClick={() => setIsDiscarding(true)}>
          Discard mine
        </Button>
      </div>
      {isComparing ? (
        <Comparison
          theirs={theirs}
          rebased={rebased}
          onClose={() => setIsComparing(false)}
          onSave={() => {
            setIsComparing(false);
            onSaveOnTop(rebased);
          }}
        />
      ) : null}
      <ConfirmDialog
        open={isDiscarding}
        onOpenChange={setIsDiscarding}
        title="Discard your edit?"
        description={`The editor shows version ${theirs.number} instead. You can undo this while you stay on this page.`}
        confirmLabel="Discard mine"
        tone="danger"
        onConfirm={onDiscard}
      />
    </Notice>
  );
}

type ComparisonProps = { theirs: BaseVersion; rebased: Rebased; onClose: () => void; onSave: () => void };

function Comparison({ theirs, rebased: { files, both }, onClose, onSave }: ComparisonProps) {
  const diff = useMemo(() => diffFiles(theirs.files, files), [theirs, files]);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Your edit on top of version ${theirs.number}`}
        description="Files that you did not touch are as the other person saved them. This is what saving would change."
        size="lg"
        footer={
          <>
            <DialogClose asChild>
              <Button>Back to the editor</Button>
            </DialogClose>
            <Button variant="primary" onClick={onSave}>
              Save on top of version {theirs.number}
            </Button>
          </>
        }
      >
        {both.length > 0 ? (
          <Notice tone="warning" className="mb-3">
            <p>
              Both of you changed {both.join(", ")}. Yours would take the place of theirs, which stays in version{" "}
              {theirs.number}.
            </p>
          </Notice>
        ) : null}
        <p className="mb-2 text-13 text-muted-foreground">
          {diff.length === 0 ? "Both say the same." : `${countOf(diff.length, "file")} would change.`}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div tabIndex={0} className="flex max-h-[50dvh] flex-col gap-3 overflow-y-auto">
          {diff.map((file) => (
            <FileDiffView key={file.path} file={file} />
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
