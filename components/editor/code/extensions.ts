import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { getNonce } from "get-nonce";
import { languageOf } from "./language-of";
import { theme } from "./theme";

// Hidden and direction characters, which a reviewer would not see either; emoji and several scripts need the first three.
const HIDDEN = /(?!\u200c|\u200d|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** An editor for one file. Lines end with LF inside; Tab indents, and Escape before Tab leaves. */
export function extensionsFor(path: string, label: string): Extension {
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
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: /\.md$/i.test(path) ? "true" : "false" }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    languageOf(path),
    theme,
  ];
}
