import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import * as connectedRoute from "@/app/api/me/sign-ins/[id]/route";
import * as connectedListRoute from "@/app/api/me/sign-ins/route";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { createCtx } from "@/lib/db/context";
import type { Settings } from "@/lib/settings/schema";
import { updateSettings } from "@/lib/settings/update-settings";
import { browserOf } from "@/lib/testing/browser-of";
import { gitHubServer } from "@/lib/testing/providers/github-server";
import { openIdServer } from "@/lib/testing/providers/openid-server";
import { land, signInBrowsers } from "@/lib/testing/providers/sign-in-browser";
import { testServer } from "@/lib/testing/test-server";
import * as authRoute from "./[...nextauth]/route";

const SITE = "http://127.0.0.1:3000";
const client = (id: string, provider: string) => ({
  id,
  secret: `secret-of-${id}`,
  redirectUri: `${SITE}/api/auth/callback/${provider}`,
});
const { call, person, database } = await testServer([
  ["/api/auth/[...nextauth]", authRoute],
  ["/api/me/sign-ins", connectedListRoute],
  ["/api/me/sign-ins/[id]", connectedRoute],
]);
const browser = signInBrowsers(call);
logger.level = "silent";
const openId = await openIdServer([client("here", "oidc"), client("there", "google")]);
const gitHub = await gitHubServer({ id: "app", secret: "secret-of-app" });
const admin = await person("admin");

beforeAll(() => {
  vi.stubEnv("NEXTAUTH_URL", SITE);
  for (const [name, id] of [
    ["OIDC", "here"],
    ["GOOGLE", "there"],
    ["GITHUB", "app"],
  ]) {
    vi.stubEnv(`${name}_CLIENT_ID`, id);
    vi.stubEnv(`${name}_CLIENT_SECRET`, `secret-of-${id}`);
  }
  vi.stubEnv("OIDC_ISSUER", openId.issuer);
  vi.stubEnv("OIDC_SCOPE", "openid email profile groups");
  vi.stubEnv("GOOGLE_ISSUER", openId.issuer);
  vi.stubEnv("GITHUB_URL", gitHub.url);
  vi.stubEnv("GITHUB_API_URL", `${gitHub.url}/api`);
});
afterEach(() => database.writer.setting.deleteMany().then(() => set({ instanceName: newId() })));
afterAll(() => {
  openId.close();
  gitHub.close();
});

async function set(settings: Partial<Settings>): Promise<void> {
  const row = await database.reader.user.findUniqueOrThrow({ where: { id: admin.id } });
  const { id: userId, name, email } = row;
  const actor = { kind: "user", userId, name, email, role: "admin", sessionId: newId() } as const;
  await updateSettings(createCtx({ actor, database }), settings);
}

async function invited(role = "reviewer") {
  const [id, at] = [newId(), new Date()];
  const data = { id, email: `${id}@example.test`, name: "Ida", role, state: "invited", createdAt: at, updatedAt: at };
  return database.writer.user.create({ data });
}

/** Returns the cookie of another session of this person. */
async function sessionCookie(userId: string): Promise<string | undefined> {
  const { cookie = "" } = await browserOf(database, userId);
  return cookie.split("=")[1];
}

const byEmail = (email: string) => database.reader.user.findUnique({ where: { email } });
const emailOf = async (id: string) => (await database.reader.user.findUniqueOrThrow({ where: { id } })).email;
const actionsOn = async (targetId: string) =>
  (await database.reader.auditEvent.findMany({ where: { targetId }, orderBy: { seq: "asc" } })).map(
    ({ action, rule }) => (rule === null ? action : `${action} ${rule}`),
  );

/** Sets the person who signs in at the OpenID Connect provider and at Google. */
function be(email: string, claims: Record<string, unknown> = {}) {
  openId.state.account = { sub: newId(), email, email_verified: true, name: "Ida Bell", ...claims };
}

/** Sets the person who signs in at GitHub. */
function beOctocat(email: string, change: { verified?: boolean; organisations?: Record<string, string> } = {}) {
  const user = { id: Math.floor(Math.random() * 1e9), login: "octocat", email: "typed@example.test" };
  const { verified = true, organisations = {} } = change;
  const emails = [
    { email: "old@example.test", primary: false, verified: true },
    { email, primary: true, verified },
  ];
  gitHub.state.account = { user, emails, organisations };
}

