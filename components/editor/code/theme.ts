import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The product's own colours, which follow the theme by themselves. */
const looks = EditorView.theme({
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
  // A shape for each severity, not only a colour.
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

const colours = HighlightStyle.define([
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

export const theme: Extension = [looks, syntaxHighlighting(colours)];
