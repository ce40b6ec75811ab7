import { cleanup, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { EarlyKeys, takeEarlyKeys } from "./early-keys";

afterEach(cleanup);

test("keeps what is typed before the palette is there, once, and lets no shortcut have it", async () => {
  const shortcuts = vi.fn();
  document.addEventListener("keydown", shortcuts);
  const user = userEvent.setup();
  const { unmount } = render(<EarlyKeys />);
  await user.keyboard("cou x{Backspace}nt");
  expect(shortcuts).not.toHaveBeenCalled();
  unmount();
  await user.keyboard("g");
  expect(shortcuts).toHaveBeenCalledTimes(1);
  document.removeEventListener("keydown", shortcuts);
  expect(takeEarlyKeys()).toBe("cou nt");
  expect(takeEarlyKeys()).toBe("");
});
