import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BucketSpan, ChartFrame } from "./chart-frame";

const onChoose = vi.fn<(span: BucketSpan | null) => void>();

function show(chosen: BucketSpan | null = null) {
  render(
    <ChartFrame
      title="Runs by state"
      description="12 runs"
      count={10}
      labelFor={([start, end]) => `part ${start} to ${end}`}
      chosen={chosen}
      onChoose={onChoose}
      top="4"
      from="10:00"
      to="now"
    >
      {null}
    </ChartFrame>,
  );
  const slider = screen.getByRole("slider", { name: "Runs by state: select a time range" });
  vi.spyOn(slider, "getBoundingClientRect").mockReturnValue({ left: 0, width: 100 } as DOMRect);
  return slider;
}

// jsdom's PointerEvent has no coordinates.
const pointer = (name: string, clientX: number) =>
  Object.assign(new MouseEvent(name, { bubbles: true, clientX, button: 0 }), { pointerId: 1 });

beforeEach(() => onChoose.mockClear());
afterEach(cleanup);

describe("ChartFrame", () => {
  it("is an image with a name and a description", () => {
    show();
    const picture = screen.getByRole("img", { name: /Runs by state 12 runs/ });
    expect(picture.querySelector("title")?.textContent).toBe("Runs by state");
  });

  it("selects the clicked bucket, and clears it on a second click", () => {
    const slider = show([3, 4]);
    fireEvent(slider, pointer("pointerdown", 55));
    fireEvent(slider, pointer("pointerup", 55));
    expect(onChoose).toHaveBeenLastCalledWith([5, 6]);
    fireEvent(slider, pointer("pointerdown", 35));
    fireEvent(slider, pointer("pointerup", 35));
    expect(onChoose).toHaveBeenLastCalledWith(null);
  });

  it("selects a dragged range in either direction, within the chart", () => {
    const slider = show();
    fireEvent(slider, pointer("pointerdown", 72));
    fireEvent(slider, pointer("pointermove", -40));
    fireEvent(slider, pointer("pointerup", -40));
    expect(onChoose).toHaveBeenLastCalledWith([0, 8]);
  });

  it("selects with arrow keys and Enter, ranges with Shift, and clears with Escape", () => {
    const slider = show([9, 10]);
    expect(slider.getAttribute("aria-valuetext")).toBe("part 9 to 10");
    fireEvent.keyDown(slider, { key: "Home" });
    expect(slider.getAttribute("aria-valuetext")).toBe("part 0 to 1");
    expect(slider.getAttribute("aria-valuenow")).toBe("1");
    fireEvent.keyDown(slider, { key: "ArrowRight", shiftKey: true });
    fireEvent.keyDown(slider, { key: "ArrowRight", shiftKey: true });
    fireEvent.keyDown(slider, { key: "Enter" });
    expect(onChoose).toHaveBeenLastCalledWith([0, 3]);
    fireEvent.keyDown(slider, { key: "Escape" });
    expect(onChoose).toHaveBeenLastCalledWith(null);
  });
});
