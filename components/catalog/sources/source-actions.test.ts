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
  it("shows a needed confirmation first", () => {
    const pendingRepository = { id: "7", fullName: "acme/other", reason: "replaced" as const };
    expect(sourceState({ ...idle, state: "failed", pendingRepository }).label).toBe("Confirm repository");
  });

  it("shows the failure of a hidden source", () => {
    expect(sourceState({ ...idle, enabled: false }).label).toBe("Hidden");
    expect(sourceState({ ...idle, enabled: false, state: "failed" }).label).toBe("Failed");
  });

  it("does not show a source as synced before its first sync", () => {
    expect(sourceState({ ...idle, syncedAt: null }).label).toBe("Not synced");
  });
});

test("shows branch and folder in the address", () => {
  const source = { owner: "acme", repo: "skills", ref: null, defaultBranch: "main", folder: "skills/office" };
  expect(sourceAddress(source)).toBe("acme/skills@main:skills/office");
  expect(sourceAddress({ ...source, ref: "v2", folder: null })).toBe("acme/skills@v2");
  expect(sourceAddress({ ...source, defaultBranch: null, folder: null })).toBe("acme/skills");
});

test("keeps an interval that the API has set", () => {
  expect(intervalOptions(360)).toHaveLength(5);
  expect(intervalOptions(45).at(-1)).toEqual({ value: "45", label: "Every 45 minutes" });
});
