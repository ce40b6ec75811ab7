import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { forgingIssuer } from "@/lib/testing/providers/forging-issuer";
import { land, signInBrowsers } from "@/lib/testing/providers/sign-in-browser";
import { testServer } from "@/lib/testing/test-server";
import * as authRoute from "./[...nextauth]/route";

vi.mock("@/lib/auth/providers/read-providers", async (original) => ({
  ...(await original<object>()),
  PROVIDER_TIMEOUT_MS: 1_000,
}));

const SITE = "http://127.0.0.1:3000";
const { call, database } = await testServer([["/api/auth/[...nextauth]", authRoute]]);
const browser = signInBrowsers(call);
const provider = await forgingIssuer("here");
logger.level = "silent";

beforeAll(() => {
  vi.stubEnv("NEXTAUTH_URL", SITE);
  vi.stubEnv("OIDC_ISSUER", provider.issuer);
  vi.stubEnv("OIDC_CLIENT_ID", "here");
  vi.stubEnv("OIDC_CLIENT_SECRET", "secret");
});
afterEach(() => {
  provider.state.forgery = {};
});
afterAll(() => provider.close());

const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

/** Returns the query with which a provider redirects the browser of an invited person, with `change` applied. */
async function comeBack(change: Record<string, string> = {}) {
  const [sub, at] = [newId(), new Date()];
  const data = { id: sub, email: `${sub}@example.test`, name: "Ida", role: "user", state: "invited" };
  await database.writer.user.create({ data: { ...data, createdAt: at, updatedAt: at } });
  const { begin, send, person } = browser();
  const asked = new URL(await begin("oidc")).searchParams;
  const [state, nonce] = [asked.get("state") ?? "", asked.get("nonce")];
  const query = new URLSearchParams({ state, code: `${nonce}.${sub}`, ...change });
  const page = land(await send("GET", `/api/auth/callback/oidc?${query}`));
  return { page, person, email: data.email };
}

async function expectRefused(code: string, change?: Record<string, string>) {
  const { page, person } = await comeBack(change);
  expect(page).toBe(`/sign-in?error=${code}&provider=oidc`);
  expect(await person()).toBeNull();
}

test("a valid answer signs the person in, and the server sends the verifier of its challenge", async () => {
  const { page, person, email } = await comeBack();
  expect(page).toBe("/");
  expect(await person()).toBe(email);
  const form = provider.state.exchanged.at(-1);
  expect(form?.get("redirect_uri")).toBe(`${SITE}/api/auth/callback/oidc`);
  expect(form?.get("code_verifier")?.length).toBeGreaterThan(40);
});

test.each([
  ["another nonce", { claims: { nonce: "another" } }],
  ["no nonce", { claims: { nonce: undefined } }],
  ["another issuer", { claims: { iss: "https://evil.example.test" } }],
  ["another audience", { claims: { aud: "somebody-else" } }],
  ["two audiences and none authorized", { claims: { aud: ["here", "somebody-else"] } }],
  ["a time that is over", { claims: { iat: seconds(-600), exp: seconds(-300) } }],
  ["a time to come", { claims: { iat: seconds(600), exp: seconds(900), nbf: seconds(600) } }],
  ["no end", { claims: { exp: undefined } }],
  ["no subject", { claims: { sub: undefined } }],
  ["no signature", { header: { alg: "none" } }],
  ["the client’s secret as key", { header: { alg: "HS256" } }],
  ["a key that is not published", { foreignKey: true }],
  ["no id token", { tokenBody: JSON.stringify({ access_token: "unused", token_type: "Bearer" }) }],
])("an id token with %s is not trusted", async (_what, forgery) => {
  provider.state.forgery = forgery;
  await expectRefused("ProviderAnswerRejected");
});

test.each([-8, 8])("clocks may differ by %i seconds", async (skew) => {
  provider.state.forgery = { claims: { iat: seconds(skew), nbf: seconds(skew), exp: seconds(skew + 4) } };
  expect((await comeBack()).page).toBe("/");
});

test("a provider may change its keys at any time", async () => {
  expect((await comeBack()).page).toBe("/");
  provider.rotate();
  expect((await comeBack()).page).toBe("/");
});

test.each([
  ["ProviderUnavailable", { tokenStatus: 500 }],
  ["ProviderUnavailable", { tokenBody: "<html>Sorry</html>" }],
  ["ProviderUnavailable", { hangs: true }],
  ["SignInExpired", { tokenStatus: 400 }],
  ["ProviderAnswerRejected", { tokenStatus: 401 }],
])("%s: the exchange of the code fails with %o", async (code, forgery) => {
  provider.state.forgery = forgery;
  await expectRefused(code);
});

test.each([
  ["SignInExpired", { state: "another" }],
  ["SignInExpired", { state: "" }],
  ["ProviderAnswerRejected", { iss: "https://evil.example.test" }],
  ["ProviderDenied", { error: "access_denied" }],
  ["ProviderUnavailable", { error: "temporarily_unavailable" }],
  ["ProviderAnswerRejected", { error: "<script>" }],
])("%s: the browser comes back with %o", async (code, change) => {
  const asked = provider.state.exchanged.length;
  await expectRefused(code, change as Record<string, string>);
  expect(provider.state.exchanged).toHaveLength(asked);
});

test("nothing at all is no answer", async () => {
  expect(land(await browser().send("GET", "/api/auth/callback/oidc"))).toBe(
    "/sign-in?error=ProviderAnswerRejected&provider=oidc",
  );
});

test("a provider that cannot be reached is said to be so before anybody is sent there", async () => {
  vi.stubEnv("OIDC_ISSUER", "http://127.0.0.1:1");
  expect(await browser().begin("oidc")).toBe("/sign-in?error=ProviderUnavailable&provider=oidc");
  vi.stubEnv("OIDC_ISSUER", provider.issuer);
});

test("each failed sign-in that this server began is one event; answers that belong to no sign-in are counted", async () => {
  const of = (action: string) => database.reader.auditEvent.findMany({ where: { action } });
  const [failed, refused] = [(await of("sign_in.fail")).length, (await of("request.refuse")).length];
  await expectRefused("ProviderDenied", { error: "access_denied" });
  expect((await of("sign_in.fail")).slice(failed)).toMatchObject([
    { actorKind: "anonymous", outcome: "refused", rule: "ProviderDenied" },
  ]);
  for (let i = 0; i < 3; i++) await browser().send("GET", "/api/auth/callback/oidc?error=access_denied");
  expect(await of("sign_in.fail")).toHaveLength(failed + 1);
  expect((await of("request.refuse")).length - refused).toBeLessThan(2);
});

test("an address that keeps asking is told to wait", async () => {
  const { send } = browser();
  let page = "";
  for (let i = 0; i <= 120 && !page.includes("Throttled"); i++) {
    page = land(await send("GET", "/api/auth/callback/oidc?error=access_denied"));
  }
  expect(page).toBe("/sign-in?error=Throttled&provider=oidc");
});
