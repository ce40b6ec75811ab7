import { afterEach, expect, test, vi } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { turnsDuring } from "@/lib/testing/turns-during";
import { hashFiles } from "./store-version";

afterEach(() => vi.restoreAllMocks());

test("many files are hashed in order, and the event loop turns meanwhile", async () => {
  let clock = 1e9;
  // Each look at the clock takes a millisecond.
  vi.spyOn(performance, "now").mockImplementation(() => clock++);
  const files: SkillFile[] = Array.from({ length: 200 }, (_, index) => ({
    path: `f${index}`,
    mode: "644",
    bytes: Uint8Array.of(index),
  }));
  let hashed: unknown;
  const turns = await turnsDuring(async () => {
    hashed = await hashFiles(files);
  });
  expect(hashed).toEqual(files.map((file) => ({ ...file, sha256: sha256Hex(file.bytes) })));
  expect(turns).toBeGreaterThan(5);
});
