import { expect, it } from "vitest";
import { lacksOnlyOptionalPackages } from "./install.mjs";

const lock = {
  packages: { "node_modules/a": { optionalDependencies: { "@a/darwin": "1.0.0", "@a/win32": "1.0.0" } } },
};

it.each([
  [
    "optional packages",
    "npm error code EUSAGE\nMissing: @a/darwin@ from lock file\nMissing: @a/win32@1.0.0 from lock file",
    true,
  ],
  [
    "a package that is needed",
    "npm error code EUSAGE\nMissing: @a/darwin@ from lock file\nMissing: b@1.0.0 from lock file",
    false,
  ],
  [
    "another version",
    "npm error code EUSAGE\nInvalid: lock file's b@1.0.0 does not satisfy b@2.0.0\nMissing: @a/darwin@ from lock file",
    false,
  ],
  ["nothing, in words we do not know", "npm error code EUSAGE\nThe lock file is missing", false],
  ["nothing, the network being down", "npm error code ECONNREFUSED", false],
])("tells a lock file that lacks %s", (_, output, expected) => {
  expect(lacksOnlyOptionalPackages(output, lock)).toBe(expected);
});