test("an invited person joins with the provider, in the role they were invited for, and comes back", async () => {
  const ida = await invited();
  be(ida.email.toUpperCase());
  const { signIn, person: signedIn, send, jar } = browser();
  expect(await signIn("oidc", { callbackUrl: "/runs?state=failed" })).toBe("/runs?state=failed");
  expect(await signedIn()).toBe(ida.email);
  expect(await byEmail(ida.email)).toMatchObject({ state: "active", role: "reviewer", passwordHash: null });
  expect([...jar.keys()].filter((name) => /state|pkce|nonce|connect/.test(name))).toEqual([]);

  const again = browser();
  expect(await again.signIn("oidc")).toBe("/");
  expect(await again.person()).toBe(ida.email);
  expect(await actionsOn(ida.id)).toEqual(["user.join", "sign_in.connect"]);
  const sessions = await database.reader.auditEvent.findMany({ where: { action: "session.start", actorId: ida.id } });
  expect(sessions.map(({ summary }) => summary)).toEqual(Array(2).fill("signed in with Single sign-on"));

  const { items, hasPassword } = await (await send("GET", "/api/me/sign-ins")).json();
  expect(items).toMatchObject([{ provider: "oidc", providerName: "Single sign-on", label: ida.email.toUpperCase() }]);
  expect(hasPassword).toBe(false);
});

test("nothing that a provider issued is kept", async () => {
  const ida = await invited();
  beOctocat(ida.email);
  await browser().signIn("github");
  const row = await database.reader.connectedSignIn.findFirstOrThrow({ where: { userId: ida.id } });
  expect(Object.keys(row).sort()).toEqual(
    ["createdAt", "id", "issuer", "label", "lastUsedAt", "provider", "subject", "userId"].sort(),
  );
  const events = await database.reader.auditEvent.findMany({
    where: { OR: [{ targetId: ida.id }, { actorId: ida.id }] },
  });
  expect(events.length).toBeGreaterThan(2);
  expect(
    JSON.stringify([row, events], (_key, value) => (typeof value === "bigint" ? Number(value) : value)),
  ).not.toMatch(/gho_|eyJ/);
});

test.each([
  ["oidc", "EmailNotVerified", () => be("", { email_verified: false })],
  ["oidc", "EmailNotVerified", () => be("", { email: undefined })],
  ["google", "EmailNotVerified", () => be("", { hd: "elsewhere.test" })],
  ["github", "EmailNotVerified", () => beOctocat("", { verified: false })],
] as const)("%s: %s, and an invitation for that address stays open", async (provider, code, prepare) => {
  const ida = await invited();
  prepare();
  if (openId.state.account?.email === "") openId.state.account.email = ida.email;
  for (const address of gitHub.state.account.emails) if (address.primary) address.email = ida.email;
  const { signIn, person: signedIn } = browser();
  expect(await signIn(provider)).toBe(`/sign-in?error=${code}&provider=${provider}`);
  expect(await signedIn()).toBeNull();
  expect(await byEmail(ida.email)).toMatchObject({ state: "invited" });
});

test("Google answers for the addresses of an organisation it hosts", async () => {
  const ida = await invited();
  be(ida.email, { hd: "example.test" });
  const { signIn, person: signedIn } = browser();
  expect(await signIn("google")).toBe("/");
  expect(await signedIn()).toBe(ida.email);
});

test("a stranger is refused, and an event says so without their address", async () => {
  const email = `${newId()}@stranger.test`;
  be(email);
  expect(await browser().signIn("oidc")).toBe("/sign-in?error=NotInvited&provider=oidc");
  expect(await byEmail(email)).toBeNull();
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { rule: "NotInvited" } });
  expect(event).toMatchObject({ action: "sign_in.fail", outcome: "refused", actorKind: "anonymous" });
  expect(event.data).not.toContain(email);
});

test.each([
  ["oidc", { joinDomains: "Quarry.test, other.test" }, () => be("IDA@quarry.test"), "ida@quarry.test"],
  ["oidc", { joinGroups: "Staff" }, () => be("i@x.test", { groups: ["All", "Staff"] }), "i@x.test"],
  [
    "github",
    { joinOrganisations: "Quarry" },
    () => beOctocat("o@x.test", { organisations: { quarry: "active" } }),
    "o@x.test",
  ],
] as const)(
  "%s: a person admitted by %o joins as a user, and a claimed role is ignored",
  async (provider, settings, prepare, email) => {
    await set(settings);
    prepare();
    if (openId.state.account) Object.assign(openId.state.account, { role: "admin", roles: ["admin"] });
    const { signIn, person: signedIn } = browser();
    expect(await signIn(provider)).toBe("/");
    expect(await signedIn()).toBe(email);
    expect(await byEmail(email)).toMatchObject({ role: "user", state: "active" });
    expect(gitHub.state.scope).toBe(provider === "github" ? "read:user user:email read:org" : gitHub.state.scope);
  },
);

