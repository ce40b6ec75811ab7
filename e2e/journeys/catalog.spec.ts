import { type Browser, expect, type Page, test } from "playwright/test";
import { apiOf } from "../fixtures/api";
import { type FakeGitHub, type FakeRepository, startFakeGitHub } from "../fixtures/fake-github/start-fake-github";
import { keyboard } from "../fixtures/hands";
import { openEveryFile } from "../fixtures/open-files";
import { problemsInEachLook } from "../fixtures/problems-of";
import { adminPage, watchConsole } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const PASSWORD = "seven quiet lanterns";
const PLAYBOOK =
  "---\nname: form-filler\ndescription: Fills in the fields of a PDF form. Use it when a PDF has fields.\nallowed-tools: Read Bash(python3 *)\nlicense: MIT\n---\n\n# Form filler\n\nList the fields first.\n";
const NOTES =
  "---\nname: tidy-notes\ndescription: Tidies meeting notes.\nallowed-tools: Read\n---\n\n# Tidy notes\n\nKeep the decisions.\n";
const SCRIPT = "#!/usr/bin/env python3\nprint('fields')\n";

let github: FakeGitHub;
let repository: FakeRepository;
let app: App;

test.beforeAll(async () => {
  github = await startFakeGitHub();
  repository = await github.repository("acme/agent-skills");
  await repository.commit({
    "skills/form-filler/SKILL.md": PLAYBOOK,
    "skills/form-filler/scripts/fields.py": { executable: SCRIPT },
    "skills/tidy-notes/SKILL.md": NOTES,
    "skills/broken/SKILL.md": "---\nname: [\n---\n",
  });
  app = await startApp({
    env: { GITHUB_API_URL: github.apiUrl, GITHUB_RAW_URL: github.rawUrl, SKILLGATE_SOLO_MODE: "false" },
  });
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
  await github.close();
});

async function personPage(browser: Browser, name: string, role: "user" | "reviewer"): Promise<Page> {
  const api = apiOf(app);
  const email = `${name.toLowerCase()}@example.test`;
  const { inviteUrl } = await api.json("POST", "/api/admin/users", { email, name, role });
  await api.send("POST", `/api/invites/${inviteUrl.split("/").at(-1)}`, { password: PASSWORD });
  return signedIn(browser, email);
}

async function signedIn(browser: Browser, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  watchConsole(page);
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/skills");
  return page;
}

test("a source is added offline and then read, a skill of it found, read, installed, approved and switched on; its update waits while the approved one stays active", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const admin = await adminPage(browser, app);
  const user = await personPage(browser, "Aiko", "user");
  const reviewer = await personPage(browser, "Mara", "reviewer");

  await test.step("without a source the user reads whom to ask", async () => {
    await user.goto("/catalog");
    await expect(user.getByText("No sources yet")).toBeVisible();
    await expect(user.getByRole("link", { name: "Add a source" })).toHaveCount(0);
  });

  const { press, type } = keyboard(admin);
  const drawer = admin.getByRole("dialog", { name: /acme\/agent-skills/ });

  await test.step("the admin adds a repository with the keyboard while its host is out of reach, and reads the reason", async () => {
    await github.goOffline();
    await admin.goto("/catalog");
    await press(admin.getByRole("link", { name: "Add a source" }));
    const dialog = admin.getByRole("dialog");
    await type(dialog.getByLabel("Repository"), "acme/agent-skills");
    await expect(dialog.getByLabel("Label")).toHaveValue("acme/agent-skills");
    await press(dialog.getByRole("button", { name: "Preview" }));
    await expect(dialog.getByText("The source could not be read")).toBeVisible();
    await expect(dialog.getByText(/could not be reached/).first()).toBeVisible();
    await press(dialog.getByRole("button", { name: "Add source" }));
    await expect(drawer.getByText("The last sync failed")).toBeVisible();
  });

  await test.step("the user’s empty catalog names the source and the reason", async () => {
    await user.reload();
    await expect(user.getByText("The source could not be read")).toBeVisible();
    await expect(user.getByText(/acme\/agent-skills: .*could not be reached/)).toBeVisible();
  });

  await test.step("back online it is synced and previewed", async () => {
    await github.goOnline();
    await press(drawer.getByRole("button", { name: "Sync now" }));
    await expect(drawer.getByText("Synced")).toBeVisible();
    await expect(drawer.getByText("skills/broken")).toBeVisible();
    await admin.goto("/settings/catalog?add=1");
    const dialog = admin.getByRole("dialog");
    await type(dialog.getByLabel("Repository"), "npx skills add acme/agent-skills");
    await press(dialog.getByRole("button", { name: "Preview" }));
    await expect(dialog.getByRole("list", { name: "Skills found" }).getByText("form-filler").first()).toBeVisible();
  });

  await test.step("the user finds it by search, and opens it beside the list", async () => {
    await user.reload();
    await expect(user.getByRole("link", { name: "tidy-notes" })).toBeVisible();
    await user.keyboard.press("/");
    await user.keyboard.type("fill form");
    await expect(user).toHaveURL(/q=fill\+form/);
    await expect(user.getByRole("link", { name: "tidy-notes" })).toHaveCount(0);
    await user.keyboard.press("Escape");
    await user.keyboard.press("j");
    await user.keyboard.press("Enter");
    const preview = user.getByRole("complementary", { name: "Preview of form-filler" });
    await expect(preview.getByText("Runs python3 with any arguments, which can run anything")).toBeVisible();
    await user.keyboard.press("Escape");
    await expect(preview).toHaveCount(0);
    await user.keyboard.press("Enter");
    await preview.getByRole("link", { name: "Full page" }).click();
  });

  await test.step("and reads all of it before it is installed", async () => {
    await expect(user.getByRole("heading", { name: "form-filler" })).toBeVisible();
    await expect(user.getByText("List the fields first.")).toBeVisible();
    await user.getByRole("radio", { name: "Source" }).click();
    await expect(user.getByText("allowed-tools: Read Bash(python3 *)")).toBeVisible();
    await user.getByRole("link", { name: /^Files/ }).click();
    await user.getByRole("treeitem", { name: /fields\.py/ }).click();
    await expect(user.getByText("print('fields')")).toBeVisible();
  });

  await test.step("installed, it is off and cannot be switched on", async () => {
    await user.getByRole("button", { name: "Install", exact: true }).click();
    const dialog = user.getByRole("dialog");
    await expect(dialog.getByRole("heading", { name: "Installed, switched off" })).toBeVisible();
    await expect(dialog.getByText("Pending review", { exact: true })).toBeVisible();
    await dialog.getByRole("link", { name: "Open skill" }).click();
    await user.getByRole("switch", { name: "form-filler is off" }).click();
    await expect(user.getByText("form-filler stays off.").first()).toBeVisible();
    await expect(user.getByRole("switch", { name: "form-filler is off" })).toBeVisible();
  });

  await approve(reviewer);

  await test.step("approved, it can be switched on", async () => {
    await user.reload();
    await user.getByRole("switch", { name: "form-filler is off" }).click();
    await expect(user.getByText("form-filler is on.").first()).toBeVisible();
  });

  await test.step("upstream changes the script; the admin syncs", async () => {
    await repository.commit({
      "skills/form-filler/scripts/fields.py": { executable: `${SCRIPT}print('sent elsewhere')\n` },
    });
    await admin.goto("/settings/catalog");
    await admin.getByRole("button", { name: "Actions for acme/agent-skills" }).click();
    await admin.getByRole("menuitem", { name: "Sync now" }).click();
    await expect(drawer.getByText("3 to the API, 0 files read")).toBeVisible();
  });

  await test.step("the user sees the change before taking it", async () => {
    await user.reload();
    await expect(user.getByText("Update available")).toBeVisible();
    await user.goto("/catalog/updates");
    await user.getByRole("button", { name: "form-filler" }).click();
    const drawer = user.getByRole("dialog");
    await expect(drawer.getByText("print('sent elsewhere')")).toBeVisible();
    await drawer.getByRole("button", { name: "Import update" }).click();
    await expect(user.getByRole("heading", { name: "Pending review 1" })).toBeVisible();
  });

  await test.step("the update waits for review, and the approved version stays active", async () => {
    await user.goto("/skills/form-filler");
    await expect(user.getByText("Version 2 is pending review. Version 1 stays active until then.")).toBeVisible();
    await expect(user.getByRole("switch", { name: "form-filler is on" })).toBeVisible();
  });
});

