import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { RunLog, readLineRange } from "./run-log";
import { changeLog, emptyLog, type RunLogState } from "./use-run-log";

const at = "2026-11-20T10:00:00.000Z";

function logOf(texts: string[], isOver = true): RunLogState {
  const events = texts.map((text, index) => ({ seq: index + 1, at, stream: "stderr" as const, text }));
  const state = changeLog(emptyLog, { type: "events", events });
  return isOver ? changeLog(state, { type: "ended" }) : state;
}

function show(log: RunLogState, isOver = true) {
  const view = (shown: RunLogState) => (
    <TooltipProvider>
      <RunLog log={shown} filename="run.log" startedAt={at} isOver={isOver} fitted={isOver} />
    </TooltipProvider>
  );
  const { rerender, container } = render(view(log));
  return { container, rerender: (next: RunLogState) => rerender(view(next)) };
}

const shownLines = () => [...document.querySelectorAll("[data-line]")].map((row) => row.textContent);

beforeEach(() => {
  // jsdom has no layout: every box shows ten lines of 20 px.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(200);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(20);
  window.location.hash = "";
  window.localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("RunLog", () => {
  it("shows colours and no other control sequences", () => {
    show(logOf(["\u001b[31mred\u001b[0m and <b>not bold</b>\u001b[2J"]));
    const red = screen.getByText("red");
    expect(red.style.color).not.toBe("");
    expect(document.querySelector("b")).toBeNull();
    expect(shownLines()).toEqual(["1red and <b>not bold</b>"]);
  });

  it("counts hits and steps through them with Enter and Shift+Enter", () => {
    show(logOf(["one apple", "two", "an Apple and an apple"]));
    const input = screen.getByLabelText("Search the log");
    fireEvent.change(input, { target: { value: "apple" } });
    expect(screen.getByText("1 of 3")).toBeTruthy();
    expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["apple", "Apple", "apple"]);
    fireEvent.keyDown(input, { key: "Enter" });
    expect(screen.getByText("2 of 3")).toBeTruthy();
    expect(document.querySelector("mark[data-current]")?.textContent).toBe("Apple");
    fireEvent.keyDown(input, { key: "Enter", shiftKey: true });
    fireEvent.keyDown(input, { key: "Enter", shiftKey: true });
    expect(screen.getByText("3 of 3")).toBeTruthy();
    fireEvent.change(input, { target: { value: "pear" } });
    expect(screen.getByText("No matches")).toBeTruthy();
    fireEvent.keyDown(input, { key: "Escape" });
    expect(document.querySelector("mark")).toBeNull();
  });

  it("stores lines in the address, and ranges with Shift", () => {
    show(logOf(["a", "b", "c", "d"]));
    fireEvent.click(screen.getByRole("link", { name: "Line 3" }));
    expect(window.location.hash).toBe("#L3");
    fireEvent.click(screen.getByRole("link", { name: "Line 2" }), { shiftKey: true });
    expect(window.location.hash).toBe("#L2-L3");
    expect(document.querySelectorAll("[data-linked]")).toHaveLength(2);
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(window.location.hash).toBe("");
    expect(document.querySelectorAll("[data-linked]")).toHaveLength(0);
  });

  it("marks the lines in the address, and reports a missing line", () => {
    window.location.hash = "#L2";
    show(logOf(["a", "b"]));
    expect(document.querySelector("[data-linked]")?.textContent).toContain("b");
    act(() => {
      window.location.hash = "#L900";
      window.dispatchEvent(new Event("hashchange"));
    });
    expect(screen.getByText("The log has no line 900")).toBeTruthy();
  });

  it("follows until the user scrolls up, and returns to the end by a button", () => {
    show(logOf(["a"], false), false);
    const follow = screen.getByRole("switch", { name: "Follow the end of the log" });
    expect(follow.getAttribute("aria-checked")).toBe("true");
    fireEvent.wheel(screen.getByRole("region", { name: "Log lines" }), { deltaY: -10 });
    expect(follow.getAttribute("aria-checked")).toBe("false");
    fireEvent.click(screen.getByRole("button", { name: /Go to the end/ }));
    expect(follow.getAttribute("aria-checked")).toBe("true");
    expect(screen.queryByRole("button", { name: /Go to the end/ })).toBeNull();
  });

  it("renders a few of many lines, and searches all", () => {
    const { rerender } = show(logOf(["first"], false), false);
    rerender(logOf(Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`)));
    expect(shownLines().length).toBeLessThan(200);
    fireEvent.change(screen.getByLabelText("Search the log"), { target: { value: "line 19999" } });
    expect(screen.getByText("1 of 1")).toBeTruthy();
  });

  it("distinguishes system lines from lines of the run", () => {
    const state = changeLog(emptyLog, {
      type: "events",
      events: [
        { seq: 1, at, stream: "stderr", text: "\u001b[32mgreen" },
        { seq: 2, at, stream: "system", text: "cut here" },
        { seq: 3, at, stream: "stderr", text: "still green" },
      ],
    });
    show(state);
    expect(screen.getByText("Skillgate:")).toBeTruthy();
    expect(screen.getByText("cut here").style.color).toBe("");
    expect(screen.getByText("still green").style.color).not.toBe("");
  });

  it("shows times when asked", () => {
    window.localStorage.setItem("skillgate.log-times", "elapsed");
    show(logOf(["a"]));
    const row = document.querySelector<HTMLElement>("[data-line]");
    expect(within(row as HTMLElement).getByText("+0.000")).toBeTruthy();
  });
});

describe("readLineRange", () => {
  it.each([
    ["#L12", { from: 12, to: 12 }],
    ["#L12-L20", { from: 12, to: 20 }],
    ["#L20-L12", { from: 12, to: 20 }],
    ["#L12-20", { from: 12, to: 20 }],
    ["#L0", null],
    ["#L-1", null],
    ["#x", null],
    ["", null],
  ])("reads %s", (hash, range) => {
    expect(readLineRange(hash)).toEqual(range);
  });
});
