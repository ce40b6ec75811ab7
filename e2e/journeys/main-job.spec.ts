import { type Browser, expect, type Page, test } from "playwright/test";
import { shellPack, zipOf } from "../fixtures/api";
import { type Hands, keyboard, mouse } from "../fixtures/hands";
import { openEveryFile } from "../fixtures/open-files";
import { countingPack, pythonPack } from "../fixtures/packs";
import { type App, startApp } from "../fixtures/start-app";

const PASSWORD = "a password for this journey";
// The journey begins with the admin that the first test makes: a repetition repeats that too.
test.describe.configure({ mode: "serial" });

let app: App;

test.beforeAll(async () => {
  app = await startApp({ withoutAdmin: true });
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

async function newPerson(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  page.on("pageerror", (error) => expect(error.message, "an error on the page").toBe(""));
  return page;
}

async function invite(
  admin: Page,
  { name, email, role }: { name: string; email: string; role: string },
): Promise<string> {
  await admin.goto("/settings/people");
  await admin.getByRole("button", { name: "Invite person" }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByRole("button", { name: /invit/i }).click();
  const link = dialog.getByText(/\/invite\//);
  await expect(link).toBeVisible();
  const text = (await link.textContent()) ?? "";
  await admin.keyboard.press("Escape");
  return text.trim();
}

async function join(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: /join|choose|set|sign in/i }).click();
  await page.waitForURL("**/skills");
}

async function importZip(page: Page, name: string, archive: Buffer): Promise<void> {
  await page.goto("/skills");
  await page.getByRole("button", { name: "Import", exact: true }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name, mimeType: "application/zip", buffer: archive });
  await drawer.getByRole("button", { name: "Import 1 skill" }).click();
  await expect(drawer.getByRole("link", { name: "Open review" })).toBeVisible();
  await page.keyboard.press("Escape");
}

const GREETING = shellPack("say_hello", '#!/bin/sh\ncat >/dev/null\nprintf \'{"said": "hello"}\'\n', {
  label: "Say hello",
});

/** Waits for the server too: the switch shows the requested state before. */
async function switchOn(page: Page, label: string): Promise<void> {
  const stored = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("switch", { name: new RegExp(label) }).click();
  expect((await stored).status()).toBe(200);
  await expect(page.getByRole("switch", { name: `${label} is on` })).toBeChecked();
}

/** From the link that the server prints to the result of a run that was approved before. */
async function reachFirstRun(page: Page, setupUrl: string | null, { press, type, give }: Hands): Promise<void> {
  await page.goto(setupUrl ?? "");
  await type(page.getByLabel("Name"), "Ada Admin");
  await type(page.getByLabel("Email"), "ada@example.test");
  await type(page.getByLabel("Password", { exact: true }), PASSWORD);
  await press(page.getByRole("button", { name: "Create admin and sign in" }));
  await expect(page.getByRole("region", { name: "Get started" })).toBeVisible();
  await give({ name: "say_hello.zip", bytes: await zipOf("say_hello", GREETING) });
  await press(page.getByRole("button", { name: "Import 1 skill" }));
  await press(page.getByRole("link", { name: "Open review" }));
  await press(page.getByRole("button", { name: "run.sh", exact: true }));
  await press(page.getByRole("button", { name: "Approve version" }));
  await press(page.getByRole("button", { name: "Switch on" }));
  await press(page.getByRole("link", { name: "Run", exact: true }));
  await press(page.getByRole("button", { name: "Run Say hello" }));
  await expect(page.getByText("Succeeded", { exact: true }).first()).toBeVisible();
  await expect(page.getByText('"hello"', { exact: true }).first()).toBeVisible();
}

test("a new server is set up, and a first approved run is done in 12 actions", async ({ browser }) => {
  const page = await newPerson(browser);
  for (const path of ["/", "/runs", "/sign-in", "/settings/people", "/setup"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "This server is not set up yet" })).toBeVisible();
  }
  const hands = mouse(page);
  await reachFirstRun(page, app.setupUrl, hands);
  expect(hands.actions).toBeLessThanOrEqual(12);
});

test("the same with the keyboard alone", async ({ browser }) => {
  const other = await startApp({ withoutAdmin: true });
  try {
    const page = await newPerson(browser);
    const hands = keyboard(page);
    await reachFirstRun(page, other.setupUrl, hands);
    expect(hands.actions).toBeLessThanOrEqual(12);
  } finally {
    await other.stop();
    other.remove();
  }
});

