import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "./create-redactor";
import { MIN_SECRET_LENGTH } from "./secret-forms";

const LABEL = "•••• (credential deploy-key)";
/** No part of it occurs in a label, and no two of its characters are equal in any encoding. */
const VALUE = 'Zq9/"W+µ7~Kx é4%Vj2';

function redactorOf(value: string) {
  const redactor = createRedactor([{ credential: "deploy-key", value }]);
  if (redactor === null) throw new Error("there is a secret");
  return redactor;
}

/** The encodings, written independently of the redactor. */
function formsOf(text: string): [form: string, said: string][] {
  const bytes = Buffer.from(text, "utf8");
  const percent = bytes.toString("hex").replace(/../g, "%$&");
  const inside = [0, 1, 2].map((before) => {
    const around = Buffer.concat([Buffer.alloc(before, "."), bytes, Buffer.from("...")]).toString("base64");
    return around.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  return [
    ["raw", text],
    ["JSON", JSON.stringify(text).slice(1, -1)],
    [
      "JSON in ASCII",
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ],
    ["URL", encodeURIComponent(text)],
    ["form", new URLSearchParams({ a: text }).toString().slice(2)],
    ["percent", percent],
    ["PERCENT", percent.toUpperCase()],
    ["hex", bytes.toString("hex")],
    ["HEX", bytes.toString("hex").toUpperCase()],
    ...inside.flatMap((form, before): [string, string][] => [
      [`Base64 after ${before}`, form],
      [`Base64url after ${before}`, form.replaceAll("+", "-").replaceAll("/", "_")],
    ]),
  ];
}

test.each(formsOf(VALUE))("%s does not survive, and what stands around it does", (_name, form) => {
  expect(redactorOf(VALUE).text(`before ${form} behind`)).toMatch(
    /^before .{0,2}•••• \(credential deploy-key\).{0,2} behind$/,
  );
});

test("a whole Base64 text is one label, with its padding", () => {
  for (const value of ["secret-1", "secret-12", "secret-123"]) {
    expect(redactorOf(value).text(`x ${Buffer.from(value).toString("base64")} y`)).toBe(`x ${LABEL} y`);
  }
});

test("each line of a key is a secret, also alone, and an encoder may break it where it likes", () => {
  const key = `-----BEGIN KEY-----\n${randomBytes(48).toString("base64")}\n${randomBytes(48).toString("base64")}\n-----END KEY-----\n`;
  const redactor = redactorOf(key);
  const [, first = "", second = ""] = key.split("\n");
  expect(redactor.text(`a ${first} b ${second} c`)).toBe(`a ${LABEL} b ${LABEL} c`);
  const wrapped = Buffer.from(key).toString("base64").replace(/.{76}/g, "$&\n");
  expect(redactor.text(`a\n${wrapped}\nb`).replaceAll(LABEL, "").replace(/\s/g, "")).toMatch(/^a.{0,4}b$/);
});

/** Random secrets of all kinds, and one of their encodings between other text, in chunks. */
const cases = fc.record({
  value: fc
    .oneof(
      fc.string({ unit: "grapheme", minLength: MIN_SECRET_LENGTH, maxLength: 200 }),
      fc.string({ minLength: MIN_SECRET_LENGTH, maxLength: 60 }),
      fc
        .array(fc.stringMatching(/^[A-Za-z0-9+/=]{0,70}$/), { minLength: 2, maxLength: 6 })
        .map((lines) => lines.join("\n")),
      fc.base64String({ minLength: 40, maxLength: 400 }),
    )
    .filter(
      (value) => value.replace(/\s/g, "").length >= 8 && value.trim().length >= 8 && !LABEL.includes(value.trim()),
    ),
  before: fc.string({ maxLength: 20 }),
  behind: fc.string({ maxLength: 20 }),
  form: fc.nat(),
  cuts: fc.array(fc.nat({ max: 2000 }), { maxLength: 12 }),
});

test("the redactor removes every form of any secret, across any chunks", () => {
  fc.assert(
    fc.property(cases, ({ value, before, behind, form, cuts }) => {
      const forms = formsOf(value);
      const [, said = ""] = forms[form % forms.length] ?? [];
      const bytes = Buffer.from(`${before}${said}${behind}`, "utf8");
      const pass = redactorOf(value).stream();
      const out: Buffer[] = [];
      let from = 0;
      for (const cut of [...new Set(cuts)].filter((at) => at < bytes.length).sort((a, b) => a - b)) {
        out.push(pass.write(bytes.subarray(from, cut)));
        from = cut;
      }
      out.push(pass.write(bytes.subarray(from)), pass.end(false));
      const text = Buffer.concat(out).toString("utf8");
      expect(text).not.toContain(said);
      expect(text).not.toContain(value);
      expect(text).toContain("••••");
    }),
    { numRuns: 2000 },
  );
});

test("text without a secret passes unchanged, across any chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const pass = redactorOf("a secret that is not in it").stream();
      const out = [...chunks.map((chunk) => pass.write(Buffer.from(chunk))), pass.end(false)];
      expect(Buffer.concat(out)).toEqual(Buffer.concat(chunks));
    }),
  );
});

test("a line is out as soon as it has ended, also when it ends like a secret begins", () => {
  const pass = redactorOf("dollar-bill").stream();
  expect(pass.write(Buffer.from("ready\n")).toString()).toBe("ready\n");
  expect(pass.write(Buffer.from("it costs a doll\n")).toString()).toBe("it costs a doll\n");
  expect(pass.write(Buffer.from("it costs a doll")).toString()).toBe("it costs a ");
  expect(pass.write(Buffer.from("ar\n")).toString()).toBe("");
  expect(pass.end(false).toString()).toBe("dollar\n");
});

test("no more than the longest piece is held back, and a repeated secret does not pile up", () => {
  const pass = redactorOf("aaaaaaa").stream();
  const out = Array.from({ length: 1000 }, () => pass.write(Buffer.from("aaaaaaaaaa")).length);
  expect(out.reduce((sum, length) => sum + length, 0)).toBe(Buffer.byteLength(LABEL));
  expect(pass.end(false).toString()).toBe("");
});

test("the beginning of a secret at a cut is one as well", () => {
  const redactor = redactorOf("swordfish-77");
  expect(redactor.bytes(Buffer.from("it is swordfi"), true).toString()).toBe(`it is ${LABEL}`);
  expect(redactor.bytes(Buffer.from("it is swordfi"), false).toString()).toBe("it is swordfi");
});

test("JSON values: strings, keys and numbers at any depth; the rest stays", () => {
  const redactor = redactorOf("20261121");
  const value = JSON.parse('{"a":[{"x20261121":1}],"n":20261121,"__proto__":{"b":"20261121!"},"t":true,"z":null}');
  const shown = redactor.value(value);
  expect(JSON.stringify(shown)).toBe(
    `{"a":[{"x${LABEL}":1}],"n":"${LABEL}","__proto__":{"b":"${LABEL}!"},"t":true,"z":null}`,
  );
});

test("two secrets that overlap are both gone", () => {
  const redactor = createRedactor([
    { credential: "one", value: "abcdefgh" },
    { credential: "two", value: "efghijkl" },
  ]);
  expect(redactor?.text("<abcdefghijkl>")).toBe("<•••• (credential one)>");
  expect(createRedactor([])).toBeNull();
});
