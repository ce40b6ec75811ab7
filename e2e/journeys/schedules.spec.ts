import { expect, test } from "playwright/test";
import { apiOf, shellPack } from "../fixtures/api";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const echo = "#!/bin/sh\ncat\n";
let app: App;

test.beforeAll(async () => {
  app = await startApp();
  const api = apiOf(app);
  await api.installPack("tell_time", shellPack("tell_time", echo));
  await api.installPack("tidy_up", shellPack("tidy_up", echo, { class: "mutating" }));
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("a schedule is made and run now, and its run is listed under it", async ({ browser }) => {
  const page = await adminPage(browser, app);
  await page.goto("/schedules");
  await expect(page.getByText("No schedules yet")).toBeVisible();
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Name").fill("Morning report");
  await dialog.getByLabel("Skill").fill("tell_time");
  await dialog.getByLabel("Text").fill("good morning");
  await dialog.getByLabel("Repeats").selectOption("weekdays");
  await dialog.getByLabel("Time", { exact: true }).fill("07:45");
  await dialog.getByLabel("Time zone").selectOption("Australia/Eucla");
  await expect(dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5);
  await expect(
    dialog
      .getByRole("list", { name: "Next runs" })
      .getByText(/07:45$/)
      .first(),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Create schedule" }).click();

  const row = page.getByRole("row", { name: /Morning report/ });
  await expect(row).toContainText("Weekdays at 07:45");
  await row.getByRole("button", { name: "Actions for Morning report" }).click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await expect(row.getByRole("link", { name: "Last run of Morning report" })).toContainText("Succeeded");
  await row.getByRole("link", { name: "All runs of Morning report" }).click();
  await expect(page).toHaveURL(/\/runs\?schedule=/);
  const run = page.getByRole("table", { name: "Runs", exact: true }).getByRole("row").nth(1);
  await expect(run.getByLabel("Started by a schedule")).toBeVisible();
  await run.getByRole("link").click();
  await expect(page.getByText("good morning").first()).toBeVisible();
});

test("a wrong cron expression is refused at its field, with its place", async ({ browser }) => {
  const page = await adminPage(browser, app);
  await page.goto("/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Repeats").selectOption("custom");
  await dialog.getByLabel("Cron expression").fill("0 25 * * *");
  await expect(dialog.getByText("the hour (field 2) cannot be “25”")).toBeVisible();
  await dialog.getByLabel("Cron expression").fill("*/15 * * * *");
  await expect(dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5);
});

test("a mutating skill is confirmed when the schedule is made; the schedule can be paused and deleted", async ({
  browser,
}) => {
  const page = await adminPage(browser, app);
  await page.goto("/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Name").fill("Tidy nightly");
  await dialog.getByLabel("Skill").fill("tidy_up");
  await expect(dialog.getByLabel(/I confirm its runs/)).toBeVisible();
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await expect(dialog.getByText(/changes things/).last()).toBeVisible();
  await dialog.getByLabel(/I confirm its runs/).click();
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  const row = page.getByRole("row", { name: /Tidy nightly/ });
  await row.getByRole("switch", { name: "Tidy nightly is on" }).click();
  await expect(row.getByRole("switch", { name: "Tidy nightly is off" })).toBeEnabled();
  const schedules = async () =>
    (await apiOf(app).json("GET", "/api/schedules")).items as { name: string; enabled: boolean }[];
  expect(await schedules()).toContainEqual(expect.objectContaining({ name: "Tidy nightly", enabled: false }));
  await row.getByRole("button", { name: "Actions for Tidy nightly" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete schedule" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(row).toHaveCount(0);
  expect((await schedules()).map(({ name }) => name)).not.toContain("Tidy nightly");
});
