import { describe, expect, it, test } from "vitest";
import { intervalOptions, sourceAddress, sourceState } from "./source-actions";

const idle = {
  state: "idle" as const,
  enabled: true,
  pendingRepository: null,
  errorCode: null,
  syncedAt: "2026-01-01T00:00:00.000Z",
};

describe("sourceState", () => {
  it("asks for a confirmation before it says anything else", () => {
    const pendingRepository = { id: "7", fullName: "acme/other", reason: "replaced" as const };
    expect(sourceState({ ...idle, state: "failed", pendingRepository }).label).toBe("Confirm repository");
  });

  it("says that a hidden source failed, since its sync was asked for", () => {
    expect(sourceState({ ...idle, enabled: false }).label).toBe("Hidden");
    expect(sourceState({ ...idle, enabled: false, state: "failed" }).label).toBe("Failed");
  });

  it("does not call a source synced that never was", () => {
    expect(sourceState({ ...idle, syncedAt: null }).label).toBe("Not synced");
  });
});

test("an address names the branch that is read, and the folder", () => {
  const source = { owner: "acme", repo: "skills", ref: null, defaultBranch: "main", folder: "skills/office" };
  expect(sourceAddress(source)).toBe("acme/skills@main:skills/office");
  expect(sourceAddress({ ...source, ref: "v2", folder: null })).toBe("acme/skills@v2");
  expect(sourceAddress({ ...source, defaultBranch: null, folder: null })).toBe("acme/skills");
});

test("an interval that the API has set can be kept in the form", () => {
  expect(intervalOptions(360)).toHaveLength(5);
  expect(intervalOptions(45).at(-1)).toEqual({ value: "45", label: "Every 45 minutes" });
});