test("an invitation to an organisation that was not accepted is no membership", async () => {
  await set({ joinOrganisations: "quarry" });
  beOctocat(`${newId()}@x.test`, { organisations: { quarry: "pending" } });
  expect(await browser().signIn("github")).toBe("/sign-in?error=NotInvited&provider=github");
});

test("who is here already is not found by an address alone, unless the settings say so", async () => {
  const { id } = await person("admin");
  const email = await emailOf(id);
  be(email);
  expect(await browser().signIn("oidc")).toBe("/sign-in?error=ConnectFirst&provider=oidc");
  await set({ connectByEmail: true });
  const { signIn, person: signedIn } = browser();
  expect(await signIn("oidc")).toBe("/");
  expect(await signedIn()).toBe(email);
  expect(await actionsOn(id)).toEqual(["sign_in.fail ConnectFirst", "sign_in.connect"]);
});

test("the same subject of another issuer is another person", async () => {
  const ida = await invited();
  be(ida.email);
  await browser().signIn("oidc");
  await database.writer.connectedSignIn.updateMany({ where: { userId: ida.id }, data: { issuer: "https://old.test" } });
  expect(await browser().signIn("oidc")).toBe("/sign-in?error=ConnectFirst&provider=oidc");
});

test("a disabled person does not get in by their connected account", async () => {
  const ida = await invited();
  be(ida.email);
  const { signIn, person: signedIn } = browser();
  await signIn("oidc");
  await database.writer.user.update({ where: { id: ida.id }, data: { state: "disabled" } });
  expect(await signedIn()).toBeNull();
  expect(await signIn("oidc")).toBe("/sign-in?error=PersonDisabled&provider=oidc");
  expect(await signedIn()).toBeNull();
});

test("a signed-in person connects an account of another address, signs in with it, and disconnects it", async () => {
  const ida = await invited();
  be(ida.email);
  const { signIn, send } = browser();
  await signIn("oidc");
  beOctocat(`${newId()}@private.test`);
  expect(await signIn("github", { connect: "true" })).toBe("/settings?connected=github");
  expect(await browser().signIn("github")).toBe("/");

  const { items } = await (await send("GET", "/api/me/sign-ins")).json();
  const [first, second] = items as { id: string; label: string }[];
  expect(second?.label).toBe("octocat");
  expect((await send("DELETE", `/api/me/sign-ins/${second?.id}`)).status).toBe(204);
  expect(await browser().signIn("github")).toBe("/sign-in?error=NotInvited&provider=github");
  const last = await send("DELETE", `/api/me/sign-ins/${first?.id}`);
  expect(await last.json()).toMatchObject({ code: "conflict" });
  expect(await actionsOn(ida.id)).toEqual(["user.join", "sign_in.connect", "sign_in.connect", "sign_in.disconnect"]);
});

test("a person can neither connect nor disconnect an account of another person", async () => {
  const [ida, eve] = [await invited(), await invited()];
  be(ida.email);
  await browser().signIn("oidc");
  const ofIda = openId.state.account;
  const mine = await database.reader.connectedSignIn.findFirstOrThrow({ where: { userId: ida.id } });

  const { signIn, send } = browser();
  be(eve.email, { hd: "example.test" });
  await signIn("google");
  expect((await send("DELETE", `/api/me/sign-ins/${mine.id}`)).status).toBe(404);
  openId.state.account = ofIda;
  // The provider still has Eve's session in this browser.
  const fresh = browser();
  fresh.jar.set("next-auth.session-token", (await sessionCookie(eve.id)) ?? "");
  expect(await fresh.signIn("oidc", { connect: "true" })).toBe("/settings?error=AlreadyConnected&provider=oidc");
  expect(await database.reader.connectedSignIn.findUnique({ where: { id: mine.id } })).toMatchObject({
    userId: ida.id,
  });
});

test("a connection belongs to the session that asked for it", async () => {
  const ida = await invited();
  be(ida.email);
  const { jar, begin, follow, send, signIn } = browser();
  await signIn("oidc");
  beOctocat(`${newId()}@example.test`);
  const back = await follow(await begin("github", { connect: "true" }));
  jar.set("next-auth.session-token", (await sessionCookie((await invited()).id)) ?? "");
  await database.writer.user.updateMany({ where: { state: "invited" }, data: { state: "active" } });
  expect(land(await send("GET", back))).toBe("/sign-in?error=SessionRequired&provider=github");
  expect(
    await database.reader.connectedSignIn.count({ where: { provider: "github", label: "octocat", userId: ida.id } }),
  ).toBe(0);
});

