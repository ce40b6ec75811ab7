import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { yamlFrontmatter, yamlLanguage } from "@codemirror/lang-yaml";
import type { Parser } from "@lezer/common";
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { parser as javascript } from "@lezer/javascript";
import { parser as python } from "@lezer/python";

/** A coloured part of a line: positions in the line, and the class that colours it. */
export type Mark = { from: number; to: number; className: string };

const COMMENT = "text-muted-foreground italic";
const KEYWORD = "text-code-keyword";
const STRING = "text-code-string";
const NAME = "text-code-name";
const HEADING = "font-semibold";

const highlighter = tagHighlighter([
  { tag: [tags.comment, tags.meta, tags.processingInstruction, tags.contentSeparator], class: COMMENT },
  { tag: [tags.keyword, tags.bool, tags.null, tags.atom, tags.number, tags.self], class: KEYWORD },
  { tag: [tags.string, tags.regexp, tags.monospace, tags.url, tags.link], class: STRING },
  { tag: [tags.propertyName, tags.labelName, tags.definition(tags.variableName)], class: NAME },
  { tag: [tags.heading, tags.strong], class: HEADING },
]);

const typescript = javascript.configure({ dialect: "ts" });

/** Without its own grammar, the frontmatter is a heading of Markdown. */
const playbook = yamlFrontmatter({ content: markdown({ base: markdownLanguage }) }).language.parser;

/** By the ending of a file, or the language of a fence. */
const parsers: Record<string, Parser> = {
  ...{ py: python, python, python3: python },
  ...{ js: javascript, mjs: javascript, cjs: javascript, javascript, json: javascript, jsonc: javascript },
  jsx: javascript.configure({ dialect: "jsx" }),
  ...{ ts: typescript, mts: typescript, typescript },
  tsx: javascript.configure({ dialect: "ts jsx" }),
  ...{ md: playbook, markdown: playbook },
  ...{ yaml: yamlLanguage.parser, yml: yamlLanguage.parser },
};

/** Shell scripts and files of settings, for which no grammar is installed: comments, strings, variables and keywords. */
const SIMPLE =
  /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<name>\$\{[^}]*\}|\$\w+|^\s*[\w.-]+(?=\s*=))|(?<keyword>\b(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|function|return|exit|local|export|set|true|false)\b)/g;
const SIMPLE_CLASSES: Record<string, string> = { comment: COMMENT, string: STRING, name: NAME, keyword: KEYWORD };
const SIMPLE_ENDINGS = new Set(["sh", "bash", "zsh", "shell", "console", "toml", "ini", "env", "cfg"]);

/** Longer texts stay plain: they would block the page while they are parsed. */
const MAX_CHARS = 200_000;
const MAX_LINE = 2_000;

/** The coloured parts of each line, in order; null for kinds of files without a grammar. Positions are UTF-16 units. */
export function highlightCode(path: string, text: string): Mark[][] | null {
  if (text.length > MAX_CHARS) return null;
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const isShell = SIMPLE_ENDINGS.has(ending) || /^#!.*\b(?:ba|z|da)?sh\b/.test(text);
  const parser = Object.hasOwn(parsers, ending) ? parsers[ending] : undefined;
  if (parser) return byLine(text, parser);
  return isShell ? text.split(/\r?\n/).map(simpleMarks) : null;
}

function byLine(text: string, parser: Parser): Mark[][] {
  const lines = text.split(/\r?\n/);
  const found: Mark[][] = lines.map(() => []);
  const starts = lineStarts(text);
  let at = 0;
  highlightTree(parser.parse(text), highlighter, (from, to, className) => {
    while ((starts[at + 1] ?? Number.POSITIVE_INFINITY) <= from) at += 1;
    // A string or comment can go over several lines.
    for (let line = at; line < lines.length; line += 1) {
      const start = starts[line] ?? 0;
      if (start >= to) break;
      const mark = { from: Math.max(0, from - start), to: Math.min(lines[line]?.length ?? 0, to - start), className };
      if (mark.from < mark.to) found[line]?.push(mark);
    }
  });
  return found;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function simpleMarks(line: string): Mark[] {
  if (line.length > MAX_LINE) return [];
  return [...line.matchAll(SIMPLE)].flatMap((match) => {
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
    const className = kind === undefined ? undefined : SIMPLE_CLASSES[kind];
    return className === undefined ? [] : [{ from: match.index, to: match.index + match[0].length, className }];
  });
}
