import { readFile } from "node:fs/promises";
import { expect, test } from "playwright/test";
import { apiOf, zipOf } from "../fixtures/api";
import { mouse } from "../fixtures/hands";
import { countingPack } from "../fixtures/packs";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const PLAYBOOK =
  "---\nname: tidy-notes\ndescription: Tidies meeting notes. Use it after a meeting.\nallowed-tools: Read Write Bash\n---\n\n# Tidy notes\n\nKeep the decisions.\n";
let app: App;

test.beforeAll(async () => {
  app = await startApp();
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("a SKILL.md dropped on the page is shown before it is stored, then reviewed, used and exported byte for byte", async ({
  browser,
}) => {
  const page = await adminPage(browser, app);
  // Drawn in the browser, so the page takes files by then.
  await expect(page.getByRole("region", { name: "Get started" })).toBeVisible();
  await mouse(page).give({ name: "SKILL.md", bytes: Buffer.from(PLAYBOOK) });
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByText("tidy-notes").first()).toBeVisible();
  expect((await apiOf(app).send("GET", "/api/skills/tidy-notes")).status).toBe(404);
  await drawer.getByRole("button", { name: "Import 1 skill" }).click();
  await expect(drawer.getByRole("link", { name: "Open review" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/skills/tidy-notes");
  await expect(page.getByText(/without asking/i).first()).toBeVisible();
  await page.goto("/reviews");
  await page
    .getByRole("link", { name: /tidy-notes/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Approve version" }).click();
  await page.getByRole("button", { name: "Switch on" }).click();
  await expect(page.getByText("The skill is on.")).toBeVisible();
  await page.goto("/skills/tidy-notes?tab=use");
  await expect(page.getByText("Keep the decisions.").first()).toBeVisible();

  await page.goto("/skills/tidy-notes");
  await page
    .getByRole("button", { name: /more|actions|menu/i })
    .last()
    .click();
  const downloading = page.waitForEvent("download");
  await page
    .getByRole("menuitem", { name: /export/i })
    .first()
    .click();
  const path = await (await downloading).path();
  expect(await readFile(path, "utf8")).toBe(PLAYBOOK);
});

test("an archive with a link out of it is refused with its reason, and nothing is stored", async ({ browser }) => {
  const page = await adminPage(browser, app);
  const hostile = await zipOf("evil", [{ path: "../../etc/evil/SKILL.md", text: PLAYBOOK }]);
  await mouse(page).give({ name: "evil.zip", bytes: hostile });
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByText(/cannot be imported/i).first()).toBeVisible();
  await expect(drawer.getByText("Nothing was stored.")).toBeVisible();
});

test("the palette finds skills and pages by keyboard alone", async ({ browser }) => {
  await apiOf(app).installPack("count_up", countingPack);
  const page = await adminPage(browser, app);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or go to" });
  const first = palette.getByRole("option").first();
  await expect(first).toHaveAttribute("aria-selected", "true");
  // The input keeps the focus, and a second Ctrl+K must not select the last entry, which signs out.
  await palette.getByRole("combobox").press("Control+k");
  await expect(palette.getByRole("option", { name: "Sign out" })).not.toHaveAttribute("aria-selected", "true");
  if (!(await palette.isVisible())) await page.keyboard.press("Control+k");
  await page.keyboard.type("count");
  await expect(page.getByRole("option", { name: /Count up/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/skills\/[^/]+$/);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page).toHaveURL(/\/audit/);
});
