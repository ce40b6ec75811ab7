import fc from "fast-check";
import { expect, test } from "vitest";
import { labelFromUrl } from "./source-dialog";

test.each([
  ["https://github.com/anthropics/skills", "anthropics/skills"],
  ["https://github.com/anthropics/skills.git", "anthropics/skills"],
  ["github.com/acme/agent-skills/tree/main/skills", "acme/agent-skills"],
  ["https://github.com/acme/skills?tab=readme", "acme/skills"],
  ["acme/agent-skills/plugins", "acme/agent-skills"],
  ["npx skills add acme/agent-skills --skill pdf", "acme/agent-skills"],
  ["https://github.com/acme", ""],
  ["", ""],
])("%s is labelled “%s”", (address, label) => {
  expect(labelFromUrl(address)).toBe(label);
});

test("produces a valid label or none for any input", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const label = labelFromUrl(`https://github.com/${text}`);
      expect(label.length).toBeLessThanOrEqual(80);
      if (label !== "") expect(label.split("/")).toHaveLength(2);
    }),
  );
});
