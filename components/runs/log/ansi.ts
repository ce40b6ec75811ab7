/** Control, format and separator characters, which are invisible or change the text direction. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Kept as they are: tab, and the two joiners that scripts and emoji need. */
const kept = new Set(["\t", "\u200c", "\u200d"]);

export type AnsiColor = { kind: "indexed"; index: number } | { kind: "rgb"; rgb: readonly [number, number, number] };

export type AnsiStyle = {
  color: AnsiColor | null;
  background: AnsiColor | null;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  inverse: boolean;
};

export type AnsiPiece = { text: string; style: AnsiStyle };

export const plainStyle: AnsiStyle = {
  color: null,
  background: null,
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

/** ESC [ … letter, ESC ] … BEL or ST, and shorter escapes: colours, titles, cursor moves. */
const escapes = new RegExp(
  ["\\[([0-?]*)[ -/]*([@-~])", "\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?", "[PX^_][^\\x1b]*(?:\\x1b\\\\)?", "[ -/]*[0-~]"]
    .map((form) => `\\x1b${form}`)
    .join("|"),
  "g",
);

/**
 * Splits a line by style. Only SGR (`ESC [ … m`, ECMA-48) is interpreted; other sequences are removed, other control
 * characters become visible. Returns the style at the start of the next line.
 */
export function readAnsi(text: string, start: AnsiStyle): { pieces: AnsiPiece[]; end: AnsiStyle } {
  if (!text.includes("\u001b")) return { pieces: pieceOf(text, start), end: start };
  const pieces: AnsiPiece[] = [];
  let style = start;
  let from = 0;
  for (const match of text.matchAll(escapes)) {
    pieces.push(...pieceOf(text.slice(from, match.index), style));
    from = match.index + match[0].length;
    if (match[2] === "m" && match[0].endsWith(`${match[1] ?? ""}m`)) style = applySgr(style, match[1] ?? "");
  }
  pieces.push(...pieceOf(text.slice(from), style));
  return { pieces, end: style };
}

function pieceOf(text: string, style: AnsiStyle): AnsiPiece[] {
  return text === "" ? [] : [{ text: showHidden(text), style }];
}

/** Semicolons separate parameters, colons their sub-parameters (`4:3`, `38:2::1:2:3`). */
function applySgr(before: AnsiStyle, parameters: string): AnsiStyle {
  const style = { ...before };
  const codes = parameters.split(";");
  for (let at = 0; at < codes.length; at += 1) {
    const [head = "", ...own] = (codes[at] ?? "").split(":");
    const code = head === "" ? 0 : Number(head);
    if (code === 38 || code === 48) {
      const isInline = own.length > 0;
      const read = readColor(isInline ? own : codes.slice(at + 1), isInline);
      if (!isInline) at += read.used;
      if (read.color) style[code === 38 ? "color" : "background"] = read.color;
    } else applyCode(style, code, own);
  }
  return style;
}

const sgrCodes: Record<number, Partial<AnsiStyle>> = {
  0: plainStyle,
  1: { bold: true },
  3: { italic: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { color: null },
  49: { background: null },
};

function applyCode(style: AnsiStyle, code: number, own: readonly string[]): void {
  if (code === 4) style.underline = own[0] !== "0";
  else if (sgrCodes[code]) Object.assign(style, sgrCodes[code]);
  else if (code >= 30 && code <= 37) style.color = indexed(code - 30);
  else if (code >= 40 && code <= 47) style.background = indexed(code - 40);
  else if (code >= 90 && code <= 97) style.color = indexed(code - 90 + 8);
  else if (code >= 100 && code <= 107) style.background = indexed(code - 100 + 8);
  // Concealed, faint and blinking text is shown as normal text.
}

function indexed(index: number): AnsiColor {
  return { kind: "indexed", index };
}

/** Reads the colour after 38 or 48: `5;n` or `2;r;g;b`. The colon form may have a colour space before red. */
function readColor(codes: readonly string[], isInline: boolean): { color: AnsiColor | null; used: number } {
  const numbers = codes.map((code) => (code === "" ? 0 : Number(code)));
  if (numbers[0] === 5) {
    const index = numbers[1] ?? -1;
    return { color: isByte(index) ? indexed(index) : null, used: 2 };
  }
  if (numbers[0] !== 2) return { color: null, used: 1 };
  const first = isInline && numbers.length > 4 ? 2 : 1;
  const [red = -1, green = -1, blue = -1] = numbers.slice(first, first + 3);
  const isColor = [red, green, blue].every(isByte);
  return { color: isColor ? { kind: "rgb", rgb: [red, green, blue] } : null, used: 4 };
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 255;
}

function showHidden(text: string): string {
  return text.replace(invisible, (character) => (kept.has(character) ? character : show(character)));
}

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
