import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, configure, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { InstallDialog } from "./install-dialog";
import { useInstall } from "./use-install";

const report = {
  ...{ entryId: "e1", skillId: null, name: "pdf-forms", folder: "skills/pdf-forms", files: 3, bytes: 422 },
  ...{ commit: "a".repeat(40), at: "2026-01-01T00:00:00.000Z", notes: [] },
};
const asked: { id: string; owner: string; progressId: string }[] = [];
let answer: () => Response = () => HttpResponse.json({});
let release: () => void = () => {};
let held: Promise<void> = Promise.resolve();

const server = setupServer(
  http.post("*/api/catalog/install", async ({ request }) => {
    asked.push((await request.json()) as (typeof asked)[number]);
    await held;
    return answer();
  }),
  http.get("*/api/catalog/install/:id", ({ params }) =>
    HttpResponse.json({
      id: params.id,
      state: "running",
      done: 2,
      total: 3,
      current: "scripts/fields.py",
      error: null,
    }),
  ),
  http.get("*/api/me", () => HttpResponse.json({}, { status: 503 })),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
beforeEach(() => {
  asked.length = 0;
  held = new Promise((resolve) => {
    release = resolve;
  });
});
afterEach(cleanup);

function Page() {
  const install = useInstall();
  return (
    <>
      <button type="button" onClick={() => install.start({ id: "e1", name: "pdf-forms" }, "org")}>
        go
      </button>
      <InstallDialog install={install} />
    </>
  );
}

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Page />
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

describe("InstallDialog", () => {
  it("shows the progress, then that the skill is disabled and pending review", async () => {
    answer = () =>
      HttpResponse.json(
        { skills: [], reports: [{ ...report, outcome: "installed" }], summary: "1 skill installed." },
        { status: 201 },
      );
    show();
    await userEvent.click(screen.getByRole("button", { name: "go" }));
    await screen.findByText("scripts/fields.py");
    expect(screen.getByRole("progressbar", { name: "Install" }).getAttribute("aria-valuenow")).toBe("2");
    expect(asked[0]).toMatchObject({ id: "e1", owner: "org" });
    await act(async () => release());
    await screen.findByRole("heading", { name: "Installed, switched off" });
    expect(screen.getByText("Pending review")).toBeTruthy();
    expect(screen.getByText("1 skill installed.")).toBeTruthy();
  });

  it("shows that the skill is already installed", async () => {
    answer = () =>
      HttpResponse.json({ skills: [], reports: [{ ...report, outcome: "known" }], summary: "" }, { status: 201 });
    release();
    show();
    await userEvent.click(screen.getByRole("button", { name: "go" }));
    await screen.findByRole("heading", { name: "Already installed" });
  });

  it("shows why nothing was installed, and retries as a new install", async () => {
    answer = () =>
      HttpResponse.json(
        {
          type: "about:blank",
          title: "Conflict",
          status: 409,
          code: "conflict",
          detail: "There is a skill of this name.",
        },
        { status: 409, headers: { "content-type": "application/problem+json" } },
      );
    release();
    show();
    await userEvent.click(screen.getByRole("button", { name: "go" }));
    await screen.findByText("There is a skill of this name.");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]?.progressId).not.toBe(asked[0]?.progressId);
    expect(asked[1]).toMatchObject({ id: "e1", owner: "org" });
  });
});
