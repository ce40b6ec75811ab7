"use client";

import { useEffect, useState } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { useMe } from "@/components/state/use-me";
import { EditorSkeleton } from "./editor-skeleton";
import { draftStorage, findDraft } from "./model/drafts";
import { fromDraft, initialState } from "./model/editor-state";
import { templateFiles } from "./model/templates";
import { NewSkill } from "./new-skill";
import type { EditorInit } from "./use-editor";

/** A skill that is written here from nothing. */
export function NewSkillPage() {
  useCrumbs([{ label: "My skills", href: "/skills" }, { label: "New skill" }]);
  const userId = useMe()?.user.id;
  const [init, setInit] = useState<EditorInit | null>(null);
  useEffect(() => {
    // The draft is in the browser, which the server does not see.
    if (userId !== undefined) setInit((before) => before ?? begin(userId));
  }, [userId]);
  return init ? <NewSkill init={init} /> : <EditorSkeleton />;
}

function begin(userId: string): EditorInit {
  const owner = { userId, skillId: "new" };
  const draft = findDraft(draftStorage(), owner);
  const state = draft ? fromDraft(draft, null) : initialState(null, templateFiles("playbook"));
  return { state, restoredAt: draft?.savedAt ?? null, owner, skill: null };
}
