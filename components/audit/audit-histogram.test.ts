import { describe, expect, it } from "vitest";
import { moveWindow, windowPatch, zoomWindow } from "./audit-histogram";

const all = { from: 0, to: 1_000_000 };

describe("zoomWindow", () => {
  it("keeps the relative position of the given time", () => {
    expect(zoomWindow({ from: 0, to: 400_000 }, all, { factor: 0.5, at: 100_000 })).toEqual({
      from: 50_000,
      to: 250_000,
    });
  });

  it("stays within the whole range and ends with null", () => {
    expect(zoomWindow({ from: 0, to: 400_000 }, all, { factor: 2, at: 0 })).toEqual({ from: 0, to: 800_000 });
    expect(zoomWindow({ from: 600_000, to: 1_000_000 }, all, { factor: 2, at: 800_000 })).toEqual({
      from: 200_000,
      to: 1_000_000,
    });
    expect(zoomWindow({ from: 0, to: 600_000 }, all, { factor: 2, at: 0 })).toBeNull();
  });

  it("stops at ten seconds", () => {
    expect(zoomWindow({ from: 100_000, to: 112_000 }, all, { factor: 0.5, at: 106_000 })).toEqual({
      from: 101_000,
      to: 111_000,
    });
  });
});

describe("moveWindow", () => {
  it("moves by half its length and stops at the ends", () => {
    expect(moveWindow({ from: 100_000, to: 300_000 }, all, 1)).toEqual({ from: 200_000, to: 400_000 });
    expect(moveWindow({ from: 50_000, to: 250_000 }, all, -1)).toEqual({ from: 0, to: 200_000 });
  });
});

it("writes an inclusive end to the address", () => {
  expect(windowPatch({ from: 0, to: 1_000 })).toEqual({
    from: "1970-01-01T00:00:00.000Z",
    to: "1970-01-01T00:00:00.999Z",
  });
  expect(windowPatch(null)).toEqual({ from: null, to: null });
});
