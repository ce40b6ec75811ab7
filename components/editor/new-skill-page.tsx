"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Save } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { useShortcut } from "@/components/shell/use-shortcut";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select } from "@/components/ui/select";
import { useToast } from "@/components/ui/toast";
import { newestVersion } from "@/lib/client/editing";
import { createSkill, type ImportOwner, skillsKey } from "@/lib/client/skills";
import { skillHref } from "../skills/skill-labels";
import { DraftNotice, EditorHeader, SaveError } from "./editor-header";
import { EditorSkeleton } from "./editor-skeleton";
import { draftStorage, findDraft } from "./model/drafts";
import { toNewFiles } from "./model/editor-file";
import { fromDraft, initialState } from "./model/editor-state";
import { isTemplate, TEMPLATES, type TemplateName, templateFiles } from "./model/templates";
import { type EditorInit, hasErrors, useEditor } from "./use-editor";
import { useLeaveGuard } from "./use-leave-guard";
import { type Pane, Workspace } from "./workspace";

export function NewSkillPage() {
  useCrumbs([{ label: "My skills", href: "/skills" }, { label: "New skill" }]);
  const userId = useMe()?.user.id;
  const [init, setInit] = useState<EditorInit | null>(null);
  useEffect(() => {
    // Drafts are in localStorage, which the server render cannot read.
    if (userId !== undefined) setInit((before) => before ?? loadInitialState(userId));
  }, [userId]);
  return init ? <NewSkill init={init} /> : <EditorSkeleton />;
}

function loadInitialState(userId: string): EditorInit {
  const owner = { userId, skillId: "new" };
  const draft = findDraft(draftStorage(), owner);
  const state = draft ? fromDraft(draft, null) : initialState(null, templateFiles("playbook"));
  return { state, restoredAt: draft?.savedAt ?? null, owner, skill: null };
}

function NewSkill({ init }: { init: EditorInit }) {
  const editor = useEditor(init);
  const { state, isDirty, draft, restoredAt, replace } = editor;
  const { toast } = useToast();
  const me = useMe();
  const [pane, setPane] = useState<Pane>("edit");
  const [owner, setOwner] = useState<ImportOwner>("me");
  const { create, error, isPending } = useCreate(editor, owner);
  const [wasTried, setTried] = useState(false);
  // A template has empty fields: that is not a mistake before anything was written.
  const isUntouched = isTemplate(state.files) && !wasTried;
  useLeaveGuard(isDirty && !draft.isKept);

  const saveNow = async () => {
    if (!(await hasErrors(state, null))) return void create();
    setTried(true);
    setPane("problems");
    toast({ title: "Not created. Correct the errors first.", tone: "danger" });
  };
  useShortcut("mod+s", "Create skill", () => void saveNow(), { group: "Editor" });

  const discard = () => {
    const left = state;
    replace(initialState(null, templateFiles("playbook")));
    toast({ title: "Draft discarded.", undo: () => replace(left) });
  };

  return (
    <Workspace editor={editor} pane={pane} onPane={setPane} initialView="form" isUntouched={isUntouched}>
      <EditorHeader
        title="New skill"
        {...(isTemplate(state.files) ? { about: helpOf(templateOf(state.files)) } : {})}
        editor={editor}
        aside={
          <div className="flex flex-wrap items-center gap-2">
            {isTemplate(state.files) ? (
              <TemplateChoice
                value={templateOf(state.files)}
                onChange={(name) => replace(initialState(null, templateFiles(name)))}
              />
            ) : null}
            {me && me.user.role !== "user" ? (
              <Select
                aria-label="Owner"
                className="w-44"
                value={owner}
                onChange={(event) => setOwner(event.target.value === "org" ? "org" : "me")}
                options={[
                  { value: "me", label: "Owner: me" },
                  { value: "org", label: "Owner: organisation" },
                ]}
              />
            ) : null}
          </div>
        }
        actions={
          <Button variant="primary" pending={isPending} onClick={() => void saveNow()}>
            <Save aria-hidden />
            Create draft
          </Button>
        }
      >
        {restoredAt !== null && isDirty ? <DraftNotice restoredAt={restoredAt} onDiscard={discard} /> : null}
        {error ? <SaveError error={error} /> : null}
      </EditorHeader>
    </Workspace>
  );
}

type TemplateChoiceProps = { value: TemplateName; onChange: (name: TemplateName) => void };

function TemplateChoice({ value, onChange }: TemplateChoiceProps) {
  return (
    <SegmentedControl
      label="Template"
      value={value}
      onValueChange={onChange}
      options={TEMPLATES.map(({ name, label }) => ({ value: name, label }))}
    />
  );
}

function templateOf(files: readonly { path: string }[]): TemplateName {
  if (files.some(({ path }) => path === "skill.json")) return "pack";
  return files.some(({ path }) => path === "skill.toml") ? "pipeline" : "playbook";
}

function helpOf(template: TemplateName): string {
  return TEMPLATES.find(({ name }) => name === template)?.help ?? "";
}

function useCreate({ state, draft }: ReturnType<typeof useEditor>, owner: ImportOwner) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      const skill = await createSkill({ files: toNewFiles(state.files), owner });
      draft.finish();
      void queryClient.invalidateQueries({ queryKey: skillsKey });
      const version = await newestVersion(skill.id);
      router.replace(`${skillHref(skill)}/edit?saved=${version?.digest ?? ""}`);
    },
  });
  // Stays busy until the navigation, so that a second click creates nothing.
  const isBusy = isPending || isSuccess;
  return { create: () => isBusy || mutate(), error, isPending: isBusy };
}
