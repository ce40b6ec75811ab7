"use client";

import { setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { fromEditor, type LineEnds, lineEndsOf, toEditor } from "../model/line-ends";
import type { Jump } from "../use-editor";
import { extensionsFor } from "./extensions";
import { lintMarks } from "./lint-marks";
import { smallestChange } from "./smallest-change";

type CodeEditorProps = {
  path: string;
  text: string;
  onChange: (path: string, text: string) => void;
  diagnostics: readonly Diagnostic[];
  jump: Jump | null;
  onJumped: () => void;
  /** What stays of each file while another one is shown: its undo history, selection and place. */
  memory: Map<string, EditorState>;
};

/** Marks a change that came from outside, such as from the form, which is not reported back. */
const fromOutside = Annotation.define<boolean>();

/** The text of one file. Heavy: load it with next/dynamic. */
export function CodeEditor({ path, text, onChange, diagnostics, jump, onJumped, memory }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ text, onChange });
  const ends = useRef<LineEnds>("lf");

  useEffect(() => {
    latest.current = { text, onChange };
  });

  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    ends.current = lineEndsOf(latest.current.text);
    const doc = toEditor(latest.current.text, ends.current);
    const extensions = extensionsFor(path, `Text of ${path}`);
    const made = new EditorView({
      state: memory.get(path) ?? EditorState.create({ doc, extensions }),
      parent,
      dispatchTransactions: (transactions, current) => {
        current.update(transactions);
        const isOwn = transactions.some((tr) => tr.docChanged && !tr.annotation(fromOutside));
        if (isOwn) latest.current.onChange(path, fromEditor(current.state.doc.toString(), ends.current));
      },
    });
    view.current = made;
    return () => {
      memory.set(path, made.state);
      made.destroy();
      view.current = null;
    };
  }, [path, memory]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is another view
  useEffect(() => {
    const { current } = view;
    if (!current || fromEditor(current.state.doc.toString(), ends.current) === text) return;
    ends.current = lineEndsOf(text);
    const change = smallestChange(current.state.doc.toString(), toEditor(text, ends.current));
    if (change) current.dispatch({ changes: change, annotations: fromOutside.of(true) });
  }, [text, path]);

  useEffect(() => {
    const { current } = view;
    if (current) current.dispatch(setDiagnostics(current.state, lintMarks(diagnostics, path, current.state.doc)));
  }, [diagnostics, path]);

  useEffect(() => {
    const { current } = view;
    if (!current || !jump || jump.path !== path) return;
    onJumped();
    const line = current.state.doc.line(Math.min(Math.max(1, jump.line), current.state.doc.lines));
    current.dispatch({
      selection: { anchor: line.from },
      effects: EditorView.scrollIntoView(line.from, { y: "center" }),
    });
    current.focus();
  }, [jump, path, onJumped]);

  return <div ref={host} className="min-h-0 flex-1 overflow-hidden" />;
}
