/** Characters that are invisible, change the order of others, or control a terminal. */
const hiddenNames: readonly [from: number, to: number, name: string][] = [
  [0x00, 0x1f, "control character"],
  [0x7f, 0x9f, "control character"],
  [0xad, 0xad, "soft hyphen"],
  [0x34f, 0x34f, "combining grapheme joiner"],
  [0x61c, 0x61c, "Arabic letter mark"],
  [0x115f, 0x1160, "Hangul filler"],
  [0x17b4, 0x17b5, "invisible Khmer vowel"],
  [0x180b, 0x180f, "Mongolian selector"],
  [0x200b, 0x200b, "zero width space"],
  [0x200c, 0x200c, "zero width non-joiner"],
  [0x200d, 0x200d, "zero width joiner"],
  [0x200e, 0x200e, "left-to-right mark"],
  [0x200f, 0x200f, "right-to-left mark"],
  [0x2028, 0x2028, "line separator"],
  [0x2029, 0x2029, "paragraph separator"],
  [0x202a, 0x202a, "left-to-right embedding"],
  [0x202b, 0x202b, "right-to-left embedding"],
  [0x202c, 0x202c, "end of direction"],
  [0x202d, 0x202d, "left-to-right override"],
  [0x202e, 0x202e, "right-to-left override"],
  [0x2060, 0x2060, "word joiner"],
  [0x2061, 0x2064, "invisible operator"],
  [0x2066, 0x2066, "left-to-right isolate"],
  [0x2067, 0x2067, "right-to-left isolate"],
  [0x2068, 0x2068, "first strong isolate"],
  [0x2069, 0x2069, "end of isolate"],
  [0x206a, 0x206f, "deprecated format character"],
  [0x3164, 0x3164, "Hangul filler"],
  [0xfe00, 0xfe0f, "variation selector"],
  [0xfeff, 0xfeff, "zero width no-break space"],
  [0xffa0, 0xffa0, "Hangul filler"],
  [0xfff9, 0xfffb, "annotation character"],
  [0xe0000, 0xe007f, "tag character"],
  [0xe0100, 0xe01ef, "variation selector"],
];

export type Segment =
  | { kind: "text"; text: string }
  | {
      kind: "hidden";
      text: string;
      codePoint: string;
      name: string /** The ASCII character of a tag character. */;
      tag: string | null;
    };

/** Splits text so that each invisible, bidirectional or control character is a segment of its own; joined, the segments are the input. */
export function revealInvisible(text: string): Segment[] {
  if (!suspect.test(text)) return text === "" ? [] : [{ kind: "text", text }];
  const chars = [...text];
  const flags = flagTagsIn(chars);
  const segments: Segment[] = [];
  let visible = "";
  chars.forEach((char, index) => {
    const name = flags.has(index) ? null : hiddenName(chars, index);
    if (name === null) {
      visible += char;
      return;
    }
    if (visible !== "") segments.push({ kind: "text", text: visible });
    visible = "";
    segments.push({ kind: "hidden", text: char, codePoint: codePointOf(char), name, tag: tagLetter(char) });
  });
  if (visible !== "") segments.push({ kind: "text", text: visible });
  return segments;
}

export function countInvisible(text: string): { count: number; spelled: string } {
  const hidden = revealInvisible(text).filter((segment) => segment.kind === "hidden");
  return { count: hidden.length, spelled: hidden.map((segment) => segment.tag ?? "").join("") };
}

/** Fast path: text without a match has no hidden characters. */
const suspect = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

function hiddenName(chars: string[], index: number): string | null {
  const code = codeAt(chars, index);
  if (code === 0x09 || code === 0x0a) return null;
  const known = hiddenNames.find(([from, to]) => code >= from && code <= to)?.[2];
  const name = known ?? (/^\p{Default_Ignorable_Code_Point}$/u.test(chars[index] ?? "") ? "invisible character" : null);
  if (name === null) return null;
  if (code === 0x200d && (joinsEmoji(chars, index) || joinsLetters(chars, index))) return null;
  if (code === 0x200c && joinsLetters(chars, index)) return null;
  if (code >= 0xfe00 && code <= 0xfe0f && selectsOne(chars, index)) return null;
  return name;
}

/** True for a joiner between two emoji, after an optional skin tone or variation selector: 👩🏽‍💻, ❤️‍🔥. */
function joinsEmoji(chars: string[], index: number): boolean {
  let before = index - 1;
  while (before > 0 && /^[\ufe0f\u{1f3fb}-\u{1f3ff}]$/u.test(chars[before] ?? "")) before -= 1;
  return isPicture(chars[before]) && isPicture(chars[index + 1]);
}

function isPicture(char: string | undefined): boolean {
  return char !== undefined && /^\p{Extended_Pictographic}$/u.test(char);
}

const joiningScripts = [
  "Arabic",
  "Syriac",
  "Nko",
  "Mongolian",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Khmer",
  "Myanmar",
  "Tibetan",
];
const joiningLetter = new RegExp(`^(?:${joiningScripts.map((script) => `\\p{Script=${script}}`).join("|")})$`, "u");
const joiner = /^[\u200c\u200d]$/;

/** Scripts such as Arabic and Devanagari use single joiners after a letter. */
function joinsLetters(chars: string[], index: number): boolean {
  const before = chars[index - 1] ?? "";
  // Marks such as U+0651 belong to several scripts at once.
  const isLetter =
    joiningLetter.test(before) || (/^\p{M}$/u.test(before) && joiningLetter.test(chars[index - 2] ?? ""));
  return isLetter && !joiner.test(chars[index + 1] ?? "");
}

/** A single selector after a visible character is normal; a sequence of them can hide data. */
function selectsOne(chars: string[], index: number): boolean {
  const before = chars[index - 1];
  return before !== undefined && /^[\p{L}\p{N}\p{S}\p{P}\p{M}]$/u.test(before) && !isSelector(before);
}

function isSelector(char: string): boolean {
  return /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u.test(char);
}

/** Indexes of the tag characters in regional flags: 🏴󠁧󠁢󠁥󠁮󠁧󠁿. */
function flagTagsIn(chars: string[]): Set<number> {
  const found = new Set<number>();
  chars.forEach((char, start) => {
    if (char !== "\u{1f3f4}") return;
    let end = start + 1;
    while (isTag(chars, end) && codeAt(chars, end) !== 0xe007f) end += 1;
    if (codeAt(chars, end) !== 0xe007f) return;
    const spelled = chars
      .slice(start + 1, end)
      .map(tagLetter)
      .join("");
    // ISO 3166-2 subdivision code; longer tag texts are not flags.
    if (!/^[a-z]{2}[a-z0-9]{1,3}$/.test(spelled)) return;
    for (let index = start + 1; index <= end; index += 1) found.add(index);
  });
  return found;
}

function isTag(chars: string[], index: number): boolean {
  const code = codeAt(chars, index);
  return code >= 0xe0000 && code <= 0xe007f;
}

function tagLetter(char: string): string | null {
  const code = char.codePointAt(0) ?? 0;
  return code >= 0xe0020 && code <= 0xe007e ? String.fromCodePoint(code - 0xe0000) : null;
}

function codeAt(chars: string[], index: number): number {
  return chars[index]?.codePointAt(0) ?? -1;
}

function codePointOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
