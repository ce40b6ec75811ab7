import { expect, type Locator, type Page, test } from "playwright/test";
import { problemsOf } from "../fixtures/problems-of";
import { PEOPLE, settled, signIn, startSeededApp } from "../fixtures/seeded-app";
import { watchConsole } from "../fixtures/signed-in";
import type { App } from "../fixtures/start-app";

let app: App;

test.beforeAll(async () => {
  app = await startSeededApp();
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < 80; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`80 presses of Tab do not lead to ${target}`);
}

/** Searches the page or the dialog; the sidebar has links of the same names. */
async function follow(page: Page, name: string): Promise<void> {
  await tabTo(page, page.locator("main, [role=dialog]").getByRole("link", { name, exact: true }));
  await page.keyboard.press("Enter");
}

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search events" })).toBeFocused();
  await page.keyboard.type(words);
  await expect(page).toHaveURL(new RegExp(`q=${words}`));
  await settled(page);
  await page.keyboard.press("Enter");
}

async function approverOf(page: Page): Promise<string> {
  await expect(page).toHaveURL(/version=[0-9a-f]{64}/);
  await search(page, "approved");
  const events = page.getByRole("list", { name: "Events" }).getByRole("button");
  await expect(events).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const detail = page.getByRole("dialog");
  await expect(detail.getByText("Version approved", { exact: true })).toBeVisible();
  const title = await detail.getByRole("heading").first().textContent();
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);
  return title ?? "";
}

test("by keyboard alone: who approved the version that a failed run used", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  watchConsole(page);
  await signIn(page, app, PEOPLE.reviewer);

  await page.goto(`${app.url}/runs?state=failed&range=7d`);
  await expect(page.getByRole("table", { name: "Runs", exact: true })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  const runId = new URL(page.url()).pathname.split("/")[2];
  await follow(page, "Audit");
  await page.waitForURL(/\/audit\?run=/);
  await settled(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await follow(page, "Events of this version");
  const fromRun = await approverOf(page);
  expect(fromRun).toMatch(/^(Mara Lindqvist|Ben Okafor|Tomás Ferreira) approved /);

  await page.goto(`${app.url}/audit?action=run.fail`);
  await settled(page);
  expect(await problemsOf(page, { everyRule: true })).toEqual([]);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const detail = page.getByRole("dialog");
  await expect(detail.getByText(runId ?? "", { exact: true })).toBeVisible();
  await follow(page, "Events of this version");
  expect(await approverOf(page)).toBe(fromRun);

  await test.step("the chart zooms in and out by keyboard, and its time range is in the address", async () => {
    await page.goto(`${app.url}/audit`);
    await settled(page);
    await tabTo(page, page.getByRole("slider", { name: "Events: select a time range" }));
    await page.keyboard.press("+");
    await expect(page).toHaveURL(/from=.*&to=/);
    await page.keyboard.press("Escape");
    await expect(page).not.toHaveURL(/from=/);
  });
  await context.close();
});
