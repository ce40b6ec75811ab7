import { expect, test } from "playwright/test";
import { apiOf, shellPack } from "../fixtures/api";
import { countingPack } from "../fixtures/packs";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

let app: App;

test.beforeAll(async () => {
  app = await startApp();
  const api = apiOf(app);
  await api.installPack("count_up", countingPack);
  await api.installPack("fails", shellPack("fails", "#!/bin/sh\necho 'cannot find the file' >&2\nexit 7\n"));
  await api.installPack("chatters", shellPack("chatters", "#!/bin/sh\necho 'this is not JSON'\n"));
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("a reload in the middle of a run shows the whole log once, and the run can be cancelled", async ({ browser }) => {
  const page = await adminPage(browser, app);
  await page.goto("/skills/count_up/run");
  await page.getByLabel("Count to").fill("50");
  await page.getByRole("button", { name: /^Run Count up/ }).click();
  await expect(page.getByText("counted 2", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("counted 4", { exact: true })).toBeVisible();
  await expect(page.getByText("counted 1", { exact: true })).toHaveCount(1);
  await page
    .getByRole("button", { name: /^Cancel/ })
    .first()
    .click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^(Cancel|End|Stop) (the )?run/ })
    .click();
  await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
});

test("invalid arguments are shown at their field, and no run starts", async ({ browser }) => {
  const page = await adminPage(browser, app);
  await page.goto("/skills/count_up/run");
  await page.getByLabel("Count to").fill("99");
  await page.getByRole("button", { name: /^Run Count up/ }).click();
  await expect(page.getByText(/50/).first()).toBeVisible();
  expect(page.url()).not.toContain("run=");
});

test("a failed run shows the failure and its stderr", async ({ browser }) => {
  const page = await adminPage(browser, app);
  await page.goto("/skills/fails/run");
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await expect(page.getByText("Failed", { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/exit code 7/i).first()).toBeVisible();
  await expect(page.getByText("cannot find the file").first()).toBeVisible();
});

test("output that is not JSON is shown unchanged", async ({ browser }) => {
  const page = await adminPage(browser, app);
  await page.goto("/skills/chatters/run");
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await expect(page.getByText("Failed", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("this is not JSON").first()).toBeVisible();
});

test("the arguments of an earlier run can be used again", async ({ browser }) => {
  const page = await adminPage(browser, app);
  const run = await apiOf(app).run("count_up", { upTo: 3 });
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText("counted 3", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Edit and run" }).click();
  await expect(page.getByLabel("Count to")).toHaveValue("3");
});
