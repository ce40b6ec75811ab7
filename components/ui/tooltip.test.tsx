import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { IconButton } from "./icon-button";
import { TooltipProvider } from "./tooltip";

afterEach(cleanup);

function show() {
  render(
    <TooltipProvider>
      <IconButton label="Copy">c</IconButton>
      <button type="button">Next</button>
    </TooltipProvider>,
  );
  return screen.getByRole("button", { name: "Copy" });
}

test("describes the button that the keyboard reaches, until the focus goes on", async () => {
  const user = userEvent.setup();
  const button = show();
  expect(button.hasAttribute("aria-describedby")).toBe(false);
  await user.tab();
  const tooltip = await screen.findByRole("tooltip");
  expect(tooltip.textContent).toBe("Copy");
  expect(button.getAttribute("aria-describedby")).toBe(tooltip.id);
  await user.tab();
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  expect(button.hasAttribute("aria-describedby")).toBe(false);
});

test("shows after a moment under the pointer, and goes by a press", async () => {
  const user = userEvent.setup();
  const button = show();
  await user.hover(button);
  expect(screen.queryByRole("tooltip")).toBeNull();
  await screen.findByRole("tooltip");
  await user.pointer({ keys: "[MouseLeft]", target: button });
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
});
