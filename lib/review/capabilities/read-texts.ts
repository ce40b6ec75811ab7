import { isText } from "@/lib/skill-format/archive/is-text";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";

/** A text file, line by line. Lines are cut at 2,000 characters. */
export type SkillText = { path: string; mode: SkillFile["mode"]; lines: string[] };

const MAX_BYTES = 256 * 1024;
const MAX_TOTAL_BYTES = 2 * 1024 * 1024;
const MAX_LINE = 2000;
const MAX_TOTAL_LINES = 50_000;

/** The beginnings of all text files, 2 MiB and 50,000 lines together. */
export function readTexts(files: SkillFile[]): SkillText[] {
  let left = MAX_TOTAL_BYTES;
  let linesLeft = MAX_TOTAL_LINES;
  return files
    .filter((file) => isText(file.bytes))
    .map(({ path, mode, bytes }) => {
      const part = bytes.subarray(0, Math.min(MAX_BYTES, left));
      left -= part.byteLength;
      const lines = new TextDecoder()
        .decode(part)
        .split(/\r\n|\n|\r/)
        .slice(0, linesLeft);
      linesLeft -= lines.length;
      return { path, mode, lines: lines.map((line) => line.slice(0, MAX_LINE)) };
    });
}

/** The first place where a text stands, in the skill's own description before other files. */
export function placeOf(texts: SkillText[], wanted: string): { path: string; line: number } | null {
  if (wanted === "") return null;
  const isMarker = ({ path }: SkillText) => /^(skill\.(md|json|toml))$/i.test(path);
  for (const text of [...texts.filter(isMarker), ...texts.filter((text) => !isMarker(text))]) {
    const line = text.lines.findIndex((content) => content.includes(wanted));
    if (line >= 0) return { path: text.path, line: line + 1 };
  }
  return null;
}

/** Every line of more than one character with its place, as far as `wants` says. */
export function* eachLine(
  texts: SkillText[],
  wants: (text: SkillText) => boolean = () => true,
): Generator<{ content: string; at: { path: string; line: number } }> {
  for (const text of texts) {
    if (!wants(text)) continue;
    for (const [index, content] of text.lines.entries()) {
      if (content.length > 1) yield { content, at: { path: text.path, line: index + 1 } };
    }
  }
}
