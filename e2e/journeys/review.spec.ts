import { type Browser, expect, type Page, test } from "playwright/test";
import { apiOf, shellPack, zipOf } from "../fixtures/api";
import { openEveryFile } from "../fixtures/open-files";
import { watchConsole } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const PASSWORD = "a password for this review";
let app: App;

test.beforeAll(async () => {
  app = await startApp();
  await apiOf(app).json("PATCH", "/api/admin/settings", { soloMode: false });
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

async function personPage(browser: Browser, name: string, role: "user" | "reviewer"): Promise<Page> {
  const email = `${name.toLowerCase()}@example.test`;
  const { inviteUrl } = await apiOf(app).json("POST", "/api/admin/users", { email, name, role });
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  watchConsole(page);
  await page.goto(inviteUrl);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: /join|choose|set|sign in/i }).click();
  await page.waitForURL("**/skills");
  return page;
}

const wipeScript = (lines: string[]) =>
  ["#!/bin/sh", "cat > /dev/null", ...lines, "printf '{\"wiped\": 0}'", ""].join("\n");
const wipePack = (lines: string[]) =>
  shellPack("wipe_cache", wipeScript(lines), {
    label: "Wipe cache",
    description: "Empties the cache of a build machine.",
    class: "dangerous",
    schema: { type: "object", properties: {} },
  });

async function importPack(page: Page, lines: string[]): Promise<void> {
  await page.goto("/skills");
  await page.getByRole("button", { name: "Import", exact: true }).first().click();
  const drawer = page.getByRole("dialog");
  const buffer = await zipOf("wipe_cache", wipePack(lines));
  await drawer
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name: "wipe_cache.zip", mimeType: "application/zip", buffer });
  await drawer.getByRole("button", { name: /^Import/ }).click();
  await expect(drawer.getByRole("link", { name: "Open review" })).toBeVisible();
  await page.keyboard.press("Escape");
}

