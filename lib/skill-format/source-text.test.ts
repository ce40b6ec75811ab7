import fc from "fast-check";
import { expect, test } from "vitest";
import { readSourceText } from "./source-text";

const plain = { repoUrl: "https://github.com/acme/skills", ref: null, folder: null };

test.each([
  ["acme/skills", {}],
  ["  acme/skills/ ", {}],
  ["github:acme/skills", {}],
  ["acme/skills@pdf", {}],
  ["acme/skills#main", { ref: "main" }],
  ["acme/skills#main@pdf", { ref: "main" }],
  ["acme/skills/plugins/pdf", { folder: "plugins/pdf" }],
  ["npx skills add acme/skills", {}],
  ["$ npx -y skills@latest add acme/skills --skill pdf -a claude-code", {}],
  ["npx skills add --skill pdf acme/skills", {}],
  ["pnpm dlx skills add acme/skills/plugins -g", { folder: "plugins" }],
  ["bunx skills i 'acme/skills'", {}],
  ["npx skills add https://github.com/acme/skills", {}],
  ["github.com/acme/skills", {}],
])("%s", (text, more) => {
  expect(readSourceText(text, "https://github.com")).toEqual({ ...plain, ...more });
});

test.each([
  "https://github.com/acme/skills/tree/main/plugins/pdf",
  "git@github.com:acme/skills.git",
  "file:///etc/passwd",
  "acme",
  "",
])("%s is left as it is", (text) => {
  expect(readSourceText(text, "https://github.com")).toEqual({ repoUrl: text, ref: null, folder: null });
});

test("the branch and folder of an address in a line stay in the address", () => {
  const address = "https://github.com/acme/skills/tree/main/plugins";
  expect(readSourceText(`npx skills add ${address} --all`, "https://github.com").repoUrl).toBe(address);
});

test("reads any text in time that grows with its length only", () => {
  fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => readSourceText(text, "https://x").repoUrl !== null));
  readSourceText(`npx ${"-a ".repeat(20_000)}`, "https://x");
  readSourceText(`a/b${"/c".repeat(20_000)}!@`, "https://x");
});
