import type { Fragment } from "./fragment";
import { mapLines } from "./map-lines";

const ROT13_CLUE = /rot[-_]?13|n-za-m|13\s*\)\s*%\s*26/i;
const REVERSED_CLUE = /\[::-1\]|\.reverse\(\)|\breversed\(|\|\s*rev\b|strrev|-join.{0,20}\[-1\.\./i;

/** Every line by ROT13, when the text speaks of it. */
export function decodeRot13(text: string): Fragment[] {
  if (!ROT13_CLUE.test(text)) return [];
  return mapLines(text, "rot13-decoded", (line) =>
    line.replace(/[a-z]/gi, (letter) => {
      const base = letter <= "Z" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
  );
}

/** String literals written backwards, when the text reverses something. */
export function reverseLines(text: string): Fragment[] {
  if (!REVERSED_CLUE.test(text)) return [];
  return mapLines(text, "reversed", (line) => (line.length < 12 ? line : [...line].reverse().join("")));
}

/** Texts put together from pieces: `"cu" + "rl"`, `'cu''rl'`, `c\url`, `${IFS}`. */
export function joinStrings(text: string): Fragment[] {
  if (!/["']\s{0,3}\+\s{0,3}["']|\w(?:''|""|\\)\w|\$\{?IFS|\^\w/.test(text)) return [];
  return mapLines(text, "strings-joined", (line) => {
    if (line.length > 20_000) return line;
    const joined = line.replace(/(["'])\s{0,3}\+\s{0,3}\1/g, "").replace(/\$\{?IFS(?:%\?\?)?\}?(?:\$9)?/g, " ");
    // Quotes and backslashes inside a word are how shells hide a command's name, and how other languages write paths.
    const bare = joined.replace(
      /\b([a-z]{1,5})(?:''|""|\\)([a-z]{1,5})(?:(?:''|"")([a-z]{1,4}))?\b(?=\s)/g,
      (whole, ...parts) => {
        const word = parts.slice(0, 3).join("");
        return COMMANDS.has(word) ? word : whole;
      },
    );
    return bare.replace(/\b\w(?:\^\w){2,}/g, (word) => word.replaceAll("^", ""));
  });
}

const COMMANDS = new Set([
  "curl",
  "wget",
  "bash",
  "sh",
  "eval",
  "exec",
  "base64",
  "python",
  "perl",
  "nc",
  "ncat",
  "powershell",
  "chmod",
  "cat",
  "rm",
]);
