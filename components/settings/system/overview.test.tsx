import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Unserved } from "./overview";

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const missing = {
  worker: { id: "w", name: "local", saysAllows: true },
  what: "the path /srv/data",
  variable: "SKILLGATE_WORKER_PATHS",
};
const item = { skill: { id: "s", name: "reads_data" }, versionDigest: "d", builtin: false, missing: [missing] };

test("lists each skill with the missing permission, the variable and the worker", () => {
  render(<Unserved unserved={{ items: [item], more: 2 }} />);
  const [, row] = screen.getAllByRole("row");
  expect(row?.textContent).toBe("reads_datathe path /srv/dataSKILLGATE_WORKER_PATHSlocal");
  screen.getByText("and 2 more");
});

test("folds built-ins, and renders nothing without unserved skills", () => {
  const { container, rerender } = render(<Unserved unserved={{ items: [{ ...item, builtin: true }], more: 0 }} />);
  expect(screen.getByText("Built-in").closest("details")?.open).toBe(false);
  screen.getByText("1 built-in skill");
  rerender(<Unserved unserved={{ items: [], more: 0 }} />);
  expect(container.textContent).toBe("");
});
