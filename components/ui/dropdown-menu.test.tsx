import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "./dropdown-menu";
import { IconButton } from "./icon-button";
import { TooltipProvider } from "./tooltip";

beforeAll(() => {
  // jsdom has neither.
  Element.prototype.hasPointerCapture ??= () => false;
  Element.prototype.scrollIntoView ??= () => {};
});
afterEach(cleanup);

function show(onSelect: () => void) {
  render(
    <TooltipProvider>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label="More">…</IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuLabel>Skill</DropdownMenuLabel>
          <DropdownMenuItem onSelect={onSelect}>Export</DropdownMenuItem>
          <DropdownMenuItem>Delete</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
    </TooltipProvider>,
  );
  return screen.getByRole("button", { name: "More" });
}

test("opens by keyboard on its first item, and gives the focus back to its button", async () => {
  const onSelect = vi.fn();
  const user = userEvent.setup();
  const button = show(onSelect);
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await user.tab();
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Enter}");
  expect(button.getAttribute("aria-expanded")).toBe("true");
  const menu = screen.getByRole("menu", { name: "More" });
  expect(button.getAttribute("aria-controls")).toBe(menu.id);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Export"));
  await user.keyboard("{ArrowDown}{ArrowUp}{Enter}");
  expect(onSelect).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(document.activeElement).toBe(button);
});

test("opens and closes by its button, and closes by Escape", async () => {
  const user = userEvent.setup();
  const button = show(() => {});
  await user.click(button);
  expect(screen.getByRole("menu")).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});
