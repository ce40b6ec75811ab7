import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockDataDirectory } from "@/lib/core/lock-data-directory";
import { explainFailedStart } from "./boot-server";

const folder = mkdtempSync(join(tmpdir(), "skillgate-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a folder that another process holds may be free later, so a supervisor starts again", () => {
  const lock = lockDataDirectory(folder);
  const again = () => lockDataDirectory(folder);
  let thrown: unknown;
  try {
    again();
  } catch (error) {
    thrown = error;
  }
  lock.close();
  const { problems, canRetry } = explainFailedStart(thrown, folder);
  expect(problems).toEqual([expect.stringContaining(`Another Skillgate already runs on ${folder}`)]);
  expect(canRetry).toBe(true);
});

test("what a restart does not change is final", () => {
  expect(explainFailedStart(new Error("wrong"), folder)).toEqual({ problems: ["wrong"], canRetry: false });
});
