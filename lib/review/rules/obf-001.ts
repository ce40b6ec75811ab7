import type { Hit, Rule } from "../scan/rule";
import { joinedRuns } from "../scan/views/decode-base64";
import { HEX } from "../scan/views/decode-hex";

const STANDARD = { first: /[A-Za-z0-9+/]{60,}/g, rest: /[A-Za-z0-9+/]+/y };

export const longEncodedText: Rule = {
  id: "OBF-001",
  version: 1,
  severity: "medium",
  title: "Long encoded text",
  why: "Nobody can read what this says. It was decoded and scanned; findings inside it are listed apart.",
  owasp: ["ASI05"],
  decoded: false,
  applies: ({ kind, name, extension }) =>
    kind !== "binary" &&
    kind !== "data" &&
    !/lock|\.sum$/.test(name) &&
    !/^(?:lock|svg|ipynb|map|pem|crt|asc|pub)$/.test(extension),
  checkFile: ({ text }) => [
    ...joinedRuns(text, STANDARD)
      .filter(({ run, source }) => isEncoded(run) && !isEmbedded(text, source))
      .map(hit),
    ...joinedRuns(text, HEX)
      .filter(({ run }) => run.length > 200)
      .map(hit),
  ],
};

function hit({ run, source }: { run: string; source: number }): Hit {
  return { start: source, end: source + run.length, text: `${run.length} characters: ${run}` };
}

function isEncoded(run: string): boolean {
  if (run.length <= 160 || /^[0-9a-fA-F]+$/.test(run)) return false;
  return (
    /[A-Z]/.test(run) &&
    /[a-z]/.test(run) &&
    /[0-9+]/.test(run) &&
    new Set(run.slice(0, 400)).size >= 20 &&
    !/\/[a-z]{3,}\/[a-z]{3,}\//.test(run)
  );
}

/** Pictures and fonts within a page, keys and signatures in their armour, digests of packages. */
function isEmbedded(text: string, source: number): boolean {
  const before = text.slice(Math.max(0, source - 120), source);
  return /data:(?:image|font|audio|video|application\/(?:font|pdf|octet|x-font|vnd))[^\s"']*$|-----BEGIN [A-Z ]+-----\s*$|sha(?:256|384|512)-$|ssh-(?:rsa|ed25519) $/i.test(
    before,
  );
}
