import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/lib/client/api";
import { ConfirmDialog } from "./confirm-dialog";

afterEach(cleanup);

function Example({ onConfirm }: { onConfirm: () => unknown }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Delete csv-summary?"
        description="Its versions stay readable."
        confirmLabel="Delete skill"
        tone="danger"
        onConfirm={onConfirm}
      />
    </>
  );
}

test("starts on Cancel and gives the focus back", async () => {
  const user = userEvent.setup();
  render(<Example onConfirm={() => {}} />);
  await user.click(screen.getByRole("button", { name: "Open" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cancel" }));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Open" })));
});

test("closes when the action worked", async () => {
  const user = userEvent.setup();
  const onConfirm = vi.fn(async () => {});
  render(<Example onConfirm={onConfirm} />);
  await user.click(screen.getByRole("button", { name: "Open" }));
  await user.click(screen.getByRole("button", { name: "Delete skill" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(onConfirm).toHaveBeenCalledTimes(1);
});

test("stays and says why when it did not", async () => {
  const user = userEvent.setup();
  const refusal = new ApiError({ status: 409, code: "conflict", detail: "A run of it is not finished." });
  render(<Example onConfirm={() => Promise.reject(refusal)} />);
  await user.click(screen.getByRole("button", { name: "Open" }));
  await user.click(screen.getByRole("button", { name: "Delete skill" }));
  expect((await screen.findByRole("alert")).textContent).toBe("A run of it is not finished.");
});
