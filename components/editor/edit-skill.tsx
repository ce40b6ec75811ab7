"use client";

import { Save } from "lucide-react";
import { useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { loadBase, newestVersion } from "@/lib/client/editing";
import { EditorHeader } from "./editor-header";
import { fromBase } from "./model/editor-file";
import { initialState } from "./model/editor-state";
import { ConflictPanel } from "./save/conflict-panel";
import { DraftNotice } from "./save/draft-notice";
import { Refusal } from "./save/refusal";
import { SavedNotice } from "./save/saved-notice";
import { useLeaveGuard } from "./save/use-leave-guard";
import { useSave } from "./save/use-save";
import { type EditorInit, useEditor } from "./use-editor";
import { type Pane, Workspace } from "./workspace";

type EditSkillProps = { init: EditorInit; title: string };

/** An edit of a stored skill, up to the draft version that it becomes. */
export function EditSkill({ init, title }: EditSkillProps) {
  const editor = useEditor(init);
  const { state, dispatch, skill, isDirty, draft, restoredAt, replace } = editor;
  const { toast } = useToast();
  const [pane, setPane] = useState<Pane>("edit");
  const [saved, setSaved] = useUrlState("saved");
  const { save, start, store, clear } = useSave(editor, (version) => setSaved(version.digest));
  useLeaveGuard(isDirty && !draft.isKept);

  const saveNow = () => {
    if (start()) return;
    setPane("problems");
    toast({ title: "It is not saved: there are errors to correct first.", tone: "danger" });
  };
  useShortcut("mod+s", "Save as a version", saveNow, { group: "Editor" });

  /** Shows the newest version instead; what was there comes back with Undo. */
  const discard = async () => {
    const left = { state, restoredAt };
    const newest = skill ? await newestVersion(skill.id) : null;
    const base = skill && newest ? await loadBase(skill.id, newest.digest) : state.base;
    if (!base) return;
    replace(initialState(base, base.files.map(fromBase), state.open));
    clear();
    toast({ title: "Your edit is discarded.", undo: () => replace(left.state) });
  };

  return (
    <Workspace editor={editor} pane={pane} onPane={setPane} initialView="text">
      <EditorHeader
        title={title}
        editor={editor}
        actions={
          <Button variant="primary" pending={save.kind === "saving"} onClick={saveNow}>
            <Save aria-hidden />
            Save version
          </Button>
        }
      >
        {restoredAt !== null && isDirty ? (
          <DraftNotice restoredAt={restoredAt} onDiscard={() => void discard()} />
        ) : null}
        {save.kind === "failed" ? <Refusal error={save.error} /> : null}
        {save.kind === "conflict" ? (
          <ConflictPanel
            editor={editor}
            theirs={save.theirs}
            onDiscard={discard}
            onSaveOnTop={({ files }) => {
              dispatch({ type: "rebase", base: save.theirs, files });
              void store(save.theirs, files);
            }}
          />
        ) : null}
        {saved && skill && !isDirty ? <SavedNotice skillId={skill.id} digest={saved} /> : null}
      </EditorHeader>
    </Workspace>
  );
}
