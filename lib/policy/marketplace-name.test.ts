import { expect, test } from "vitest";
import { isReservedMarketplace, MarketplaceName, renameReserved } from "./marketplace-name";

test.each(["skillgate", "acme-skills", "a1"])("%s is a name", (name) => {
  expect(MarketplaceName.safeParse(name).success).toBe(true);
});

/** The list of the marketplace reference, with names that it calls imitations. */
const RESERVED = [
  ...["claude-code-marketplace", "claude-code-plugins", "claude-plugins-official", "anthropic-marketplace"],
  ...["anthropic-plugins", "agent-skills", "anthropic-agent-skills", "life-sciences", "knowledge-work-plugins"],
  ...["claude-for-legal", "claude-for-financial-services", "financial-services-plugins", "first-party-plugins"],
  ...["claude-tag-plugins", "claude-community", "claude-plugins-community", "healthcare"],
  ...["anthropic-plugin-directory", "claude-plugin-directory", "official-claude-plugins", "claude-plugins-v2"],
  ...["inline", "builtin", "skills-dir", "synced", "claude-plugin-test", "claudeai-own"],
  ...["npm", "pip", "uv", "cargo", "github", "gh", "org", "org-provisioned", "unknown"],
];

test.each(RESERVED)("%s is reserved, and its new name is not", (name) => {
  expect(MarketplaceName.safeParse(name).success).toBe(false);
  expect(isReservedMarketplace(renameReserved(name))).toBe(false);
});

test.each(["claude.code.plugins", "Agent Skills", "GitHub", "life-sciences."])("%s is another spelling", (name) => {
  expect(isReservedMarketplace(name)).toBe(true);
});

test.each([
  "agent-skills",
  "claude-code-plugins",
  "anthropic-own",
  "Acme",
  "acme skills",
  "-a",
  "a--b",
  "",
  "x".repeat(41),
])("%s is none", (name) => {
  expect(MarketplaceName.safeParse(name).success).toBe(false);
});

test("a name that only contains a reserved word is free", () => {
  expect(isReservedMarketplace("claudette")).toBe(false);
});
