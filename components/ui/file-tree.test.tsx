import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { buildFileTree, FileTree, visibleRows } from "./file-tree";

afterEach(cleanup);

const files = ["scripts/run.sh", "skill.json", "SKILL.md", "scripts/lib/parse.py", "assets/a.png"].map((path) => ({
  path,
}));

test("SKILL.md comes first, then folders, then files, each by name", () => {
  expect(visibleRows(buildFileTree(files), new Set()).map(({ node, depth }) => `${depth} ${node.path}`)).toEqual([
    "0 SKILL.md",
    "0 assets",
    "1 assets/a.png",
    "0 scripts",
    "1 scripts/lib",
    "2 scripts/lib/parse.py",
    "1 scripts/run.sh",
    "0 skill.json",
  ]);
});

test("the keyboard moves, closes a folder and selects a file", async () => {
  const user = userEvent.setup();
  const onSelect = vi.fn();
  render(<FileTree files={files} label="Files" onSelect={onSelect} />);
  await user.tab();
  expect(document.activeElement?.getAttribute("data-path")).toBe("SKILL.md");
  await user.keyboard("{End}{ArrowUp}{ArrowLeft}");
  expect(document.activeElement?.getAttribute("data-path")).toBe("scripts");
  await user.keyboard("{ArrowLeft}");
  expect(document.activeElement?.getAttribute("aria-expanded")).toBe("false");
  expect(screen.queryByText("run.sh")).toBeNull();
  await user.keyboard("{ArrowDown}{Enter}");
  expect(onSelect).toHaveBeenCalledExactlyOnceWith("skill.json");
});
