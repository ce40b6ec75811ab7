import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { JsonView } from "./json-view";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function show(value: unknown) {
  render(
    <TooltipProvider>
      <JsonView value={value} label="Result" filename="run.json" rich />
    </TooltipProvider>,
  );
}

const choose = (name: string) => fireEvent.click(screen.getByRole("radio", { name }));

beforeEach(() => {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(320);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(24);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("JsonView", () => {
  it("sorts a table by a column, up, down and back", () => {
    show([
      { name: "b", size: 10 },
      { name: "a", size: 9 },
      { name: "c", size: null },
    ]);
    choose("Table");
    const table = screen.getByRole("table", { name: "Result" });
    const first = () =>
      within(table)
        .getAllByRole("row")
        .slice(1)
        .map((row) => row.firstChild?.textContent);
    const header = within(table).getByRole("button", { name: "size" });
    expect(first()).toEqual(["b", "a", "c"]);
    fireEvent.click(header);
    expect(first()).toEqual(["a", "b", "c"]);
    expect(header.closest("th")?.getAttribute("aria-sort")).toBe("ascending");
    fireEvent.click(header);
    expect(first()).toEqual(["b", "a", "c"]);
    fireEvent.click(header);
    expect(header.closest("th")?.getAttribute("aria-sort")).toBe("none");
  });

  it.each([
    ["Markdown", "# Weekly report\n\nAll good.", () => screen.getByRole("heading", { name: "Weekly report" })],
    ["Diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n", () => screen.getByRole("region", { name: "Changes in x" })],
    [
      "Files",
      { path: "out/notes.txt", content: "hi" },
      () => screen.getByRole("button", { name: "Download out/notes.txt" }),
    ],
    ["Tree", [{ name: "a", parts: [1] }], () => screen.getByRole("tree", { name: "Result" })],
    ["Table", [{ name: "a", size: 1 }], () => screen.getByRole("table", { name: "Result" })],
  ])("shows %s first", async (name, value, part) => {
    show(value);
    // The views are loaded when they are first shown.
    await vi.waitFor(() => expect(part()).toBeTruthy(), { timeout: 20_000 });
    expect(screen.getByRole("radio", { name }).getAttribute("aria-checked")).toBe("true");
  });

  it("renders a part of a long table and counts all rows", () => {
    show(Array.from({ length: 5_000 }, (_, index) => ({ index })));
    choose("Table");
    expect(screen.getByText("5,000 rows")).toBeTruthy();
    expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("5001");
    expect(screen.getAllByRole("row").length).toBeLessThan(100);
  });

  it("offers no table or image for other values", () => {
    show({ a: 1 });
    expect(screen.getAllByRole("radio").map((radio) => radio.textContent)).toEqual(["Tree", "Raw"]);
  });

  it("shows an image first, from data that the content security policy allows", () => {
    show({ mimeType: "image/png", data: png });
    const picture = screen.getByRole<HTMLImageElement>("img", { name: "Result" });
    expect(picture.src).toBe(`data:image/png;base64,${png}`);
  });

  it("never draws an SVG", () => {
    show({ mimeType: "image/svg+xml", data: btoa("<svg><script>alert(1)</script></svg>") });
    expect(document.querySelector("img, svg script")).toBeNull();
    expect(screen.getByText("<svg><script>alert(1)</script></svg>")).toBeTruthy();
  });

  it("finds deeply nested values, and steps with Enter", () => {
    show({
      rows: Array.from({ length: 600 }, (_, index) => ({ cell: index === 577 ? "needle" : "hay" })),
      end: "needle",
    });
    choose("Tree");
    const input = screen.getByLabelText("Search the result");
    fireEvent.change(input, { target: { value: "needle" } });
    expect(screen.getByText("1 of 2")).toBeTruthy();
    fireEvent.keyDown(input, { key: "Enter" });
    expect(screen.getByText("2 of 2")).toBeTruthy();
    fireEvent.keyDown(input, { key: "Enter", shiftKey: true });
    expect(screen.getByText("1 of 2")).toBeTruthy();
  });

  it("copies the path of the focused row", async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
    show({ a: { "b c": [1] } });
    const row = screen.getAllByRole("treeitem").find((item) => item.textContent?.startsWith("0:"));
    if (row) fireEvent.keyDown(row, { key: "c" });
    expect(await screen.findByText("Path copied")).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith('$.a["b c"][0]');
    vi.unstubAllGlobals();
  });

  it("truncates a text of a million characters with a note", () => {
    show({ text: "x".repeat(1_000_000) });
    expect(screen.getByText(/and 996,000 more characters/)).toBeTruthy();
    choose("Raw");
    expect(screen.getByText(/Showing 200,000 of 1,000,/)).toBeTruthy();
  });
});
