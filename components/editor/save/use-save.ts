"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { type BaseVersion, loadBase, newestVersion, saveVersion } from "@/lib/client/editing";
import { skillsKey } from "@/lib/client/skills";
import { checkFiles } from "../model/check-files";
import { type EditorFile, isChanged, toVersionInput } from "../model/editor-file";
import type { Editor } from "../use-editor";

export type SaveState =
  | { kind: "idle" }
  | { kind: "saving" }
  | { kind: "failed"; error: unknown }
  /** Somebody else saved a version meanwhile; nothing of either side is lost. */
  | { kind: "conflict"; theirs: BaseVersion };

/** Saves the edit as a draft version of its skill. */
export function useSave(editor: Editor, onSaved: (version: { digest: string; number: number }) => void) {
  const { state, dispatch, skill } = editor;
  const [save, setSave] = useState<SaveState>({ kind: "idle" });
  const { toast } = useToast();
  const queryClient = useQueryClient();

  const store = async (base: BaseVersion, files: EditorFile[]): Promise<void> => {
    if (!skill || save.kind === "saving") return;
    if (!isChanged(files, base.files)) {
      toast({ title: `Nothing is changed: these are the files of version ${base.number}.` });
      setSave({ kind: "idle" });
      return;
    }
    setSave({ kind: "saving" });
    try {
      const saved = await saveVersion(skill.id, { files: toVersionInput(files, base.files), baseDigest: base.digest });
      void queryClient.invalidateQueries({ queryKey: skillsKey });
      setSave({ kind: "idle" });
      if (saved.number <= base.number) {
        const title = `These are the files of version ${saved.number} already.`;
        toast({ title, description: "No version was made; that one can be reviewed and approved." });
        return;
      }
      const stored = saved.files.map((file) => ({ ...file, text: null }));
      dispatch({ type: "saved", base: { ...saved, files: stored }, sent: files });
      onSaved(saved);
    } catch (error) {
      setSave(await failureOf(error, skill.id));
    }
  };

  /** Answers false when errors stand in the way. */
  const start = (): boolean => {
    // The shown diagnostics may be a moment behind the typing.
    const { diagnostics } = checkFiles(state.files, skill);
    if (diagnostics.some(({ severity }) => severity === "error")) return false;
    if (state.base) void store(state.base, state.files);
    return true;
  };

  return { save, start, store, clear: () => setSave({ kind: "idle" }) };
}

async function failureOf(error: unknown, skillId: string): Promise<SaveState> {
  if (!(error instanceof ApiError) || error.code !== "conflict") return { kind: "failed", error };
  try {
    const newest = await newestVersion(skillId);
    return newest ? { kind: "conflict", theirs: await loadBase(skillId, newest.digest) } : { kind: "failed", error };
  } catch (cause) {
    return { kind: "failed", error: cause };
  }
}