async function openReview(page: Page): Promise<void> {
  await page.goto("/reviews");
  await page
    .getByRole("link", { name: /Wipe cache/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Capabilities" })).toBeVisible();
}

async function tryToSwitchOn(page: Page): Promise<void> {
  await page.goto("/skills");
  await page.getByRole("switch", { name: /Wipe cache/ }).click();
}

/** Reads and signs the update with the keyboard alone. Its change is short, so it counts as read when it is shown. */
async function approveChangeByKeys(page: Page): Promise<void> {
  await page.goto("/reviews");
  await expect(page.getByRole("link", { name: /Wipe cache/ })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const changes = page.getByRole("region", { name: "Source" });
  await expect(changes.getByRole("heading", { name: "Version 1 to 2" })).toBeVisible();
  await expect(changes.locator("[data-change=added]")).toContainText("echo done >&2");
  await expect(page.getByText("1 of 1 changes read")).toBeVisible();
  await page.keyboard.press("a");
  const approve = page.getByRole("button", { name: "Approve dangerous version" });
  await expect(approve).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 of 2 approvals (Rita).")).toBeVisible();
}

test("a dangerous pack: two reviewers, on, one changed line, revoked, off", async ({ browser }) => {
  test.setTimeout(180_000);
  const importer = await personPage(browser, "Uli", "user");
  const first = await personPage(browser, "Rita", "reviewer");
  const second = await personPage(browser, "Ron", "reviewer");

  await test.step("import: it waits, and stays off", async () => {
    await importPack(importer, ['rm -rf "$TMPDIR/cache"']);
    await tryToSwitchOn(importer);
    await expect(importer.getByText("Wipe cache stays off.").first()).toBeVisible();
  });

  await test.step("the first reviewer sees what it may do, and signs; it is still off", async () => {
    await openReview(first);
    await expect(first.getByRole("region", { name: "Decision" }).getByText("dangerous").first()).toBeVisible();
    await first.getByRole("treeitem", { name: /run\.sh/ }).click();
    await expect(first.getByText('rm -rf "$TMPDIR/cache"').first()).toBeVisible();
    await first.getByLabel("Comment").fill("It empties the cache only.");
    await expect(first.getByText("Runs can destroy or expose data permanently.")).toBeVisible();
    await first.getByRole("button", { name: "Approve dangerous version" }).click();
    await expect(first.getByText(/1 of 2 approvals \(Rita\)\. Needs 1 of: .*Ron/)).toBeVisible();
    await expect(first.getByRole("button", { name: "Approve dangerous version" })).toBeDisabled();
    await tryToSwitchOn(importer);
    await expect(importer.getByText("Wipe cache stays off.").first()).toBeVisible();
  });

  await test.step("the second reviewer signs the same terms, and it can be switched on", async () => {
    await openReview(second);
    await expect(second.getByText("Another reviewer has already approved this version")).toBeVisible();
    await second.getByRole("button", { name: "Approve dangerous version" }).click();
    const question = second.getByRole("alertdialog", { name: "Approve with 1 file unread?" });
    await expect(question.getByText("run.sh")).toBeVisible();
    await question.getByRole("button", { name: "Go back" }).click();
    await openEveryFile(second);
    await second.getByRole("button", { name: "Approve dangerous version" }).click();
    await expect(second.getByText("This version is approved.")).toBeVisible();
    await tryToSwitchOn(importer);
    await expect(importer.getByRole("switch", { name: /Wipe cache is on/ })).toBeChecked();
  });

  await test.step("a one-line change of the script is shown as one line, while the approved version stays active", async () => {
    await importPack(importer, ['rm -rf "$TMPDIR/cache"', "echo done >&2"]);
    await openReview(first);
    await expect(first.getByRole("radio", { name: "Changes" })).toBeChecked();
    const changes = first.getByRole("region", { name: "Source" });
    await expect(changes.getByText("1 file changed")).toBeVisible();
    await expect(changes.locator("[data-change=added]")).toHaveCount(1);
    await expect(changes.locator("[data-change=added]")).toContainText("echo done >&2");
    await expect(changes.locator("[data-change=removed]")).toHaveCount(0);
    await expect(importer.getByRole("switch", { name: /Wipe cache is on/ })).toBeChecked();
  });

  await test.step("the change is approved and active; its approval is revoked, and the earlier version is chosen instead", async () => {
    await approveChangeByKeys(first);
    await openReview(second);
    await openEveryFile(second);
    await second.getByRole("button", { name: "Approve dangerous version" }).click();
    await expect(second.getByText("This version is approved.")).toBeVisible();
    await first.reload();
    await first.getByRole("button", { name: "Revoke" }).click();
    const dialog = first.getByRole("alertdialog");
    await dialog.getByLabel("New active version").selectOption({ index: 1 });
    await dialog.getByRole("button", { name: "Revoke version" }).click();
    await expect(first.getByText(/The approval was revoked/)).toBeVisible();
    await importer.goto("/skills");
    await expect(importer.getByRole("switch", { name: /Wipe cache is on/ })).toBeChecked();
  });

  await test.step("without a choice the skill is off; a version is made active afterwards and switched on", async () => {
    await importPack(importer, ['rm -rf "$TMPDIR/cache"', "echo other >&2"]);
    for (const [index, reviewer] of [first, second].entries()) {
      await openReview(reviewer);
      await openEveryFile(reviewer);
      await reviewer.getByRole("button", { name: "Approve dangerous version" }).click();
      await expect(
        reviewer.getByText(index === 0 ? "1 of 2 approvals (Rita)." : "This version is approved."),
      ).toBeVisible();
    }
    await second.getByRole("button", { name: "Revoke" }).click();
    await second.getByRole("alertdialog").getByRole("button", { name: "Revoke version" }).click();
    await expect(second.getByText(/The approval was revoked/)).toBeVisible();
    await second.goto("/skills/wipe_cache?tab=versions");
    await second.getByRole("button", { name: "Activate version" }).click();
    await second.getByRole("alertdialog").getByRole("button", { name: "Activate version" }).click();
    await expect(second.getByText("Version 1 of Wipe cache is active.").first()).toBeVisible();
    await tryToSwitchOn(importer);
    await expect(importer.getByRole("switch", { name: /Wipe cache is on/ })).toBeChecked();
  });

  await test.step("revoking the approval switches it off at once", async () => {
    await importer.goto("/skills/wipe_cache?tab=versions");
    const { items } = await apiOf(app).json("GET", "/api/skills/wipe_cache/versions");
    const approved = items.find(({ state }: { state: string }) => state === "approved");
    const { id } = await apiOf(app).json("GET", "/api/skills/wipe_cache");
    await second.goto(`/reviews/${id}/${approved.digest}`);
    await second.getByRole("button", { name: "Revoke" }).click();
    await second.getByRole("alertdialog").getByRole("button", { name: "Revoke version" }).click();
    await expect(second.getByText(/The approval was revoked/)).toBeVisible();
    await importer.goto("/skills");
    await expect(importer.getByRole("switch", { name: /Wipe cache/ })).not.toBeChecked();
    await importer.getByRole("switch", { name: /Wipe cache/ }).click();
    await expect(importer.getByText("Wipe cache stays off.").first()).toBeVisible();
  });
});
