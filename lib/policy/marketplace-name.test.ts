import { expect, test } from "vitest";
import { isReservedMarketplace, MarketplaceName } from "./marketplace-name";

test.each(["skillgate", "acme-skills", "a1"])("%s is a name", (name) => {
  expect(MarketplaceName.safeParse(name).success).toBe(true);
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
