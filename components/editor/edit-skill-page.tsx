"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Save } from "lucide-react";
import Link from "next/link";
import { useMemo, useState } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { useShortcut } from "@/components/shell/use-shortcut";
import { SubmitDraft } from "@/components/skills/versions/version-actions";
import { useMe } from "@/components/state/use-me";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import { stateLooks } from "@/components/ui/state-chip";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { type BaseVersion, loadBase, newestVersion, saveVersion } from "@/lib/client/editing";
import { skillQuery, skillsKey } from "@/lib/client/skills";
import { versionQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import { canManage, displayName, reviewHref, skillHref } from "../skills/skill-labels";
import { DraftNotice, EditorHeader, SaveError } from "./editor-header";
import { EditorSkeleton } from "./editor-skeleton";
import { type DraftOwner, draftStorage, findDraft } from "./model/drafts";
import { type EditorFile, fromBase, isChanged, toVersionInput } from "./model/editor-file";
import { fromDraft, initialState } from "./model/editor-state";
import { type Editor, type EditorInit, hasErrors, useEditor } from "./use-editor";
import { useLeaveGuard } from "./use-leave-guard";
import { type Pane, Workspace } from "./workspace";

const ConflictPanel = deferred(async () => (await import("./conflict-panel")).ConflictPanel);

export function EditSkillPage({ idOrName }: { idOrName: string }) {
  const query = useQuery(skillQuery(idOrName));
  const me = useMe();
  const skill = query.data;
  useCrumbs([
    { label: "My skills", href: "/skills" },
    { label: skill ? displayName(skill) : "Skill", href: skill ? skillHref(skill) : `/skills/${idOrName}` },
    { label: "Edit" },
  ]);
  if (query.error && !skill) return <ErrorState isPage error={query.error} onRetry={() => void query.refetch()} />;
  if (!skill || !me) return <EditorSkeleton />;
  if (!canManage(skill, me)) {
    return (
      <EmptyState
        title="You may not edit this skill"
        description="The owner and admins can edit it. Reviewers can also edit skills of the organisation."
        action={
          <Button asChild>
            <Link href={skillHref(skill)}>Open skill</Link>
          </Button>
        }
      />
    );
  }
  return <EditorLoader key={skill.id} skill={skill} userId={me.user.id} />;
}

function EditorLoader({ skill, userId }: { skill: Skill; userId: string }) {
  const owner = useMemo(() => ({ userId, skillId: skill.id }), [userId, skill.id]);
  const query = useQuery({
    queryKey: ["editing", userId, skill.id],
    queryFn: ({ signal }) => loadInitialState(skill, owner, signal),
    // Loaded once: saving detects changes made in the meantime.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query.data) return <EditSkill init={query.data} title={`Edit ${displayName(skill)}`} />;
  if (query.error) {
    const title = "The files could not be loaded.";
    return <ErrorState isPage error={query.error} title={title} onRetry={() => void query.refetch()} />;
  }
  return <EditorSkeleton />;
}

/** The draft in this browser on its base version, else the newest version. */
async function loadInitialState(skill: Skill, owner: DraftOwner, signal: AbortSignal): Promise<EditorInit> {
  const name = { id: skill.id, name: skill.name, slug: skill.slug };
  const draft = findDraft(draftStorage(), owner);
  const digest = draft?.base ?? (await newestVersion(skill.id, signal))?.digest;
  if (!digest) throw new Error("a skill has at least one version");
  const base = await loadBase(skill.id, digest, signal);
  const state = draft ? fromDraft(draft, base) : initialState(base, base.files.map(fromBase));
  return { state, restoredAt: draft?.savedAt ?? null, owner, skill: name };
}

type EditSkillProps = { init: EditorInit; title: string };

function EditSkill({ init, title }: EditSkillProps) {
  const editor = useEditor(init);
  const { state, dispatch, skill, isDirty, draft, restoredAt, replace } = editor;
  const { toast } = useToast();
  const [pane, setPane] = useState<Pane>("edit");
  const [saved, setSaved] = useUrlState("saved");
  const { save, start, store, clear } = useSave(editor, (version) => setSaved(version.digest));
  useLeaveGuard(isDirty && !draft.isKept);

  const saveNow = async () => {
    if (await start()) return;
    setPane("problems");
    toast({ title: "Not saved. Correct the errors first.", tone: "danger" });
  };
  useShortcut("mod+s", "Save version", () => void saveNow(), { group: "Editor" });

  const discard = async () => {
    const left = { state, restoredAt };
    const newest = skill ? await newestVersion(skill.id) : null;
    const base = skill && newest ? await loadBase(skill.id, newest.digest) : state.base;
    if (!base) return;
    replace(initialState(base, base.files.map(fromBase), state.open));
    clear();
    toast({ title: "Edit discarded.", undo: () => replace(left.state) });
  };

  return (
    <Workspace editor={editor} pane={pane} onPane={setPane} initialView="text">
      <EditorHeader
        title={title}
        editor={editor}
        actions={
          <Button variant="primary" pending={save.kind === "saving"} onClick={() => void saveNow()}>
            <Save aria-hidden />
            Save version
          </Button>
        }
      >
        {restoredAt !== null && isDirty ? (
          <DraftNotice restoredAt={restoredAt} onDiscard={() => void discard()} />
        ) : null}
        {save.kind === "failed" ? <SaveError error={save.error} /> : null}
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

type SavedNoticeProps = { skillId: string; digest: string };

function SavedNotice({ skillId, digest }: SavedNoticeProps) {
  const skill = useQuery(skillQuery(skillId)).data;
  const version = useQuery(versionQuery(skillId, digest)).data;
  if (!skill || !version) return null;
  const isDraft = version.state === "draft";
  const link = "underline underline-offset-2";
  return (
    <Notice tone="success" announce className="items-center" action={<SubmitDraft skill={skill} version={version} />}>
      {isDraft
        ? `Version ${version.number} is saved as a draft. Agents get it once it is approved. `
        : `Version ${version.number}: ${stateLooks[version.state].label.toLowerCase()}. `}
      <Link href={`${skillHref(skill)}?tab=versions`} className={link}>
        Open versions
      </Link>
      {isDraft ? null : (
        <>
          {" "}
          <Link href={reviewHref(skill.id, digest)} className={link}>
            Open review
          </Link>
        </>
      )}
    </Notice>
  );
}

type SaveState =
  | { kind: "idle" }
  | { kind: "saving" }
  | { kind: "failed"; error: unknown }
  | { kind: "conflict"; theirs: BaseVersion };

function useSave(editor: Editor, onSaved: (version: { digest: string; number: number }) => void) {
  const { state, dispatch, skill } = editor;
  const [save, setSave] = useState<SaveState>({ kind: "idle" });
  const { toast } = useToast();
  const queryClient = useQueryClient();

  const store = async (base: BaseVersion, files: EditorFile[]): Promise<void> => {
    if (!skill || save.kind === "saving") return;
    if (!isChanged(files, base.files)) {
      toast({ title: `No changes: the files equal version ${base.number}.` });
      setSave({ kind: "idle" });
      return;
    }
    setSave({ kind: "saving" });
    try {
      const saved = await saveVersion(skill.id, { files: toVersionInput(files, base.files), baseDigest: base.digest });
      void queryClient.invalidateQueries({ queryKey: skillsKey });
      setSave({ kind: "idle" });
      if (saved.number <= base.number) {
        const title = `The files equal version ${saved.number}.`;
        toast({ title, description: "No new version was created. Review that version instead." });
        return;
      }
      const stored = saved.files.map((file) => ({ ...file, text: null }));
      dispatch({ type: "saved", base: { ...saved, files: stored }, sent: files });
      onSaved(saved);
    } catch (error) {
      setSave(await failureOf(error, skill.id));
    }
  };

  /** Returns false when errors prevent saving. */
  const start = async (): Promise<boolean> => {
    if (await hasErrors(state, skill)) return false;
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
