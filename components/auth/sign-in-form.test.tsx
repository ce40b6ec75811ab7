import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { SignInWays } from "@/lib/auth/providers/schema";
import { goTo } from "./go-to";
import { SignInForm } from "./sign-in-form";

vi.mock("./go-to", () => ({ goTo: vi.fn() }));

let answer: () => Response;
const fetchMock = vi.fn<typeof fetch>(async (path) =>
  path === "/api/auth/csrf" ? Response.json({ csrfToken: "c1" }) : answer(),
);

beforeEach(() => vi.stubGlobal("fetch", fetchMock));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const byPassword: SignInWays = { password: true, providers: [] };
const providers: SignInWays["providers"] = [
  { id: "oidc", name: "Quarry ID" },
  { id: "github", name: "GitHub" },
];

async function signIn(next: string | null = null) {
  const user = userEvent.setup();
  render(<SignInForm ways={byPassword} next={next} errorCode={null} />, { wrapper: TooltipProvider });
  await user.type(screen.getByLabelText("Email"), "mara@example.org");
  await user.type(screen.getByLabelText("Password"), "correct horse battery");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
}

test("posts the form with the CSRF token and opens the requested page", async () => {
  answer = () => Response.json({ url: "http://elsewhere.example/skills" });
  await signIn("/runs?state=failed");
  await vi.waitFor(() => expect(goTo).toHaveBeenCalledWith("/runs?state=failed"));
  const [path, init] = fetchMock.mock.calls[1] ?? [];
  expect(path).toBe("/api/auth/callback/credentials");
  expect(Object.fromEntries(init?.body as URLSearchParams)).toEqual({
    email: "mara@example.org",
    password: "correct horse battery",
    csrfToken: "c1",
    json: "true",
  });
});

test("never leaves for another site", async () => {
  answer = () => Response.json({ url: "http://localhost/" });
  await signIn("//evil.example/");
  await vi.waitFor(() => expect(goTo).toHaveBeenCalledWith("/skills"));
});

test("shows the same error for an unknown person and a wrong password", async () => {
  answer = () => Response.json({ url: "http://localhost/api/auth/signin?error=CredentialsSignin" }, { status: 401 });
  await signIn();
  expect((await screen.findByRole("alert")).textContent).toBe("The email or the password is wrong.");
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("mara@example.org");
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("");
  expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  expect(goTo).not.toHaveBeenCalled();
});

test("says how long to wait after too many attempts", async () => {
  answer = () => Response.json({ url: "" }, { status: 429, headers: { "retry-after": "240" } });
  await signIn();
  expect((await screen.findByRole("alert")).textContent).toBe("Too many attempts. Try again in 4 min.");
});

test("says when the server cannot be reached", async () => {
  answer = () => {
    throw new TypeError("Failed to fetch");
  };
  await signIn();
  expect((await screen.findByRole("alert")).textContent).toBe("The server cannot be reached.");
});

test("offers the providers in their order before the password, and no password where there is none", () => {
  const { rerender } = render(<SignInForm ways={{ password: true, providers }} next={null} errorCode={null} />, {
    wrapper: TooltipProvider,
  });
  const names = () => screen.getAllByRole("button").flatMap(({ textContent }) => textContent || []);
  expect(names()).toEqual(["Continue with Quarry ID", "Continue with GitHub", "Sign in"]);
  rerender(<SignInForm ways={{ password: false, providers }} next={null} errorCode={null} />);
  expect(names()).toEqual(["Continue with Quarry ID", "Continue with GitHub"]);
  expect(screen.queryByLabelText("Password")).toBeNull();
});

test("opens the provider with the return page", async () => {
  answer = () => Response.json({ url: "https://github.example/login?state=s" });
  render(<SignInForm ways={{ password: true, providers }} next="//evil.example" errorCode={null} />, {
    wrapper: TooltipProvider,
  });
  await userEvent.setup().click(screen.getByRole("button", { name: "Continue with GitHub" }));
  await vi.waitFor(() => expect(goTo).toHaveBeenCalledWith("https://github.example/login?state=s"));
  const [path, init] = fetchMock.mock.calls[1] ?? [];
  expect(path).toBe("/api/auth/signin/github");
  expect(Object.fromEntries(init?.body as URLSearchParams)).toEqual({
    callbackUrl: "/skills",
    csrfToken: "c1",
    json: "true",
  });
});

test("shows why a provider refused or could not be reached", async () => {
  answer = () => Response.json({ url: "/sign-in?error=ProviderUnavailable&provider=github" }, { status: 401 });
  render(<SignInForm ways={{ password: true, providers }} next={null} errorCode="NotInvited" errorProvider="oidc" />, {
    wrapper: TooltipProvider,
  });
  expect(screen.getByRole("alert").textContent).toContain("Your Quarry ID account is not invited here");
  await userEvent.setup().click(screen.getByRole("button", { name: "Continue with GitHub" }));
  expect((await screen.findByText(/GitHub could not be reached/)).closest("[role=alert]")).not.toBeNull();
  expect(goTo).not.toHaveBeenCalled();
});