async function approve(reviewer: Page): Promise<void> {
  await test.step("a reviewer approves these bytes", async () => {
    await reviewer.goto("/reviews");
    await reviewer
      .getByRole("link", { name: /form-filler/ })
      .first()
      .click();
    await openEveryFile(reviewer);
    await reviewer.getByRole("button", { name: "Approve version" }).click();
    await expect(reviewer.getByRole("button", { name: "Approve version" })).toHaveCount(0);
  });
}

test("a replaced repository is refused until the admin has compared both", async ({ browser }) => {
  const first = await github.repository("acme/moving");
  await first.commit({ "SKILL.md": NOTES });
  const api = apiOf(app);
  const body = { label: "Moving", repoUrl: "https://github.com/acme/moving", sync: true };
  const source = await api.json("POST", "/api/admin/catalog-sources", body);
  const admin = await adminPage(browser, app);
  await admin.goto(`/settings/catalog?source=${source.id}`);
  const drawer = admin.getByRole("dialog", { name: /Moving/ });
  await expect(drawer.getByText("Synced")).toBeVisible();

  const second = await github.repository("acme/moving");
  await second.commit({ "SKILL.md": PLAYBOOK });
  await drawer.getByRole("button", { name: "Sync now" }).click();
  await expect(drawer.getByText("Another repository has this name now")).toBeVisible();
  await expect(drawer.getByText(`id ${first.id}`)).toBeVisible();
  await expect(drawer.getByText(`id ${second.id}`)).toBeVisible();
  await drawer.getByRole("button", { name: "Confirm acme/moving" }).click();
  await expect(drawer.getByText("Another repository has this name now")).toHaveCount(0);
  await expect(drawer.getByText("Synced")).toBeVisible();
});

test("the pages of a filled catalog: axe finds nothing and nothing overflows", async ({ browser }) => {
  test.setTimeout(300_000);
  const api = apiOf(app);
  const { items } = await api.json("GET", "/api/catalog");
  const sources = await api.json("GET", "/api/admin/catalog-sources");
  const entry = `/catalog/${items[0].id}`;
  const admin = await adminPage(browser, app);
  const user = await signedIn(browser, "aiko@example.test");
  const visits: [Page, string][] = [
    [admin, `/catalog?open=${items[0].id}`],
    [admin, "/catalog?view=list&tool=Read"],
    [admin, "/catalog?q=nothing+of+this+kind"],
    [admin, entry],
    [admin, `${entry}?as=raw`],
    [admin, `${entry}?tab=files`],
    [admin, `/settings/catalog?source=${sources.items[0].id}`],
    [admin, "/settings/catalog?add=1"],
    [user, "/catalog/updates"],
    [user, "/skills/form-filler"],
  ];
  const found: string[] = [];
  for (const [page, path] of visits) {
    const ready = async () => {
      await expect(page.locator("main h1").first()).toBeAttached();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    };
    found.push(...(await problemsInEachLook(page, path, ready)));
  }
  expect(found).toEqual([]);
});