test("from a new server to an audited run: invite, import, review, switch on, run, audit", async ({ browser }) => {
  test.setTimeout(180_000);

  const admin = await newPerson(browser);
  await admin.goto("/sign-in");
  await admin.getByLabel("Email").fill("ada@example.test");
  await admin.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await admin.getByRole("button", { name: "Sign in" }).click();
  await admin.waitForURL("**/skills");

  const reviewer = await newPerson(browser);
  await join(reviewer, await invite(admin, { name: "Rita Reviewer", email: "rita@example.test", role: "reviewer" }));
  const user = await newPerson(browser);
  await join(user, await invite(admin, { name: "Uli User", email: "uli@example.test", role: "user" }));

  await test.step("the user imports a pack and cannot switch it on yet", async () => {
    await importZip(user, "count_up.zip", await zipOf("count_up", countingPack));
    await user.goto("/skills");
    await user.getByRole("switch", { name: /Count up/ }).click();
    await expect(user.getByText("Count up stays off.").first()).toBeVisible();
    await expect(user.getByRole("switch", { name: /Count up/ })).not.toBeChecked();
  });

  await test.step("the reviewer sees the source before deciding, and approves it", async () => {
    await reviewer.goto("/reviews");
    await reviewer
      .getByRole("link", { name: /Count up/ })
      .first()
      .click();
    await expect(reviewer.getByText("skill.json").first()).toBeVisible();
    await reviewer.getByLabel("Comment").fill("Counts, and nothing else.");
    await openEveryFile(reviewer);
    await reviewer.getByRole("button", { name: "Approve version" }).click();
    await expect(reviewer.getByText("This version is approved.")).toBeVisible();
  });

  await test.step("the user switches it on and runs it with the form, watching the log", async () => {
    await user.goto("/skills");
    await switchOn(user, "Count up");
    await user.goto("/skills/count_up/run");
    const field = user.getByLabel("Count to");
    await expect(field).toHaveValue("5");
    await field.fill("7");
    await user.getByRole("button", { name: /^Run/ }).first().click();
    await expect(user.getByText("counted 1", { exact: true })).toBeVisible();
    await expect(user.getByText("counted 7", { exact: true })).toBeVisible();
    await expect(user.getByText("Succeeded").first()).toBeVisible();
    await expect(user.getByText("counted", { exact: false }).first()).toBeVisible();
  });

  await test.step("a mutating pack in Python asks for confirmation first", async () => {
    await importZip(user, "word_count.zip", await zipOf("word_count", pythonPack));
    await reviewer.goto("/reviews");
    await reviewer
      .getByRole("link", { name: /Word count/ })
      .first()
      .click();
    await openEveryFile(reviewer);
    await reviewer.getByRole("button", { name: "Approve version" }).click();
    await expect(reviewer.getByText("This version is approved.")).toBeVisible();
    await user.goto("/skills/word_count");
    await switchOn(user, "Word count");
    await user.goto("/skills/word_count/run");
    await user.getByLabel("Text to count").fill("one two three");
    await user.getByRole("button", { name: /^Run/ }).first().click();
    await user.getByRole("alertdialog").getByRole("button", { name: /^Run/ }).click();
    await expect(user.getByText("looked at 3 words")).toBeVisible();
    await expect(user.getByText("Succeeded").first()).toBeVisible();
  });

  await test.step("every step is in the audit log", async () => {
    // Events of the first start can come after the invitations, which are then not on the first page.
    await admin.goto("/audit?action=user.invite");
    await expect(admin.getByText(/Ada Admin.*invited/).first()).toBeVisible();
    await admin.goto("/audit");
    for (const sentence of [
      /Uli User.*imported count_up/,
      /Rita Reviewer.*approved count_up/,
      /Uli User.*switched count_up on/,
      /Uli User.*started count_up/,
      /finished count_up/,
      /Uli User.*started word_count/,
    ]) {
      await expect(admin.getByText(sentence).first()).toBeVisible();
    }
    await user.goto("/audit");
    await expect(user.getByText(/approved count_up/).first()).toBeVisible();
    await expect(user.getByText(/invited/)).toHaveCount(0);
  });
});
