import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { goTo } from "./go-to";
import { SetupForm } from "./setup-form";

vi.mock("./go-to", () => ({ goTo: vi.fn() }));

const answers: Record<string, () => Response> = {};
const fetchMock = vi.fn<typeof fetch>(async (path) => answers[String(path)]?.() ?? new Response(null, { status: 404 }));

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  answers["/api/auth/csrf"] = () => Response.json({ csrfToken: "c1" });
  answers["/api/auth/callback/credentials"] = () => Response.json({ url: "http://localhost/" });
  answers["/api/setup"] = () => Response.json({ id: "1" }, { status: 201 });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

function refuse(status: number, body: object): () => Response {
  return () => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/problem+json" } });
}

async function setUp(password: string) {
  const user = userEvent.setup();
  render(<SetupForm token="t1" />, { wrapper: TooltipProvider });
  await user.type(screen.getByLabelText("Name"), "Mara");
  await user.type(screen.getByLabelText("Email"), "mara@example.org");
  await user.type(screen.getByLabelText("Password"), password);
  await user.click(screen.getByRole("button", { name: "Create admin and sign in" }));
}

test("creates the admin and signs in", async () => {
  await setUp("a sentence to remember");
  await vi.waitFor(() => expect(goTo).toHaveBeenCalledWith("/skills"));
  const [, init] = fetchMock.mock.calls[0] ?? [];
  expect(JSON.parse(String(init?.body))).toEqual({
    token: "t1",
    name: "Mara",
    email: "mara@example.org",
    password: "a sentence to remember",
  });
});

test("a short password does not reach the server", async () => {
  await setUp("short");
  expect(await screen.findByText("Use at least 12 characters; this has 5.")).toBeTruthy();
  expect(fetchMock).not.toHaveBeenCalled();
});

test("shows the server's message at its field", async () => {
  const message = "is one of the most common passwords. Choose another one";
  answers["/api/setup"] = refuse(422, { code: "invalid", detail: "x", errors: [{ path: "password", message }] });
  await setUp("password1234");
  expect(await screen.findByText(`Password ${message}.`)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([404, 409, 410])("a link answered with %i shows its own page", async (status) => {
  answers["/api/setup"] = refuse(status, { code: "conflict", detail: "This server is set up already." });
  await setUp("a sentence to remember");
  expect(await screen.findByRole("heading", { name: "This set-up link is invalid" })).toBeTruthy();
  expect(screen.getByText("This server is set up already.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to sign-in" }).getAttribute("href")).toBe("/sign-in");
});
