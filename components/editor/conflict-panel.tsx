import { structuredPatch } from "diff";
import Link from "next/link";
import { useMemo, useState } from "react";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/hidden-notice";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Digest } from "@/components/ui/digest";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { BaseFile, BaseVersion } from "@/lib/client/editing";
import type { FileDiff } from "@/lib/skills/versions/schema";
import { countOf, skillHref } from "../skills/skill-labels";
import { changeOf, type EditorFile, fromBase, keptHash } from "./model/editor-file";
import type { Editor } from "./use-editor";

type ConflictPanelProps = {
  editor: Editor;
  theirs: BaseVersion;
  onSaveOnTop: (rebased: Rebased) => void;
  onDiscard: () => void;
};

/** Another person saved a version meanwhile; the user chooses which edit to keep. */
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
    <Notice tone="warning" announce title="Another version was saved while you edited" className="items-start">
      <p>
        <RevealedText text={theirs.createdBy.name} /> saved version {theirs.number}{" "}
        <Digest value={theirs.digest} label="other version’s digest" /> <RelativeTime value={theirs.createdAt} />. Your
        edit is based on version {state.base?.number}. It is not saved yet, and nothing is lost.{" "}
        <Link href={changes} target="_blank" className="underline underline-offset-2">
          View their changes
        </Link>
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={() => setIsComparing(true)}>
          Compare and save on top
        </Button>
        <Button size="sm" onClick={() => setIsDiscarding(true)}>
          Discard my edit
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
        description={`The editor then shows version ${theirs.number}. You can undo this until you leave the page.`}
        confirmLabel="Discard my edit"
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
        description="Files that you did not edit stay as the other person saved them. Saving makes these changes:"
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
              You both changed {both.join(", ")}. Your edit replaces theirs, which stays available in version{" "}
              {theirs.number}.
            </p>
          </Notice>
        ) : null}
        <p className="mb-2 text-13 text-muted-foreground">
          {diff.length === 0 ? "No differences" : `${countOf(diff.length, "file")} would change`}
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

/** Compares an edit with a stored version, file by file; `hunks` is null unless both texts are loaded. */
export function diffFiles(before: readonly BaseFile[], after: readonly EditorFile[]): FileDiff[] {
  const paths = [...new Set([...before, ...after].map((file) => file.path))].sort();
  return paths.flatMap((path) => {
    const old = before.find((file) => file.path === path);
    const now = after.find((file) => file.path === path);
    if (now && changeOf(now, before) === "same") return [];
    return [
      {
        path,
        change: old ? (now ? "changed" : "removed") : "added",
        modeBefore: old?.mode ?? null,
        modeAfter: now?.mode ?? null,
        hunks: hunksOf(old, now),
      } satisfies FileDiff,
    ];
  });
}

function hunksOf(old: BaseFile | undefined, now: EditorFile | undefined): FileDiff["hunks"] {
  const before = old ? old.text : "";
  const after = now ? (now.content.kind === "text" ? now.content.text : null) : "";
  if (before === null || after === null) return null;
  const patch = structuredPatch("a", "b", before, after, "", "", { context: 3, timeout: 1000 });
  return patch ? patch.hunks : null;
}

type Rebased = {
  files: EditorFile[];
  /** Paths that both sides changed differently; `files` has my version. */
  both: string[];
};

/** Applies my edit to their version: files I changed, added or removed are mine, all others theirs. */
export function rebaseFiles(
  base: readonly BaseFile[],
  mine: readonly EditorFile[],
  theirs: readonly BaseFile[],
): Rebased {
  const files: EditorFile[] = [];
  const both: string[] = [];
  for (const path of [...new Set([...theirs, ...mine].map((file) => file.path))]) {
    const before = base.find((file) => file.path === path);
    const own = mine.find((file) => file.path === path);
    const other = theirs.find((file) => file.path === path);
    const didTheyChange = other?.sha256 !== before?.sha256 || other?.mode !== before?.mode;
    const didIChange = own ? changeOf(own, base) !== "same" : before !== undefined;
    if (!didIChange) {
      if (other) files.push(fromBase(other));
      continue;
    }
    if (own) files.push(own);
    if (didTheyChange && !isSame(own, other)) both.push(path);
  }
  return { files, both };
}

function isSame(own: EditorFile | undefined, other: BaseFile | undefined): boolean {
  if (!own || !other) return own === undefined && other === undefined;
  return own.mode === other.mode && keptHash(own.content, [other]) === other.sha256;
}
