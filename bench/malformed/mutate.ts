import type { Random } from "@/lib/skill-format/testing/seeded-random";

const TOKENS = [
  "\0",
  "\n",
  "\r\n",
  "%00",
  "%2e%2e%2f",
  "../",
  "\\",
  '"',
  "'",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "--",
  "\ud83d",
  "\u202e",
  "é",
  "__proto__",
  "-1",
  "1e999",
  "9".repeat(400),
  " ",
  "a".repeat(9_000),
];

export const NASTY: readonly unknown[] = [
  "",
  " ",
  "\0",
  "a\u0000b",
  "x".repeat(100_000),
  "../../../../etc/passwd",
  "%2e%2e%2f",
  "__proto__",
  "constructor",
  "\ud800",
  "\u202eabc",
  "2026-13-45T99:99:99Z",
  "+275760-09-13T00:00:00.001Z",
  "0000-00-00",
  "NaN",
  '\'; DROP TABLE "Skill"; --',
  '"\\',
  "javascript:alert(1)",
  "http://127.0.0.1:9/",
  "http://[::1",
  "*".repeat(200),
  "(a+)+$",
  "🐙".repeat(3_000),
  -1,
  0,
  1.5,
  1e308,
  9_007_199_254_740_992,
  -2_147_483_649,
  true,
  false,
  null,
  [],
  {},
  [[[[[[[[]]]]]]]],
  [null],
  { __proto__: null, constructor: { prototype: { isAdmin: true } } },
  Array.from({ length: 3_000 }, () => "x"),
];

export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let result = Buffer.from(bytes);
  for (let count = 1 + random.below(6); count > 0 && result.length > 0; count -= 1) {
    const [at, length] = [random.below(result.length), 1 + random.below(64)];
    const [before, part, after] = [
      result.subarray(0, at),
      result.subarray(at, at + length),
      result.subarray(at + length),
    ];
    const choice = random.below(6);
    if (choice === 0) result[at] = random.below(256);
    else if (choice === 1) result[at] = (result[at] ?? 0) ^ (1 << random.below(8));
    else if (choice === 2) result = Buffer.concat([before, after]);
    else if (choice === 3) result = Buffer.concat([before, part, part, after]);
    else if (choice === 4) result = Buffer.concat([before, Buffer.alloc(length, random.below(256)), after]);
    else result = Buffer.from(before);
  }
  return result;
}

export function mutateText(text: string, random: Random): string {
  let result = text;
  for (let count = 1 + random.below(5); count > 0; count -= 1) {
    const at = random.below(result.length + 1);
    const token = TOKENS[random.below(TOKENS.length)] ?? "";
    if (random.below(3) === 0) result = result.slice(0, at) + result.slice(at + random.below(20));
    else result = result.slice(0, at) + token + result.slice(at);
  }
  return result;
}

export function mutateJson(value: unknown, random: Random): unknown {
  const nasty = NASTY[random.below(NASTY.length)];
  if (typeof value !== "object" || value === null || random.below(4) === 0) return nasty;
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    return [...value.slice(0, at), mutateJson(value[at], random), ...value.slice(at + 1)];
  }
  const keys = Object.keys(value);
  const key = keys[random.below(keys.length)] ?? "extra";
  const rest: Record<string, unknown> = { ...value };
  if (random.below(6) === 0) delete rest[key];
  else rest[key] = mutateJson(rest[key], random);
  return rest;
}
