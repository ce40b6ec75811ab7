import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { SchedulesPage } from "./schedules-page";

const refusal = {
  code: "invalid",
  detail: "The body is not valid.",
  errors: [{ path: "skill", message: "there is no such skill" }],
};
const fetchMock = vi.fn<typeof fetch>(async (path, init) => {
  if (init?.method === "POST") return Response.json(refusal, { status: 422 });
  if (String(path).startsWith("/api/schedules/preview")) return Response.json({ next: ["2030-01-01T09:00:00.000Z"] });
  if (String(path).startsWith("/api/skills/")) return Response.json({ detail: "Not found." }, { status: 404 });
  return Response.json({ items: [], nextCursor: null });
});

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  vi.stubGlobal("ResizeObserver", Observer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test("sends the form and shows the server's error at its field", async () => {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ToastProvider>
        <SchedulesPage />
      </ToastProvider>
    </QueryClientProvider>,
  );
  await screen.findByText("No schedules yet");
  await user.click(screen.getByRole("button", { name: "New schedule" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New schedule" }));
  await user.type(dialog.getByLabelText("Name"), "Nightly");
  await user.type(dialog.getByLabelText("Skill"), "tidy-up");
  await user.selectOptions(dialog.getByLabelText("Repeats"), "Hourly");
  await user.selectOptions(dialog.getByLabelText("Time zone"), "Europe/Berlin");
  await user.click(dialog.getByLabelText("Run once after the server missed scheduled times"));
  await user.click(dialog.getByRole("button", { name: "Create schedule" }));

  expect(await dialog.findByText("there is no such skill")).toBeTruthy();
  expect(dialog.queryByText("The schedule was not saved")).toBeNull();
  const [, init] = fetchMock.mock.calls.find(([, call]) => call?.method === "POST") ?? [];
  expect(JSON.parse(String(init?.body))).toEqual({
    ...{ name: "Nightly", skill: "tidy-up", cron: "0 * * * *", timeZone: "Europe/Berlin" },
    ...{ overlap: "skip", catchUp: true, args: {} },
  });
});
