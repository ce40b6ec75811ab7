import type { Fragment } from "./fragment";
import { mapLines } from "./map-lines";

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  lpar: "(",
  rpar: ")",
  dollar: "$",
  sol: "/",
  bsol: "\\",
  colon: ":",
  semi: ";",
  vert: "|",
  verbar: "|",
  grave: "`",
  lbrack: "[",
  rbrack: "]",
  lbrace: "{",
  rbrace: "}",
  period: ".",
  comma: ",",
  excl: "!",
  num: "#",
  nbsp: " ",
  Tab: "\t",
  NewLine: "\n",
  commat: "@",
  equals: "=",
};

/** HTML entities. */
export function decodeEntities(text: string): Fragment[] {
  if (!text.includes("&")) return [];
  return mapLines(text, "entities-decoded", (line) =>
    line.replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return NAMED[name] ?? whole;
        return charOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? whole;
      },
    ),
  );
}

/** Percent encoding of letters and digits, or of a good part of a line: `%20` alone is what addresses look like. */
export function decodePercent(text: string): Fragment[] {
  if (!text.includes("%")) return [];
  return mapLines(text, "percent-decoded", (line) => {
    if (!/%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|3[0-9])/i.test(line)) return line;
    return line.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));
  });
}

/** `\x41`, `\u0041`, `\u{41}`, `\101` and `%u0041`, from three in a line. */
export function decodeEscapes(text: string): Fragment[] {
  if (!/\\[xu0-7]|%u/.test(text)) return [];
  const escaped = /\\x([0-9a-f]{2})|[\\%]u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\([0-7]{3})/gi;
  return mapLines(text, "escapes-decoded", (line) => {
    if ((line.match(escaped)?.length ?? 0) < 3) return line;
    return line.replace(escaped, (whole, byte?: string, unit?: string, point?: string, octal?: string) => {
      const hex = byte ?? unit ?? point;
      return charOf(hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16)) ?? whole;
    });
  });
}

function charOf(point: number): string | null {
  const printable = point === 9 || point === 10 || (point >= 32 && point <= 0x10ffff);
  return printable && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : null;
}
