import { setImmediate as turn } from "node:timers/promises";
import { gunzipSync, inflateSync } from "node:zlib";
import type { Encoding } from "@/lib/policy/analysis/schema";
import type { Canary } from "./decoys";

const MAX_DEPTH = 3;
/** Of decoded text: for one search, and for all searches of a step. */
const MAX_DECODED = 8 * 1024 * 1024;
const MAX_ALL_DECODED = 64 * 1024 * 1024;
/** After this much, other work has its turn. */
const TURN = 256 * 1024;
const MAX_INFLATED = 512 * 1024;
const MAX_RUNS = 1_000;
/** What a text costs beside its length, so that many small ones are bounded too; what failed to inflate costs more. */
const COST = 512;
const FAILED_COST = 16 * 1024;

export type FoundCanary = { canary: string; encoding: Encoding };

export type CanarySearch = {
  /** `isDecoded` is false for bytes that are looked at as they are. */
  search(bytes: Buffer, isDecoded?: boolean): Promise<FoundCanary[]>;
  /** How many searches did not look into everything that may be encoded. */
  unfinished(): number;
};

type Budget = { left: number; isShort: boolean };

/**
 * Searches for the planted secrets: in clear, reversed, rot13, or in base64, base32, hex, percent escapes, gzip and
 * zlib, or as decimal numbers, also within each other up to three levels. Upper and lower case are the same, and what is between
 * letters and digits does not count, because names of hosts lose both. Each search looks at all bytes, and at 8 MiB of what they
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
    all -= given - budget.left;
    if (budget.isShort) unfinished += 1;
    return [...found].map(([canary, encoding]) => ({ canary, encoding }));
  }

  return { search, unfinished: () => unfinished };
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

/** Takes the cost of a text from the budget, or notes that there is too little left. */
function spend(budget: Budget, cost: number): boolean {
  if (budget.left < cost) {
    budget.isShort = true;
    return false;
  }
  budget.left -= cost;
  return true;
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

/** Of base32 and base64 (RFC 4648), by the bits of a character. */
const ALPHABETS = {
  5: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  6: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
};

/** The characters that depend on these bytes only, when `offset` other bytes come before them. */
export function innerText(bytes: Buffer, offset: number, bits: 5 | 6): string {
  const all = [...Buffer.alloc(offset), ...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const whole = all.match(new RegExp(`.{${bits}}`, "g")) ?? [];
  return whole
    .slice(Math.ceil((offset * 8) / bits))
    .map((group) => ALPHABETS[bits][Number.parseInt(group, 2)])
    .join("");
}

/** The text, and the text without percent escapes and other escapes of characters if it has any. */
function textsOf(text: string): { text: string; encoding: Encoding | null }[] {
  const plain = { text, encoding: null };
  if (!/%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}/i.test(text)) return [plain];
  const unescaped = text.replace(/(?:%|\\x|\\u00)([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return [plain, { text: unescaped, encoding: "url" }];
}

type Decoded = { bytes: Buffer; encoding: Encoding };

/** Ends where the budget does. */
function* decode(text: string, budget: Budget): Generator<Decoded> {
  yield* inflated(text, budget);
  yield* decodedRuns(text, budget);
  yield* decimals(text, budget);
}

/** How gzip (RFC 1952) and zlib (RFC 1950) begin. */
const GZIP = "\u001f\u008b\u0008";
const ZLIB = ["x\u0001", "x\u005e", "x\u009c", "x\u00da"];
const MAX_STARTS = 20;

function startsOf(text: string, magic: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(magic); at !== -1 && found.length < MAX_STARTS; at = text.indexOf(magic, at + 1))
    found.push(at);
  return found;
}

function* inflated(text: string, budget: Budget): Generator<Decoded> {
  const starts = [GZIP, ...ZLIB].flatMap((magic) => startsOf(text, magic).map((index) => ({ index, magic })));
  if (starts.length === 0) return;
  const options = { maxOutputLength: MAX_INFLATED, finishFlush: 2 };
  const data = Buffer.from(text, "latin1");
  for (const { index, magic } of starts) {
    if (!spend(budget, FAILED_COST)) return;
    try {
      const bytes =
        magic === GZIP ? gunzipSync(data.subarray(index), options) : inflateSync(data.subarray(index), options);
      if (!spend(budget, bytes.length)) return;
      yield { bytes, encoding: "compressed" };
    } catch (failure) {
      // What inflates to more than is looked at was not looked at.
      if ((failure as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
        budget.isShort = true;
        budget.left -= Math.min(budget.left, MAX_INFLATED);
      }
    }
  }
}

/** Runs that may be encoded bytes, for what is compressed or encoded below; a single level is found by `formsOf`. */
function* decodedRuns(text: string, budget: Budget): Generator<Decoded> {
  const compact = text.replace(/\\[nr]|[\s.]+/g, "");
  const hex = runsOf(compact, /[0-9a-f]{40,}/gi, budget);
  const base64 = runsOf(compact, /[A-Za-z0-9+/_-]{24,}/g, budget);
  // The run may begin with letters of what stands before it, such as the end of a path.
  const cuts = [
    ...hex.flatMap((run) => [0, 1].map((from) => ({ run, from, encoding: "hex" as const }))),
    ...base64.flatMap((run) => [0, 1, 2, 3].map((from) => ({ run, from, encoding: "base64" as const }))),
  ];
  for (const { run, from, encoding } of cuts) {
    if (!spend(budget, run.length + COST)) return;
    yield { bytes: Buffer.from(run.slice(from), encoding), encoding };
  }
}

/** Bytes as decimal numbers, as `od -tu1` and lists of numbers have them. */
function* decimals(text: string, budget: Budget): Generator<Decoded> {
  for (const run of runsOf(text, /(?:(?<!\w)\d{2,3}[^\w]{1,8}){15,}\d{2,3}/g, budget)) {
    if (!spend(budget, run.length + COST)) return;
    yield { bytes: Buffer.from((run.match(/\d+/g) ?? []).map(Number)), encoding: "decimal" };
  }
}

function runsOf(text: string, pattern: RegExp, budget: Budget): string[] {
  const runs: string[] = [];
  for (const { 0: run } of text.matchAll(pattern)) {
    if (runs.length === MAX_RUNS) {
      budget.isShort = true;
      break;
    }
    runs.push(run);
  }
  return runs;
}
