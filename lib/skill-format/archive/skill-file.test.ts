import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "./skill-file";

const a = { path: "a", mode: "644" as const, sha256: "1".repeat(64) };
const b = { path: "b", mode: "755" as const, sha256: "2".repeat(64) };

it("hashes sorted lines of path, mode and content hash", () => {
  const text = `a\x00644\x00${a.sha256}\nb\x00755\x00${b.sha256}\n`;
  expect(digestFiles([b, a])).toBe(createHash("sha256").update(text).digest("hex"));
});

it("changes with the path, the mode and the content", () => {
  const digests = [[a], [{ ...a, path: "c" }], [{ ...a, mode: "755" as const }], [{ ...a, sha256: b.sha256 }], []];
  expect(new Set(digests.map((files) => digestFiles(files))).size).toBe(5);
});

it("sorts by the bytes of a path, not by its UTF-16 units", () => {
  const high = { ...a, path: "\u{1f600}" };
  const low = { ...a, path: "\uffee" };
  const text = [low, high].map((file) => `${file.path}\x00644\x00${file.sha256}\n`).join("");
  expect(digestFiles([high, low])).toBe(sha256Hex(new TextEncoder().encode(text)));
});

it("knows the SHA-256 of nothing", () => {
  expect(sha256Hex(new Uint8Array())).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});
