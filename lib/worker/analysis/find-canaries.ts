import { setImmediate as turn } from "node:timers/promises";
import type { Encoding } from "@/lib/policy/analysis/schema";
import { ALPHABETS, type Budget, COST, decode, textsOf } from "./decode-bytes";
import type { Canary } from "./decoys";

const MAX_DEPTH = 3;
/** Of decoded text: for one search, and for all searches of a step. */
const MAX_DECODED = 16 * 1024 * 1024;
const MAX_ALL_DECODED = 64 * 1024 * 1024;
/** Longer texts are not also searched backwards and shifted as a whole, which would be three times the work. */
const MAX_MIRRORED = 64 * 1024;
/** After this much, other work has its turn. */
const TURN = 256 * 1024;

export type FoundCanary = { canary: string; encoding: Encoding };

export type CanarySearch = {
  /** `isDecoded` is false for bytes that are looked at as they are. */
  search(bytes: Buffer, isDecoded?: boolean): Promise<FoundCanary[]>;
  /** How many searches did not look into everything that may be encoded. */
  unfinished(): number;
};

/**
 * Searches for the planted secrets: in clear, reversed, rot13, or in base64, base32, hex, escapes of characters, gzip, zlib and
 * zip, or as decimal or octal numbers, also within each other up to three levels, and all of it
 * backwards or in rot13 when the text is short. Upper and lower case are the same, and what is between
 * letters and digits does not count, because names of hosts lose both. Each search looks at all bytes, and at 16 MiB of what they
 * decode to; all searches together decode 64 MiB at most.
 */
export function createCanarySearch(canaries: readonly Canary[], decoded = MAX_ALL_DECODED): CanarySearch {
  const needles = canaries.flatMap(({ name, token }) => formsOf(token).map((form) => ({ ...form, name })));
  const findNeedles = createMatcher(needles);
  let all = decoded;
  let unfinished = 0;
  let work = 0;

  async function search(bytes: Buffer, isDecoded = true): Promise<FoundCanary[]> {
    const found = new Map<string, Encoding>();
    const given = Math.min(MAX_DECODED, all);
    const budget: Budget = { left: given, isShort: false };
    const view = async (inner: Buffer, outer: Encoding | null, depth: number): Promise<void> => {
      work += inner.length + COST;
      if (work > TURN) {
        work = 0;
        await turn();
      }
      for (const { text, encoding } of textsOf(inner.toString("latin1"))) {
        for (const compact of compactsOf(text))
          for (const form of findNeedles(compact))
            if (!found.has(form.name)) found.set(form.name, outer ?? encoding ?? form.encoding);
        if (depth === MAX_DEPTH || !isDecoded) continue;
        for (const next of decode(text, budget)) await view(next.bytes, outer ?? encoding ?? next.encoding, depth + 1);
      }
    };
    if (bytes.length > 0) await view(bytes, null, 0);
    // What was encoded first: a needle finds a secret that was only reversed or shifted.
    if (isDecoded && bytes.length <= MAX_MIRRORED)
      for (const [encoding, mirrored] of mirrorsOf(bytes)) await view(mirrored, encoding, 1);
    all -= given - budget.left;
    if (budget.isShort) unfinished += 1;
    return [...found].map(([canary, encoding]) => ({ canary, encoding }));
  }

  return { search, unfinished: () => unfinished };
}

/** The bytes backwards, and their letters moved by 13 places. */
function mirrorsOf(bytes: Buffer): [Encoding, Buffer][] {
  const shifted = bytes.toString("latin1").replace(/[a-z]/gi, rot13);
  return [
    ["reversed", Buffer.from(bytes).reverse()],
    ["rot13", Buffer.from(shifted, "latin1")],
  ];
}

/** A text in lower case without separators: those in encoded text, and all. */
function compactsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const compact = lower.replace(/\\[nr]|[\s.]+/g, "");
  const bare = lower.replace(/[^a-z0-9]+/g, "");
  return bare.length === compact.length ? [compact] : [compact, bare];
}

/** A text as it is, without escapes and without what is between its letters and digits, all in lower case. */
export function plainTextsOf(text: string): string[] {
  return [...new Set(textsOf(text).flatMap((one) => [one.text.toLowerCase(), ...compactsOf(one.text)]))];
}

/** Bytes of a needle that are looked up at each position of a text; every needle is longer. */
const KEY = 4;

/** One pass over a text for all needles, in lower case: a thousand searches of it, one for each, would take seconds. */
export function createMatcher<T extends { needle: string }>(needles: readonly T[]): (text: string) => Iterable<T> {
  const byKey = new Map<number, T[]>();
  const isKnown = new Uint8Array(1 << 16);
  const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> 16;
  const keyAfter = (key: number, text: string, index: number) => (key << 8) | (text.charCodeAt(index) & 255);
  for (const needle of needles) {
    let key = 0;
    for (let index = 0; index < KEY; index += 1) key = keyAfter(key, needle.needle, index);
    const same = byKey.get(key);
    if (same) same.push(needle);
    else byKey.set(key, [needle]);
    isKnown[slotOf(key)] = 1;
  }
  return (text) => {
    const found = new Set<T>();
    let key = 0;
    for (let index = 0; index < text.length; index += 1) {
      key = keyAfter(key, text, index);
      if (isKnown[slotOf(key)] === 0 || index < KEY - 1) continue;
      for (const needle of byKey.get(key) ?? []) if (text.startsWith(needle.needle, index - KEY + 1)) found.add(needle);
    }
    return found;
  };
}

type Form = { needle: string; encoding: Encoding };

/** A part of this length is a secret's own too: names of hosts and cut files hold no more. */
const PART = 16;

function formsOf(token: string): Form[] {
  const last = Math.max(0, token.length - PART);
  return [...new Set([0, Math.floor(last / 2), last])].flatMap((from) => formsOfPart(token.slice(from, from + PART)));
}

function formsOfPart(token: string): Form[] {
  const bytes = Buffer.from(token, "latin1");
  const forms: Form[] = [
    { needle: token, encoding: "clear" },
    { needle: [...token].reverse().join(""), encoding: "reversed" },
    { needle: token.replace(/[a-z]/gi, rot13), encoding: "rot13" },
    { needle: bytes.toString("hex"), encoding: "hex" },
    ...[0, 1, 2].map((offset): Form => ({ needle: innerText(bytes, offset, 6), encoding: "base64" })),
    ...[0, 1, 2, 3, 4].map((offset): Form => ({ needle: innerText(bytes, offset, 5), encoding: "base32" })),
  ];
  return forms.map(({ needle, encoding }) => ({ needle: needle.toLowerCase(), encoding }));
}

export function rot13(letter: string): string {
  const base = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}

/** The characters that depend on these bytes only, when `offset` other bytes come before them. */
export function innerText(bytes: Buffer, offset: number, bits: 5 | 6): string {
  const all = [...Buffer.alloc(offset), ...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const whole = all.match(new RegExp(`.{${bits}}`, "g")) ?? [];
  return whole
    .slice(Math.ceil((offset * 8) / bits))
    .map((group) => ALPHABETS[bits][Number.parseInt(group, 2)])
    .join("");
}
