import { firstText } from "./shell-transfers";
import { HOLE, type Value } from "./values";

const KEYS = /^[a-z][a-z0-9-]{0,30}$/;

/** The text that `printf` prints: `%s` and the like stand for its next words. */
export function printed([format, ...args]: readonly Value[]): string {
  let at = 0;
  const text = format === undefined ? "" : (format.texts[0] ?? HOLE);
  return text
    .replace(/%[-0-9.]{0,4}[sbqdiuxXc]/g, () => args[at++]?.texts[0] ?? HOLE)
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t");
}

/** The text of a command that turns a constant text into another; null for other commands. */
export function transformed(name: string, args: readonly Value[], text: string): string | null {
  if (text === "" || text.includes(HOLE)) return null;
  const texts = args.map(firstText);
  if (name === "cat" && texts.every((word) => word === "-")) return text;
  if (name === "rev")
    return text
      .split("\n")
      .map((line) => [...line].reverse().join(""))
      .join("\n");
  if (name === "tac") return text.split("\n").reverse().join("\n");
  if (name === "xxd" && texts.some((word) => /^-\w*r/.test(word)))
    return Buffer.from(text.replace(/\s/g, ""), "hex").toString("utf8");
  const [from = "", to = ""] = texts.filter((word) => !/^-\w$/.test(word));
  if (name === "tr" && texts[0] === "-d") return text.replaceAll(from, "");
  if (name === "tr" && /^A-Za-z$|^a-zA-Z$/.test(from) && /^[N-n]-[ZzMm]/i.test(to))
    return text.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
    );
  return null;
}

/** The words that a file of settings for curl stands for. */
export function curlWords(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [, key = "", value = ""] = /^\s*-{0,2}([\w-]+)\s*(?:[=:\s]\s*(.*))?$/.exec(line) ?? [];
    if (!KEYS.test(key)) return [];
    const plain = value.trim().replace(/^"(.*)"$/, "$1");
    return key === "url" ? [plain] : plain === "" ? [`--${key}`] : [`--${key}`, plain];
  });
}
