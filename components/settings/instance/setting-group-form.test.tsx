import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { SettingGroupForm } from "./setting-group-form";

configure({ asyncUtilTimeout: 10_000 });

const settings = [
  { key: "maxTimeoutSeconds", type: "integer", value: 300, default: 300, description: "Maximum time limit." },
  { key: "warmStarts", type: "boolean", value: true, default: true, description: "Prewarms." },
  { key: "joinDomains", type: "string", value: "", default: "", description: "Domains." },
];

const sent: unknown[] = [];

function show(status = 200) {
  sent.length = 0;
  vi.stubGlobal("fetch", async (_path: string, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    const problem = { code: "invalid", detail: "x", errors: [{ path: "joinDomains", message: "must be known" }] };
    return Response.json(status === 200 ? { values: {}, settings: [] } : problem, { status });
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SettingGroupForm id="runs" title="Runs" description="Limits." settings={settings} />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("saves the changed settings of a group with one request", async () => {
  const user = show();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  await user.clear(screen.getByLabelText("Max run time (seconds)"));
  await user.type(screen.getByLabelText("Max run time (seconds)"), "60");
  await user.click(screen.getByRole("switch", { name: "Warm starts" }));
  screen.getByText("2 changes not saved");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual([{ maxTimeoutSeconds: 60, warmStarts: false }]));
});

test("shows each default, and takes changes back", async () => {
  const user = show();
  screen.getByText("Maximum time limit. Default: 300 s.");
  screen.getByText("Prewarms. Default: on.");
  screen.getByText("Domains. Default: empty.");
  await user.type(screen.getByLabelText("Max run time (seconds)"), "0");
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect((screen.getByLabelText("Max run time (seconds)") as HTMLInputElement).value).toBe("300");
  expect(sent).toEqual([]);
});

test.each([
  ["", "Enter a whole number."],
  ["0", "Enter at least 1."],
  ["9999", "Enter at most 3600."],
])("a time limit of %j stays here with the reason at its field", async (typed, reason) => {
  const user = show();
  const field = screen.getByLabelText("Max run time (seconds)");
  await user.clear(field);
  if (typed !== "") await user.type(field, typed);
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(reason);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(sent).toEqual([]);
});

test("shows the server's reason at the field", async () => {
  const user = show(422);
  await user.type(screen.getByLabelText("Email domains that may join"), "example.org");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("This setting must be known.");
});
