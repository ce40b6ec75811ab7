import { act, cleanup, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RelativeTime } from "./relative-time";

beforeEach(() => vi.useFakeTimers({ now: Date.parse("2026-03-10T12:00:00Z") }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("shows the distance, keeps it current and holds the exact time", () => {
  render(<RelativeTime value="2026-03-10T11:59:30Z" />);
  const time = screen.getByText("30 s ago");
  expect(time.getAttribute("datetime")).toBe("2026-03-10T11:59:30Z");
  expect(time.getAttribute("title")).toContain("10 Mar 2026");
  act(() => vi.advanceTimersByTime(3 * 60_000));
  expect(time.textContent).toBe("3 min ago");
});

test("the server writes the date alone, so that the browser finds the same text", () => {
  expect(renderToString(<RelativeTime value="2026-03-10T11:59:30Z" />)).toContain(">2026-03-10</time>");
});

test("what is no date is shown as it is", () => {
  render(<RelativeTime value="soon" />);
  expect(screen.getByText("soon")).toBeTruthy();
});
