/** A link of a playbook to a file: the path as written, without fragment and title; `line` counts from 1 in the text. */
export type FileLink = { path: string; line: number };

const MAX_CHARS = 1_000_000;
const MAX_LINKS = 1_000;
// `[text](target)` and `![alt](target)` from their middle on, and `[label]: target` definitions.
const INLINE = /\]\(\s*<?([^()<>\s]{1,500})/g;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,100}\]:\s*<?([^\s<>]{1,500})/;

/**
 * Links in Markdown that point to files: not in code, no addresses with a scheme, no anchors, and no placeholders such as
 * `{baseDir}/x` or `<path>`. Absolute paths are among them.
 */
export function findLinks(markdown: string): FileLink[] {
  const links: FileLink[] = [];
  let fence: string | null = null;
  for (const [index, line] of markdown.slice(0, MAX_CHARS).split("\n").entries()) {
    if (links.length >= MAX_LINKS) break;
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined && (fence === null || (mark.startsWith(fence[0] ?? "") && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
    } else if (fence === null) {
      const prose = line.replace(/`[^`]*`/g, "");
      const targets = [...prose.matchAll(INLINE)].map((match) => match[1]);
      for (const target of [...targets, DEFINITION.exec(prose)?.[1]]) {
        const path = target === undefined ? null : filePathOf(target);
        if (path !== null) links.push({ path, line: index + 1 });
      }
    }
  }
  return links;
}

function filePathOf(target: string): string | null {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target) || /[{}$*<>]|\.\.\./.test(target)) return null;
  const path = target.replace(/[#?].*$/, "");
  if (!/[./]/.test(path)) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that encodes nothing is part of the name.
    return path;
  }
}