test.each(["oidc", "github"])(
  "%s: what comes back in another browser than it began in is refused",
  async (provider) => {
    const ida = await invited();
    be(ida.email);
    beOctocat(ida.email);
    const [attacker, victim] = [browser(), browser()];
    const back = await attacker.follow(await attacker.begin(provider));
    expect(land(await victim.send("GET", back))).toBe(`/sign-in?error=SignInExpired&provider=${provider}`);
    await victim.begin(provider);
    expect(land(await victim.send("GET", back))).toBe(`/sign-in?error=SignInExpired&provider=${provider}`);
    expect(await victim.person()).toBeNull();
  },
);

test.each(["oidc", "github"])("%s: a code signs a person in once", async (provider) => {
  const ida = await invited();
  be(ida.email);
  beOctocat(ida.email);
  const { jar, begin, follow, send } = browser();
  const back = await follow(await begin(provider));
  const kept = new Map(jar);
  expect(land(await send("GET", back))).toBe("/");
  for (const [name, value] of kept) jar.set(name, value);
  expect(land(await send("GET", back))).toBe(`/sign-in?error=SignInExpired&provider=${provider}`);
});

test("a token in the address is not taken for the one that a code is exchanged for", async () => {
  const ida = await invited();
  beOctocat(ida.email);
  const stolen = gitHub.issueToken(gitHub.state.account);
  const { begin, send, person: signedIn } = browser();
  const state = new URL(await begin("github")).searchParams.get("state") ?? "";
  const others: Record<string, string>[] = [{}, { code: "none" }];
  for (const more of others) {
    const query = new URLSearchParams({ state, access_token: stolen, token_type: "bearer", ...more });
    expect(land(await send("GET", `/api/auth/callback/github?${query}`))).toMatch(/^\/sign-in\?error=/);
  }
  expect(await signedIn()).toBeNull();
});

test("a person who declines at the provider sees that it was declined", async () => {
  openId.state.account = null;
  expect(await browser().signIn("oidc")).toBe("/sign-in?error=ProviderDenied&provider=oidc");
});

test("what is asked of a provider is ours: no address of the request changes it", async () => {
  const { send } = browser();
  const { csrfToken } = await (await send("GET", "/api/auth/csrf")).json();
  const evil = "redirect_uri=https://evil.example.test&scope=admin&prompt=none";
  const response = await send("POST", `/api/auth/signin/oidc?${evil}`, { csrfToken, json: "true" });
  const asked = new URL((await response.json()).url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    redirect_uri: `${SITE}/api/auth/callback/oidc`,
    scope: "openid email profile groups",
    response_type: "code",
    code_challenge_method: "S256",
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)?.length).toBeGreaterThan(30);
  expect(asked.has("prompt")).toBe(false);
});

test("a provider that is not set up does not exist, and nothing begins without the token", async () => {
  const { send } = browser();
  const missing = await send("GET", "/api/auth/callback/gitlab?code=x");
  expect(missing.status).toBe(404);
  const forged = await send("POST", "/api/auth/signin/github", { csrfToken: "guess", json: "true" });
  expect(forged.status).toBe(403);
  const stranger = await send("POST", "/api/auth/signin/github", { csrfToken: "guess", json: "true", connect: "true" });
  expect(stranger.status).toBe(401);
});

test("GitHub that fails is unavailable, and the page says so", async () => {
  beOctocat(`${newId()}@example.test`);
  gitHub.state.status = 500;
  expect(await browser().signIn("github")).toBe("/sign-in?error=ProviderUnavailable&provider=github");
  gitHub.state.status = 200;
});

test("passwords go off once an admin has a connected account, and come back when the provider is taken away", async () => {
  await database.writer.connectedSignIn.deleteMany();
  await expect(set({ passwordSignIn: false })).rejects.toMatchObject({ code: "invalid" });
  const ida = await invited("admin");
  be(ida.email);
  const { signIn, send } = browser();
  await signIn("oidc");
  await set({ passwordSignIn: false });
  const names = async () => Object.keys(await (await send("GET", "/api/auth/providers")).json());
  expect(await names()).toEqual(["oidc", "google", "github"]);
  const { csrfToken } = await (await send("GET", "/api/auth/csrf")).json();
  const refused = await send("POST", "/api/auth/callback/credentials", { csrfToken, email: ida.email, password: "x" });
  expect(await refused.json()).toMatchObject({ code: "forbidden", rule: "passwords-off" });

  vi.stubEnv("SKILLGATE_PASSWORD_SIGN_IN", "true");
  expect(await names()).toContain("credentials");
  vi.stubEnv("SKILLGATE_PASSWORD_SIGN_IN", "");
  expect(await names()).not.toContain("credentials");
  await database.writer.user.update({ where: { id: ida.id }, data: { state: "disabled" } });
  expect(await names()).toContain("credentials");
});
