import { expect, test } from "playwright/test";
import { apiOf } from "../fixtures/api";
import type { GitRepository } from "../fixtures/fake-github/git-repository";
import { answerGitLab } from "../fixtures/git-server/answer-gitlab";
import { type GitServer, startGitServer } from "../fixtures/git-server/start-git-server";
import { openEveryFile } from "../fixtures/open-files";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const PATH = "acme/platform/agent-skills";
const TOKEN = "glpat-0123456789abcdefghij";
const playbook = (text: string) =>
  `---\nname: release-notes\ndescription: Writes release notes.\n---\n\n# Release notes\n\n${text}\n`;

let server: GitServer;
let repository: GitRepository;
let app: App;

test.beforeAll(async () => {
  server = await startGitServer();
  repository = await server.repository(PATH, { token: TOKEN });
  await repository.commit({ "skills/release-notes/SKILL.md": playbook("Group by kind.") });
  answerGitLab(server, { path: PATH, id: 77, token: TOKEN, repository });
  app = await startApp();
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
  await server.close();
});

test("a GitLab group's repository is added with a token, browsed, installed, reviewed, and updated by its webhook", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const page = await adminPage(browser, app);

  await test.step("the admin adds it with a token", async () => {
    await page.goto("/catalog");
    await page.getByRole("link", { name: "Add a source" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Repository or registry").fill(`${server.origin}/${PATH}`);
    await dialog.getByLabel("Kind of source").selectOption("gitlab");
    await dialog.getByLabel("Token").fill(TOKEN);
    await dialog.getByRole("button", { name: "Preview" }).click();
    await expect(dialog.getByText("Private")).toBeVisible();
    await dialog.getByRole("button", { name: "Add source" }).click();
    await expect(page.getByRole("dialog", { name: /agent-skills/ }).getByText("Synced")).toBeVisible();
  });

  const secret = await test.step("and sets up the webhook", async () => {
    const drawer = page.getByRole("dialog", { name: /agent-skills/ });
    await drawer.getByRole("button", { name: "Set up webhook" }).click();
    await expect(drawer.getByText("Secret token")).toBeVisible();
    await expect(drawer.getByText(/\/api\/catalog-hooks\//)).toBeVisible();
    return drawer.locator("code", { hasText: /^[\w-]{32}$/ }).textContent();
  });

  await test.step("the skill is found, read and installed", async () => {
    await page.goto("/catalog?q=release");
    await page.getByRole("link", { name: "release-notes" }).first().click();
    await page.getByRole("link", { name: "Full page" }).click();
    await expect(page.getByText("Group by kind.")).toBeVisible();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await expect(page.getByRole("dialog").getByText("Pending review", { exact: true })).toBeVisible();
  });

  await test.step("and approved", async () => {
    await page.goto("/reviews");
    await page
      .getByRole("link", { name: /release-notes/ })
      .first()
      .click();
    await openEveryFile(page);
    await page.getByRole("button", { name: "Approve version" }).click();
    await expect(page.getByRole("button", { name: "Approve version" })).toHaveCount(0);
  });

  await test.step("a push is reported by the webhook, and shown as an update", async () => {
    await repository.commit({ "skills/release-notes/SKILL.md": playbook("Group by kind, then by person.") });
    const { items } = await apiOf(app).json("GET", "/api/admin/catalog-sources");
    const notify = (token: string | null) =>
      fetch(`${app.url}/api/catalog-hooks/${items[0].id}`, {
        method: "POST",
        headers: { "x-gitlab-token": token ?? "" },
        body: "{}",
      });
    expect((await notify("wrong")).status).toBe(401);
    expect((await notify(secret)).status).toBe(204);
    await expect(async () => {
      await page.goto("/catalog/updates");
      await expect(page.getByRole("button", { name: "release-notes" })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.getByRole("button", { name: "release-notes" }).click();
    const drawer = page.getByRole("dialog");
    await expect(drawer.getByText("Group by kind, then by person.")).toBeVisible();
    await drawer.getByRole("button", { name: "Import update" }).click();
    await expect(page.getByRole("heading", { name: "Pending review 1" })).toBeVisible();
  });
});
