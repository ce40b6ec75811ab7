import { describe, expect, it } from "vitest";
import { readChartRange, spanLabel, windowAt } from "./chart-window";

describe("windowAt", () => {
  it("ends with the current bucket, and moves only when another begins", () => {
    const now = Date.parse("2026-03-01T10:44:59.000Z");
    const window = { from: "2026-02-28T11:00:00.000Z", to: "2026-03-01T11:00:00.000Z", buckets: 48 };
    expect(windowAt("24h", now)).toEqual(window);
    expect(windowAt("24h", Date.parse("2026-03-01T10:30:00.000Z"))).toEqual(window);
    expect(windowAt("24h", Date.parse("2026-03-01T11:00:00.000Z")).to).toBe("2026-03-01T11:30:00.000Z");
  });
});

describe("readChartRange", () => {
  it("accepts only known values from the address", () => {
    expect(["1h", "7d", "9y", "toString", null].map(readChartRange)).toEqual(["1h", "7d", "24h", "24h", "24h"]);
  });
});

describe("spanLabel", () => {
  it("includes the date unless it is today, and at the end when it differs", () => {
    // The zone of the tests is 5 h 45 min ahead of UTC.
    const at = (text: string) => Date.parse(text);
    const now = at("2026-03-01T12:00:00.000Z");
    expect(spanLabel(at("2026-03-01T08:15:00.000Z"), at("2026-03-01T08:45:00.000Z"), now)).toBe("14:00 to 14:30");
    expect(spanLabel(at("2026-02-27T08:15:00.000Z"), at("2026-02-27T08:45:00.000Z"), now)).toMatch(
      /^27 Feb.* 14:00 to 14:30$/,
    );
    expect(spanLabel(at("2026-02-28T17:15:00.000Z"), at("2026-02-28T19:15:00.000Z"), now)).toMatch(
      /^28 Feb.* 23:00 to 1 Mar.* 01:00$/,
    );
  });
});
