import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as LintMark, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Extension, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { getNonce } from "get-nonce";
import { useEffect, useRef } from "react";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { Jump } from "./use-editor";

const editorTheme = EditorView.theme({
  "&": { height: "100%", fontSize: "0.8125rem", backgroundColor: "var(--background)", color: "var(--foreground)" },
  "&.cm-focused": { outline: "2px solid var(--ring)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--font-mono, ui-monospace, monospace)", lineHeight: "1.5" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--foreground)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--foreground)" },
  ".cm-gutters": { backgroundColor: "var(--background)", color: "var(--muted-foreground)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.5rem", padding: "0 4px 0 0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklch, var(--accent) 60%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--accent)", color: "var(--foreground)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklch, var(--primary) 26%, transparent)",
  },
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-gutter-lint": { width: "1.25rem" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--danger-mark)", backgroundImage: "none" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warning-mark)", backgroundImage: "none" },
  ".cm-lintRange-info": { backgroundImage: "none" },
  ".cm-lint-marker": { content: "normal", width: "9px", height: "9px", margin: "5px auto 0" },
  ".cm-lint-marker-error": { content: "normal", backgroundColor: "var(--danger-mark)", borderRadius: "50%" },
  ".cm-lint-marker-warning": {
    content: "normal",
    backgroundColor: "var(--warning-mark)",
    clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
  },
  ".cm-lint-marker-info": { content: "normal", border: "2px solid var(--input)", borderRadius: "50%" },
  ".cm-tooltip": {
    backgroundColor: "var(--popover)",
    color: "var(--popover-foreground)",
    border: "1px solid var(--border)",
    borderRadius: "6px",
    boxShadow: "var(--shadow-float)",
    overflow: "hidden",
    maxWidth: "28rem",
  },
  ".cm-diagnostic": { padding: "4px 8px", fontFamily: "var(--font-sans, sans-serif)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--danger-mark)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warning-mark)" },
  ".cm-diagnostic-info": { borderLeft: "3px solid var(--input)" },
  ".cm-panels": { backgroundColor: "var(--muted)", color: "var(--foreground)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--border)" },
  ".cm-textfield": {
    backgroundColor: "var(--background)",
    color: "var(--foreground)",
    border: "1px solid var(--input)",
    borderRadius: "4px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--background)",
    color: "var(--foreground)",
    border: "1px solid var(--border)",
    borderRadius: "4px",
  },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { fontSize: "0.75rem" },
  ".cm-searchMatch": { backgroundColor: "var(--warning-soft)", outline: "1px solid var(--warning-line)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--warning-line)" },
});

const highlightColors = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.labelName], color: "var(--primary)" },
  { tag: [tags.string, tags.monospace], color: "var(--success)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--warning)" },
  { tag: [tags.link, tags.url], color: "var(--primary)", textDecoration: "underline" },
  {
    tag: [tags.comment, tags.meta, tags.processingInstruction, tags.contentSeparator],
    color: "var(--muted-foreground)",
  },
  { tag: tags.invalid, color: "var(--danger)" },
]);

const theme: Extension = [editorTheme, syntaxHighlighting(highlightColors)];

// Hidden and bidirectional characters, except three that emoji and several scripts need.
const HIDDEN = /(?!\u200c|\u200d|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

type CodeEditorProps = {
  path: string;
  text: string;
  onChange: (path: string, text: string) => void;
  diagnostics: readonly Diagnostic[];
  jump: Jump | null;
  onJumped: () => void;
  /** Editor state per path: undo history, selection and scroll position while another file is open. */
  memory: Map<string, EditorState>;
};

/** Marks a change from outside the editor, such as the form; it is not reported through `onChange`. */
const fromOutside = Annotation.define<boolean>();

/** A text editor for one file. Heavy: load it with next/dynamic. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: each path has its own view
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

function lintMarks(diagnostics: readonly Diagnostic[], path: string, doc: Text): LintMark[] {
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.path !== path || diagnostic.line === undefined) return [];
    const line = doc.line(Math.min(diagnostic.line, doc.lines));
    const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
    const { severity, message, code } = diagnostic;
    return [{ from: line.from + indent, to: line.to, severity, message, source: code }];
  });
}

/** Extensions of the editor. Lines end with LF inside; Escape then Tab leaves the editor. */
function extensionsFor(path: string, label: string): Extension {
  const nonce = getNonce();
  return [
    // Styles are inserted as an element, which the content security policy refuses without the nonce.
    nonce ? EditorView.cspNonce.of(nonce) : [],
    EditorState.lineSeparator.of("\n"),
    EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars({ addSpecialChars: HIDDEN }),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightSelectionMatches(),
    lintGutter(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      "aria-label": label,
      // Editable text takes the focus without it, but checkers look for it in what scrolls.
      tabindex: "0",
      spellcheck: /\.md$/i.test(path) ? "true" : "false",
    }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    languageOf(path),
    theme,
  ];
}

/** Highlighting by file extension; JSON uses the YAML grammar, its superset. */
function languageOf(path: string): Extension {
  if (/\.(md|markdown)$/i.test(path)) {
    return yamlFrontmatter({ content: markdown({ base: markdownLanguage, completeHTMLTags: false }) });
  }
  return /\.(ya?ml|json)$/i.test(path) ? yaml() : [];
}

/** The shortest single replacement that turns one text into another; null when they are equal. */
export function smallestChange(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let behind = 0;
  while (behind < shorter - from && before[before.length - 1 - behind] === after[after.length - 1 - behind])
    behind += 1;
  return { from, to: before.length - behind, insert: after.slice(from, after.length - behind) };
}

/** `crlf` when every line ends with CRLF; mixed line ends stay in the text unchanged. */
type LineEnds = "lf" | "crlf";

export function lineEndsOf(text: string): LineEnds {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text) ? "crlf" : "lf";
}

/** The text with LF line ends; `fromEditor` restores the original bytes. */
export function toEditor(text: string, ends: LineEnds): string {
  return ends === "crlf" ? text.replaceAll("\r\n", "\n") : text;
}

export function fromEditor(lines: string, ends: LineEnds): string {
  return ends === "crlf" ? lines.replaceAll("\n", "\r\n") : lines;
}
