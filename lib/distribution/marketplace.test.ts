import { expect, test } from "vitest";
import { nameMarketplace } from "./marketplace";

test.each([
  [{ kind: "root" }, "", "acme"],
  [{ kind: "publisher", handle: "mara.b" }, "", "acme-mara-b"],
  [{ kind: "collection", slug: "start" }, "", "acme-start"],
  [{ kind: "skill", publisher: "mara", name: "pdf", version: null }, "", "acme-mara-pdf"],
  [{ kind: "root" }, "/t/sgc_secret", "acme-private"],
] as const)("%j is called %s%s", (scope, base, name) => {
  expect(nameMarketplace("acme", { scope, base })).toBe(name);
});

test("no scope makes a name that a client keeps for its maker", () => {
  expect(nameMarketplace("agent", { scope: { kind: "collection", slug: "skills" }, base: "" })).toBe(
    "skillgate-agent-skills",
  );
});

test("a scope whose name looks official gets one that does not", () => {
  const named = (slug: string) => nameMarketplace("acme", { scope: { kind: "collection", slug }, base: "" });
  expect([named("official"), named("unofficial-claude")]).toEqual([
    "skillgate-acme-approved",
    "skillgate-acme-unapproved-claude",
  ]);
});
