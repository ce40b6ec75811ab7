import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Dialog } from "@/components/ui/dialog";
import { ModelForm } from "./model-form";

const refusal = { code: "invalid", detail: "x", errors: [{ path: "name", message: "is taken" }] };
const fetchMock = vi.fn<typeof fetch>(async (_path, init) =>
  init?.method === "POST" ? Response.json(refusal, { status: 422 }) : Response.json({ items: [], nextCursor: null }),
);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("shows the errors of a new credential at its own fields", async () => {
  vi.stubGlobal("fetch", fetchMock);
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Dialog open>
        <ModelForm endpoint={null} onDone={() => {}} />
      </Dialog>
    </QueryClientProvider>,
  );
  await user.selectOptions(screen.getByLabelText("API key"), "Store a new key…");
  await user.type(screen.getByLabelText("Credential name"), "openai");
  await user.click(screen.getByRole("button", { name: "Add endpoint" }));
  expect(await screen.findByText("is taken")).toBeTruthy();
  expect(screen.getByLabelText("Credential name").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByLabelText("Name").getAttribute("aria-invalid")).toBeNull();
  const posts = fetchMock.mock.calls.filter(([, init]) => init?.method === "POST").map(([path]) => path);
  expect(posts).toEqual(["/api/admin/credentials"]);
});
