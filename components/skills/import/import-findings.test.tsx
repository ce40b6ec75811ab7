import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ImportPreview } from "@/lib/skills/transfer/schema";
import { ImportFindings } from "./import-findings";

afterEach(cleanup);

type Found = ImportPreview["skills"][number];
const found: Found = {
  ...{ folder: "tidy", location: "tidy", name: "tidy", description: "Tidies.", kind: "playbook", class: null },
  ...{ proposedClass: "mutating", proposedClassReason: "not declared; it contains a script, run.sh", license: "MIT" },
  ...{ allowedTools: ["Bash"], entry: null, digest: "d", files: [], diagnostics: [], effect: "new" },
  ...{ scan: "complete", findings: [], moreFindings: 0 },
};
const show = (more: Partial<Found>) =>
  render(<ImportFindings preview={{ skills: [{ ...found, ...more }], diagnostics: [] }} />);
const factOf = (term: string) => screen.getByText(term, { selector: "dt" }).nextElementSibling?.textContent;

test("shows class, tools, licence and findings before anything is stored", () => {
  const finding = { rule: "HID-001", severity: "critical" as const, path: "SKILL.md", line: 4, why: "Hidden text." };
  show({ findings: [finding], moreFindings: 2 });
  expect(screen.getByText("proposed: mutating").className).toContain("border-dashed");
  expect(factOf("Class")).toBe("proposed: mutating Not declared; it contains a script, run.sh. A reviewer decides.");
  expect(factOf("Tools")).toBe("Bash");
  expect(factOf("Licence")).toBe("MIT");
  expect(factOf("Findings")).toContain("Hidden text.SKILL.md:4");
  expect(factOf("Findings")).toContain("and 2 more");
});

test("a clean scan is no verdict, and no scan is no clean scan", () => {
  show({ allowedTools: null, license: null });
  expect(factOf("Findings")).toBe("None. This does not mean the skill is safe: read the source.");
  expect([factOf("Tools"), factOf("Licence")]).toEqual(["None without asking", "None stated"]);
  cleanup();
  show({ scan: "pending" });
  expect(factOf("Findings")).toBe("Not scanned yet. The scan follows the import.");
  cleanup();
  show({ scan: "incomplete" });
  expect(factOf("Findings")).toContain("A part could not be scanned.");
});
