import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ConsentForm } from "./consent-form";
import { goTo } from "./go-to";

vi.mock("./go-to", () => ({ goTo: vi.fn() }));

const request = {
  ...{ client_id: "sgc_1", redirect_uri: "http://127.0.0.1:5/cb?a=1", response_type: "code" },
  ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256", state: "s" },
};
const persona = { id: "p1", name: "Reader", permissionMode: "read-only", allow: ["notes-*"], deny: ["notes-secret"] };
const consent = {
  client: { id: "sgc_1", name: "Some editor" },
  leadsTo: "http://127.0.0.1:5/cb",
  scopes: ["read", "run"],
  personas: [persona, { ...persona, id: "p2", name: "Other" }],
  problem: null as { message: string; returnTo: string } | null,
};
const posted: unknown[] = [];

function open(answer: object) {
  vi.stubGlobal("fetch", async (_path: string, { method, body }: RequestInit) => {
    if (method !== "POST") return Response.json(answer);
    posted.push(JSON.parse(String(body)));
    return Response.json({ returnTo: "http://127.0.0.1:5/cb?code=c" });
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ConsentForm request={request} personName="Priya" />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  posted.length = 0;
});

test("shows the redirect address and the rights of the chosen persona, and authorises the program", async () => {
  const user = open(consent);
  await screen.findByRole("heading", { name: "Authorise “Some editor”?" });
  expect(screen.getByText("http://127.0.0.1:5/cb")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Authorise" }));
  expect(screen.getByText("Choose a persona.")).toBeTruthy();
  expect(posted).toEqual([]);
  await user.selectOptions(screen.getByLabelText("Persona"), "Reader");
  expect(screen.getByText(/It may use notes-\*, but not notes-secret\./)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Expires after"), "7 days");
  await user.click(screen.getByRole("button", { name: "Authorise" }));
  await vi.waitFor(() => expect(goTo).toHaveBeenCalledWith("http://127.0.0.1:5/cb?code=c"));
  expect(posted).toEqual([{ decision: "allow", request, persona: "p1", days: 7 }]);
});

test("denying needs no persona", async () => {
  const user = open(consent);
  await user.click(await screen.findByRole("button", { name: "Deny" }));
  await vi.waitFor(() => expect(goTo).toHaveBeenCalled());
  expect(posted).toEqual([{ decision: "deny", request }]);
});

test("shows the error of the program and a button to return to it", async () => {
  const user = open({
    ...consent,
    problem: { message: "PKCE is required.", returnTo: "http://127.0.0.1:5/cb?error=e" },
  });
  expect(await screen.findByText("PKCE is required.")).toBeTruthy();
  expect(goTo).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Return to the program" }));
  expect(goTo).toHaveBeenCalledWith("http://127.0.0.1:5/cb?error=e");
});

test("tells the person to ask an admin when there is no persona", async () => {
  open({ ...consent, personas: [] });
  expect(await screen.findByText(/An admin adds one/)).toBeTruthy();
});
