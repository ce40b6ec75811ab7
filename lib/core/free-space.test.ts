import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppError } from "./errors";
import { freeSpace, isStorageFull, mebibytes, requireSpace } from "./free-space";

const here = tmpdir();

test("free space is asked of the folder, or of the nearest one above that is there", () => {
  const free = freeSpace(here);
  expect(free).toBeGreaterThan(0);
  expect(freeSpace(join(here, "not", "there", "yet"))).not.toBeNull();
});

test("below the minimum a write is refused with what is left; a minimum of 0 refuses nothing", () => {
  expect(() => requireSpace(here, 2 ** 60)).toThrow(/MiB are free, and the server stops writing below/);
  expect(() => requireSpace(here, 2 ** 60)).toThrow(expect.objectContaining({ code: "storage_full", status: 507 }));
  expect(() => requireSpace(here, 1)).not.toThrow();
  expect(() => requireSpace(here, 0)).not.toThrow();
});

test.each([
  [Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }), true],
  [Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }), true],
  [new Error("could not extend file: No space left on device"), true],
  [new AppError("internal", "Something else.", { cause: new Error("SQLITE_FULL") }), true],
  [Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_WRITE" }), false],
  [Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" }), false],
  ["disk is full", false],
])("%s is a full disk: %s", (thrown, expected) => {
  expect(isStorageFull(thrown, here)).toBe(expected);
});

test("sizes are told in MiB", () => {
  expect([mebibytes(0), mebibytes(1.5 * 2 ** 20), mebibytes(64 * 2 ** 20)]).toEqual(["0.0 MiB", "1.5 MiB", "64 MiB"]);
});
