import { expect, test } from "playwright/test";
import { problemsInEachLook } from "../fixtures/problems-of";
import { PEOPLE, settled, signIn, startSeededApp } from "../fixtures/seeded-app";
import { SEEDED_PAGES } from "../fixtures/seeded-pages";
import type { App } from "../fixtures/start-app";

test.describe.configure({ mode: "parallel" });

let app: App;

test.beforeAll(async () => {
  app = await startSeededApp();
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

const PAGES = [
  ...SEEDED_PAGES,
  "/skills/csv_summary?tab=files",
  "/connect?client=skills&collection=first-week",
  "/agents/view",
  "/audit?lanes=actor",
  "/audit?event=20",
  "/docs/api",
  "/cli/device",
  "/no-such-page",
];

async function consentPath(): Promise<string> {
  const client = { client_name: "Some editor", redirect_uris: ["http://127.0.0.1/callback"] };
  const headers = { "content-type": "application/json" };
  const registered = await fetch(`${app.url}/api/oauth/register`, {
    method: "POST",
    headers,
    body: JSON.stringify(client),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const pkce = { code_challenge: "x".repeat(43), code_challenge_method: "S256" };
  const request = { client_id, redirect_uri: "http://127.0.0.1:1/callback", response_type: "code", ...pkce };
  return `/oauth/authorize?${new URLSearchParams(request)}`;
}

for (const half of [0, 1]) {
  test(`every page, half ${half + 1} of 2, dark and narrow, light and wide: axe finds nothing, nothing overflows, the console stays quiet`, async ({
    browser,
  }) => {
    test.setTimeout(600_000);
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      const isMissingPage = message.text().includes("404") && page.url().endsWith("/no-such-page");
      if (["error", "warning"].includes(message.type()) && !isMissingPage)
        complaints.push(`${page.url()}: ${message.text()}`);
    });
    await signIn(page, app, PEOPLE.admin);
    const found: string[] = [];
    for (const path of [...PAGES, await consentPath()].filter((_, index) => index % 2 === half))
      found.push(...(await problemsInEachLook(page, app.url + path, () => settled(page))));
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

test("pages for admins answer 403 to other people, and redirect to sign-in without a session", async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.url}/runs`);
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fruns/);
  await signIn(page, app, PEOPLE.user);
  const answer = await page.goto(`${app.url}/settings/people`);
  expect(answer?.status()).toBe(403);
  await context.close();
});
