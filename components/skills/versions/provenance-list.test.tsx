import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { Version } from "@/lib/skills/versions/schema";
import { ProvenanceList } from "./provenance-list";

afterEach(cleanup);

it.each([
  ["unsigned", null, "Unsigned"],
  ["valid", "ada", "Valid (ada)"],
  ["unknown_key", null, "Unknown key"],
  ["invalid", "ada", "Invalid"],
] as const)("says that the author's signature is %s, and why", (state, key, words) => {
  const version = {
    ...{ number: 1, digest: "a".repeat(64), createdAt: "2026-11-23T08:00:00.000Z", provenance: {} },
    ...{ createdBy: { id: "u1", name: "Mara" }, trust: { tier: "workspace", signature: "unsigned", reason: "" } },
    signature: { state, key, message: "The reason." },
  } as unknown as Version;
  render(<ProvenanceList version={version} />, { wrapper: TooltipProvider });
  expect(screen.getByText(words).title).toBe("The reason.");
});
