import { useCallback, useDeferredValue, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { useDebounced } from "@/components/state/use-debounced";
import type { CheckResult, SkillName } from "./model/check-files";
import { type DraftOwner, draftStorage, dropDrafts, keepDraft } from "./model/drafts";
import { isChanged } from "./model/editor-file";
import { type EditorState, reduceEditor, toDraft } from "./model/editor-state";
import { isTemplate } from "./model/templates";

const checkedAfterMs = 250;
const keptAfterMs = 400;

export type Jump = { path: string; line: number };

export type EditorInit = {
  state: EditorState;
  /** Time of the restored draft, in milliseconds since 1970; null without a draft. */
  restoredAt: number | null;
  owner: DraftOwner;
  skill: (SkillName & { id: string }) | null;
};

export type Editor = ReturnType<typeof useEditor>;

/** State of one edit: files, diagnostics and the draft in the browser. */
export function useEditor({ state: first, restoredAt: firstRestoredAt, owner, skill }: EditorInit) {
  const [state, dispatch] = useReducer(reduceEditor, first);
  const [restoredAt, setRestoredAt] = useState(firstRestoredAt);
  const [jump, setJump] = useState<Jump | null>(null);
  const { base, files } = state;
  const isDirty = useMemo(() => (base ? isChanged(files, base.files) : !isTemplate(files)), [base, files]);
  const draft = useDraft(state, owner, isDirty);
  const checked = useChecked(state, skill);

  const goTo = useCallback((path: string, line: number) => {
    dispatch({ type: "open", path });
    setJump({ path, line });
  }, []);
  const jumped = useCallback(() => setJump(null), []);

  const replace = useCallback((next: EditorState) => {
    setRestoredAt(null);
    dispatch({ type: "restore", state: next });
  }, []);

  return { state, dispatch, skill, owner, isDirty, draft, checked, jump, jumped, goTo, restoredAt, replace };
}

/** Debounced, since checking long files takes a while. Null until the checks are loaded. */
function useChecked({ files }: EditorState, skill: SkillName | null): CheckResult | null {
  const settled = useDeferredValue(useDebounced(files, checkedAfterMs));
  const [check, setCheck] = useState<Awaited<ReturnType<typeof loadChecks>>>(null);
  useEffect(() => {
    void loadChecks().then((loaded) => setCheck(() => loaded));
  }, []);
  return useMemo(() => check?.(settled, skill) ?? null, [check, settled, skill]);
}

/** The checks of the server, which are large; null when they cannot be loaded. */
async function loadChecks() {
  return import("./model/check-files").then(
    ({ checkFiles }) => checkFiles,
    () => null,
  );
}

/** Checks again before saving, since the shown diagnostics lag behind typing. Without the checks the server alone decides. */
export async function hasErrors({ files }: EditorState, skill: SkillName | null): Promise<boolean> {
  const check = await loadChecks();
  return check?.(files, skill).diagnostics.some(({ severity }) => severity === "error") ?? false;
}

/** Keeps the draft up to date; `finish` removes it after saving. */
function useDraft(state: EditorState, owner: DraftOwner, isDirty: boolean) {
  const [isKept, setIsKept] = useState(true);
  const isFinished = useRef(false);
  const latest = useRef({ state, isDirty });
  useEffect(() => {
    latest.current = { state, isDirty };
  });

  const keep = useCallback(() => {
    const now = latest.current;
    const isNeeded = now.isDirty && !isFinished.current;
    if (!isNeeded) dropDrafts(draftStorage(), owner);
    setIsKept(!isNeeded || keepDraft(draftStorage(), owner, toDraft(now.state, Date.now())));
  }, [owner]);

  const settled = useDebounced(state, keptAfterMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state has settled
  useEffect(keep, [keep, settled, isDirty]);
  useEffect(() => {
    // Stores the last keystrokes before the page unloads.
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, [keep]);

  const finish = useCallback(() => {
    isFinished.current = true;
    dropDrafts(draftStorage(), owner);
  }, [owner]);
  return { isKept, finish };
}
