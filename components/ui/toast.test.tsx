import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { ToastInput } from "./deferred/toast-list";
import { ToastProvider, useToast } from "./toast";

beforeAll(() => {
  // jsdom has no pointer capture, which Radix needs for toasts that can be swiped.
  Element.prototype.hasPointerCapture ??= () => false;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Button({ input }: { input: ToastInput }) {
  const { toast } = useToast();
  return (
    <button type="button" onClick={() => toast(input)}>
      Act
    </button>
  );
}

const show = (input: ToastInput) =>
  render(
    <ToastProvider>
      <Button input={input} />
    </ToastProvider>,
  );

test("undo runs once and takes the message away", async () => {
  const undo = vi.fn();
  const user = userEvent.setup();
  show({ title: "csv-summary is off.", undo });
  await user.click(screen.getByRole("button", { name: "Act" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Undo" })).toBeNull());
});

test("an undo stays ten seconds, a plain message five", async () => {
  vi.useFakeTimers();
  show({ title: "Saved." });
  act(() => screen.getByRole("button", { name: "Act" }).click());
  expect(screen.queryAllByText("Saved.").length).toBeGreaterThan(0);
  act(() => vi.advanceTimersByTime(5_100));
  expect(screen.queryAllByText("Saved.")).toHaveLength(0);
  cleanup();

  show({ title: "Off.", undo: () => {} });
  act(() => screen.getByRole("button", { name: "Act" }).click());
  act(() => vi.advanceTimersByTime(9_000));
  expect(screen.queryAllByText("Off.").length).toBeGreaterThan(0);
  act(() => vi.advanceTimersByTime(1_100));
  expect(screen.queryAllByText("Off.")).toHaveLength(0);
});

test("no more than three messages stand at once", async () => {
  const user = userEvent.setup();
  show({ title: "Again." });
  for (let count = 0; count < 5; count++) await user.click(screen.getByRole("button", { name: "Act" }));
  expect(screen.getAllByRole("button", { name: "Dismiss" })).toHaveLength(3);
});
