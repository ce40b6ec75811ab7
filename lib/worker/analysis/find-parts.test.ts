import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createDecoys } from "./decoys";
import { rot13 } from "./find-canaries";
import { createPartSearch } from "./find-parts";

const { canaries } = createDecoys();
const secret = canaries.find(({ name }) => name === "~/.ssh/id_rsa");
const token = secret?.token ?? "";
const place = { channel: "udp" as const, to: "a.example:9", hosts: ["a.example"] };

/** What is found when each part is sent for itself, the last one first. */
function foundIn(parts: Buffer[]) {
  const search = createPartSearch(canaries);
  for (const part of parts.toReversed()) search.add(Buffer.concat([randomBytes(5), part, randomBytes(5)]), place);
  return search.found(() => false).map(({ canary, encoding }) => `${canary} ${encoding}`);
}

const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
const clear = Buffer.from(token);

it.each([
  ["clear", cut(clear, 6)],
  ["clear", cut(Buffer.from(token.toUpperCase()), 8)],
  ["reversed", cut(Buffer.from([...token].reverse().join("")), 9)],
  ["hex", cut(Buffer.from(clear.toString("hex")), 12)],
  ["base64", cut(Buffer.from(clear.toString("base64")), 16)],
  ["rot13", cut(Buffer.from(token.replace(/[a-z]/gi, rot13)), 10)],
  ["clear", cut(clear, 8).map((part) => Buffer.from([...part.toString()].join(".")))],
  ["hex", cut(clear, 8).map((part) => Buffer.from([...part].map((byte) => `%${byte.toString(16)}`).join("")))],
  ["base64", cut(clear, 16).map((part) => Buffer.from(part.toString("base64")))],
])("finds parts of a secret in any order: %s", (encoding, parts) => {
  expect(foundIn(parts)).toEqual([`~/.ssh/id_rsa ${encoding}`]);
});

it("names every place that got a part", () => {
  const search = createPartSearch(canaries);
  cut(clear, 16).forEach((part, index) => {
    search.add(part, { channel: "http", to: `h${index}.example:80`, hosts: [`h${index}.example`] });
  });
  expect(search.found(() => false).map(({ canary, to, hosts }) => [canary, to, hosts])).toEqual(
    [0, 1, 2, 3].map((index) => ["~/.ssh/id_rsa", `h${index}.example:80, in parts`, [`h${index}.example`]]),
  );
});

it("takes neither a few bytes of a secret nor megabytes of other text for a secret", () => {
  const search = createPartSearch(canaries);
  search.add(clear.subarray(0, 10), place);
  search.add(clear.subarray(30, 40), place);
  search.add(Buffer.from(randomBytes(3_000_000).toString("base64")), place);
  search.add(Buffer.from(randomBytes(1_000_000).toString("hex")), place);
  expect(search.found(() => false)).toEqual([]);
});
