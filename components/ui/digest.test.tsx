import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { Digest } from "./digest";
import { TooltipProvider } from "./tooltip";

afterEach(cleanup);

const whole = "3f2c9abd83a9c8e07c1f4b2a6d5e99aa00112233445566778899aabbccddeeff";

test("shows seven characters and copies the whole", async () => {
  const user = userEvent.setup();
  render(<Digest value={`sha256:${whole}`} label="version" />, { wrapper: TooltipProvider });
  const button = screen.getByRole("button", { name: "Copy version 3f2c9ab" });
  expect(button.textContent).toBe("3f2c9ab");
  await user.click(button);
  expect(await navigator.clipboard.readText()).toBe(`sha256:${whole}`);
  expect(await screen.findByRole("button", { name: "Copied version 3f2c9ab" })).toBe(button);
});
