import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { workDirFor } from "./launch.mjs";

it("is one place for each data directory, outside of it", () => {
  const first = workDirFor("/srv/a", {});
  expect(path.dirname(first)).toBe(tmpdir());
  expect(workDirFor("/srv/a/", {})).toBe(first);
  expect(workDirFor("/srv/b", {})).not.toBe(first);
});

it("is where the operator says", () => {
  expect(workDirFor("/srv/a", { SKILLGATE_WORK_DIR: "/var/runs" })).toBe("/var/runs");
});
