import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DebouncedSearch } from "./debounced-search";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function openSearch() {
  const asked: string[] = [];
  const search = (value: string) => <DebouncedSearch label="Search" value={value} onChange={(q) => asked.push(q)} />;
  const { rerender } = render(search(""));
  const input = () => screen.getByLabelText<HTMLInputElement>("Search");
  return {
    asked,
    input,
    type: (value: string) => fireEvent.change(input(), { target: { value } }),
    pause: () => act(() => void vi.advanceTimersByTime(200)),
    /** The address has changed. */
    arrive: (value: string) => rerender(search(value)),
  };
}

it("keeps what was typed while the address changes to what was typed before", () => {
  const { asked, input, type, pause, arrive } = openSearch();
  type("fi");
  pause();
  type("fill");
  pause();
  type("fill fo");
  arrive("fi");
  expect(input().value).toBe("fill fo");
  arrive("fill");
  expect(input().value).toBe("fill fo");
  type("fill form");
  pause();
  expect(asked).toEqual(["fi", "fill", "fill form"]);
  arrive("fill form");
  expect(input().value).toBe("fill form");
});

it("shows a value from elsewhere, also one that was searched for before", () => {
  const { asked, input, type, pause, arrive } = openSearch();
  type("fi");
  pause();
  arrive("fi");
  arrive("");
  expect(input().value).toBe("");
  pause();
  arrive("fi");
  expect(input().value).toBe("fi");
  expect(asked).toEqual(["fi"]);
});

it("asks again for the former text when it comes back before the address has changed", () => {
  const { asked, type, pause, arrive } = openSearch();
  type("fi");
  pause();
  type("");
  pause();
  arrive("fi");
  pause();
  expect(asked).toEqual(["fi", ""]);
});
