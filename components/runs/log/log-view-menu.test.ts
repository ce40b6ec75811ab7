import { describe, expect, it } from "vitest";
import { logTime } from "./log-view-menu";

const began = "2026-11-20T10:00:00.000Z";

describe("logTime", () => {
  it.each([
    ["2026-11-20T10:00:01.234Z", "+1.234"],
    ["2026-11-20T10:02:03.004Z", "+2:03.004"],
    ["2026-11-20T09:59:59.000Z", "+0.000"],
  ])("counts %s from the beginning", (at, shown) => {
    expect(logTime(at, began, "elapsed")).toBe(shown);
  });

  it("shows the local time, or nothing", () => {
    expect(logTime("2026-11-20T10:00:01.234Z", began, "clock")).toBe("15:45:01.234");
    expect(logTime(began, began, "none")).toBeNull();
    expect(logTime("never", began, "clock")).toBeNull();
  });
});
