import { describe, expect, it } from "vitest";
import { dayBoundary, describeDays } from "./filter-bar";

// Tests run in Kathmandu, at +05:45: a day begins at 18:15 UTC.
describe("dayBoundary", () => {
  it("covers the whole of the reader's day", () => {
    expect(dayBoundary("2026-11-20", "from")).toBe("2026-11-19T18:15:00.000Z");
    expect(dayBoundary("2026-11-20", "to")).toBe("2026-11-20T18:14:59.999Z");
  });

  it.each(["", "yesterday", "2026-13-01", "2026-11-20T10:00"])("takes %j for no day", (text) => {
    expect(dayBoundary(text, "from")).toBeNull();
  });
});

it.each([
  ["", "", "Any date"],
  ["2026-11-12", "", "Since 12 Nov"],
  ["", "2026-11-20", "Until 20 Nov"],
  ["2026-11-12", "2026-11-20", "12 Nov – 20 Nov"],
  ["yesterday", "", "Any date"],
])("shows the days from %j to %j as %j", (from, to, text) => {
  expect(describeDays({ from, to })).toBe(text);
});
