import { describe, expect, it } from "vitest";
import { fromLocalInput, toLocalInput } from "./schema-form";

describe("local time", () => {
  // Tests run in Kathmandu, at +05:45.
  it("shows a moment in the reader's zone and sends it in UTC", () => {
    expect(toLocalInput("2026-11-20T10:00:00Z")).toBe("2026-11-20T15:45:00");
    expect(fromLocalInput("2026-11-20T15:45:00")).toBe("2026-11-20T10:00:00Z");
  });

  it.each(["tomorrow", "2026-11-20", "2026-13-40T10:00:00Z", "2026-11-20T10:00:00"])(
    "knows that %s is no moment",
    (text) => {
      expect(toLocalInput(text)).toBeNull();
    },
  );
});
