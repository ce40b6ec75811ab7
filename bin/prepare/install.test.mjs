import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { refuseLinkedModules } from "./install.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "skillgate-install-"));
  mkdirSync(path.join(folder, "shared"));
  writeFileSync(path.join(folder, "shared", "kept"), "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("refuses to install through a symbolic link, and names both folders", () => {
  const link = path.join(folder, "node_modules");
  symlinkSync(path.join(folder, "shared"), link);
  expect(() => refuseLinkedModules(link)).toThrow(/node_modules is a symbolic link to .*shared.*remove the link/s);
  expect(existsSync(path.join(folder, "shared", "kept"))).toBe(true);
});

it("refuses a link that leads nowhere", () => {
  const link = path.join(folder, "node_modules");
  symlinkSync(path.join(folder, "absent"), link);
  expect(() => refuseLinkedModules(link)).toThrow("a folder that does not exist");
});

it("installs into a folder of its own, and where there is none yet", () => {
  refuseLinkedModules(path.join(folder, "shared"));
  refuseLinkedModules(path.join(folder, "absent"));
});
