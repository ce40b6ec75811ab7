import { expect, it } from "vitest";
import { decodeText, isText } from "./decode-text";

it.each([
  ["an empty file", [], true],
  ["UTF-8", [...Buffer.from("é 説明\r\n")], true],
  ["UTF-8 with a byte order mark", [0xef, 0xbb, 0xbf, 0x61], true],
  ["NUL", [0x61, 0], false],
  ["UTF-16", [0xff, 0xfe, 0x61, 0x00], false],
  ["Latin-1", [0x63, 0xe9], false],
  ["an overlong sequence", [0xc0, 0xaf], false],
  ["a surrogate in UTF-8", [0xed, 0xa0, 0x80], false],
])("tells whether %s is text", (_name, bytes, expected) => {
  expect(isText(new Uint8Array(bytes))).toBe(expected);
});

it("drops the byte order mark", () => {
  expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe("a");
});
