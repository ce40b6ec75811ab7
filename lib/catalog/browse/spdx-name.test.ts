import { expect, test } from "vitest";
import { spdxName } from "./spdx-name";

test.each([
  ["MIT", "MIT"],
  ["mit", "MIT"],
  ["MIT License", "MIT"],
  ["The MIT License", "MIT"],
  ["MIT (see LICENSE)", "MIT"],
  ["Apache 2.0", "Apache-2.0"],
  ["Apache License, Version 2.0", "Apache-2.0"],
  ["apache-2.0", "Apache-2.0"],
  ["BSD 3-Clause License", "BSD-3-Clause"],
  ["GPLv3", "GPL-3.0"],
  ["CC BY 4.0", "CC-BY-4.0"],
  ["CC0", "CC0-1.0"],
  ["Proprietary. LICENSE.txt has complete terms", "Proprietary"],
  ["Complete terms in LICENSE.txt", "See licence file"],
  ["MIT OR Apache-2.0", "MIT OR Apache-2.0"],
  [" Our own  terms ", "Our own terms"],
  ["Commit-style", "Commit-style"],
])("%s is %s", (written, name) => {
  expect(spdxName(written)).toBe(name);
});
