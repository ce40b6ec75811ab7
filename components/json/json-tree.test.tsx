import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { JsonTree } from "./json-tree";

const value = { a: { b: { c: { d: 1 } } }, list: [1, 2], empty: {}, "x/y": null };

function rows() {
  return screen.getAllByRole("treeitem").map((row) => row.textContent);
}

function press(key: string) {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

afterEach(cleanup);

describe("JsonTree", () => {
  it("navigates, expands and collapses with the keyboard", () => {
    render(<JsonTree value={value} label="Result" />);
    const [root] = screen.getAllByRole("treeitem");
    root?.focus();
    press("ArrowDown");
    expect(document.activeElement?.textContent).toBe("a:{} 1 key");
    press("ArrowRight");
    expect(document.activeElement?.textContent).toBe("b:{} 1 key");
    press("ArrowLeft");
    press("ArrowLeft");
    expect(document.activeElement?.textContent).toBe("a:{} 1 key");
    press("ArrowLeft");
    expect(document.activeElement?.getAttribute("aria-expanded")).toBe("false");
    expect(rows()).not.toContain("b:{} 1 key");
    press("ArrowLeft");
    expect(document.activeElement?.textContent).toBe("{} 4 keys");
    press("End");
    expect(document.activeElement?.textContent).toBe("x/y:null");
    press("Home");
    expect(document.activeElement?.textContent).toBe("{} 4 keys");
  });

  it("has one tab stop, and toggles with Enter and click", () => {
    render(<JsonTree value={value} label="Result" />);
    expect(screen.getAllByRole("treeitem").filter((row) => row.tabIndex === 0)).toHaveLength(1);
    const list = screen.getByText("list").closest<HTMLElement>("[role=treeitem]");
    if (list) fireEvent.click(list);
    expect(list?.getAttribute("aria-expanded")).toBe("false");
    if (list) fireEvent.keyDown(list, { key: "Enter" });
    expect(list?.getAttribute("aria-expanded")).toBe("true");
  });

  it("expands the siblings with *", () => {
    render(<JsonTree value={{ a: [[1], [2]] }} label="Result" />);
    const closed = screen.getAllByRole("treeitem").find((row) => row.getAttribute("aria-level") === "3");
    if (closed) fireEvent.keyDown(closed, { key: "ArrowLeft" });
    if (closed) fireEvent.keyDown(closed, { key: "*" });
    expect(rows()).toEqual(expect.arrayContaining(["0:1", "0:2"]));
  });

  it("lists a hundred children and offers more", () => {
    render(<JsonTree value={Array.from({ length: 250 }, (_, index) => index)} label="Result" />);
    expect(rows()).toHaveLength(102);
    fireEvent.click(screen.getByText("Show 100 more of 150"));
    expect(rows()).toHaveLength(202);
  });
});
