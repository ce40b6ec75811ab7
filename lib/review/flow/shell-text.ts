import { dataOf } from "./linked-files";
import type { Shell } from "./shell-state";
import { contentsOf, firstText } from "./shell-transfers";
import { CODED, concat, decodeText, encoded, HOLE, joinLabels, NOTHING, textValue, type Value } from "./values";

const KEYS = /^[a-z][a-z0-9-]{0,30}$/;

/** Their output says nothing of the contents of their input. */
const MEASURES =
  /^(?:wc|sha\d*sum|shasum|md5sum|md5|cksum|b2sum|stat|ls|du|test|\[|file|find|ssh-keygen|ssh-add|chmod|chown|touch|mkdir|rm|sleep|exit|kill|cd|which|type|realpath|dirname|basename|readlink|ssh-copy-id|install)$/;
const ENCODERS = /^(?:base64|base32|xxd|openssl|gzip|bzip2|xz|zstd|gpg|hexdump|od|uuencode|gbase64)$/;

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

/** Clients that sign in with a file of credentials and do not print it. */
const SIGNS_IN = /^(?:kubectl|helm|oc|k9s|ssh|psql|terraform|tofu|ansible(?:-\w+)?)$/;

/** What a command prints of its words, its files and its input. */
export function outputOf(shell: Shell, name: string, args: readonly Value[], stdin: Value): Value {
  const inputs = SIGNS_IN.test(name) ? [] : args.map((arg) => ({ ...arg, labels: contentsOf(shell.program, arg) }));
  if (MEASURES.test(name) || (name === "grep" && /^-\w*[qcl]/.test(firstText(args[0] ?? NOTHING)))) return NOTHING;
  if (name === "echo" || name === "printf") {
    const labels = joinLabels(args.map((arg) => arg.labels));
    return name === "printf" && args.length > 1 && !firstText(args[0] ?? NOTHING).startsWith("-")
      ? { ...textValue(printed(args)), labels }
      : { ...concat(args, " "), labels };
  }
  if (stdin.labels.length === 0) {
    const text = transformed(name, args, firstText(stdin));
    if (text !== null) return textValue(text);
  }
  const data =
    dataOf(
      shell.program.linked,
      args.flatMap(({ texts }) => texts),
    ) ?? (stdin.ref === "data()" ? stdin : null);
  if (data !== null && stdin.labels.length === 0 && /^(?:cat|jq|yq|grep|sed|awk|head|tail|sort|tr|cut)$/.test(name))
    return data;
  const value: Value = {
    labels: joinLabels([stdin.labels, ...inputs.map(({ labels }) => labels)]),
    texts: [],
    ref: "",
  };
  const decodes = /^g?base64$/.test(name) && args.some((arg) => /^-(?:\w*[dD]|-decode)$/.test(firstText(arg)));
  if (decodes && stdin.labels.length === 0 && stdin.texts.length > 0) return decodeText(stdin);
  const unpacks =
    decodes ||
    /^(?:gunzip|zcat|gzcat|xzcat|bzcat)$/.test(name) ||
    (name === "xxd" && /^-\w*r/.test(firstText(args[0] ?? NOTHING)));
  if (unpacks && value.labels.length === 0 && !firstText(stdin).includes(HOLE)) return { ...value, labels: [CODED] };
  return ENCODERS.test(name) && !decodes ? encoded(value) : value;
}
