import { expect, type Page, test } from "playwright/test";
import { apiOf } from "../fixtures/api";
import { problemsOf } from "../fixtures/problems-of";
import { adminPage, watchConsole } from "../fixtures/signed-in";
import { ADMIN, type App, startApp } from "../fixtures/start-app";

let app: App;

test.beforeAll(async () => {
  app = await startApp();
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

const playbook = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Keeps the decisions of a meeting. Use it after a meeting.\n---\n\n# ${name}\n\n${body}\n`;

async function writeText(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Text of / }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function textOf(skill: string, digest: string, path: string): Promise<string> {
  const response = await apiOf(app).send("GET", `/api/skills/${skill}/versions/${digest}/files/${path}`);
  return Buffer.from(await response.arrayBuffer()).toString("utf8");
}

async function newestOf(skill: string): Promise<{ digest: string; number: number; state: string }> {
  return (await apiOf(app).json("GET", `/api/skills/${skill}/versions?limit=1`)).items[0];
}

test("a skill is written with form and text, survives a reload, is saved and submitted", async ({ browser }) => {
  test.setTimeout(120_000);
  const page = await adminPage(browser, app);
  await page.getByRole("button", { name: "New skill" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("keep-decisions");
  await page.getByRole("button", { name: "Open in editor" }).click();
  await page.waitForURL("**/skills/new");

  await test.step("the form writes the text", async () => {
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("keep-decisions");
    await page.getByLabel("Description").pressSequentially("Keeps decisions. Use it after a meeting.");
    await page.getByLabel("Allowed tools").fill("Read Bash(git log:*)");
    await page.keyboard.press("Enter");
    await page.getByRole("radio", { name: "Text" }).click();
    const code = page.getByRole("textbox", { name: "Text of SKILL.md" });
    await expect(code).toContainText("name: keep-decisions");
    await expect(code).toContainText("description: Keeps decisions. Use it after a meeting.");
    await expect(code).toContainText("allowed-tools: Read Bash(git log:*)");
  });

  await test.step("a mistake in the text is shown at its line, and the form is disabled", async () => {
    await writeText(page, "---\nname: keep-decisions\ndescription: [Keeps decisions\n---\n\n# Decisions\n");
    await expect(page.locator(".cm-lint-marker").first()).toBeVisible();
    const problem = page.getByRole("button", { name: /The frontmatter is not valid/ });
    await expect(problem).toContainText(/SKILL\.md:[34]/);
    await page.getByRole("radio", { name: "Form" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Frontmatter error on line" })).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toBeDisabled();
    await page.getByRole("button", { name: /Go to line/ }).click();
    await writeText(page, playbook("keep-decisions", "See [the rules](references/rules.md)."));
    await expect(page.getByText("The link to references/rules.md leads to no file")).toBeVisible();
  });

  await test.step("a file is added, renamed and kept over a reload", async () => {
    await page.getByRole("button", { name: "Add file" }).click();
    await page.getByRole("dialog").getByLabel("Path").fill("../rules.md");
    await expect(page.getByRole("dialog").getByText(/refused/)).toBeVisible();
    await page.getByRole("dialog").getByLabel("Path").fill("rules.md");
    await page.getByRole("dialog").getByRole("button", { name: "Add file" }).click();
    await writeText(page, "# Rules\n\nOne line for each.\n");
    await page.getByRole("button", { name: "Rename file" }).click();
    await page.getByRole("dialog").getByLabel("Path").fill("references/rules.md");
    await page.getByRole("dialog").getByRole("button", { name: "Rename file" }).click();
    await expect(page.getByText("The link to references/rules.md leads to no file")).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(/Draft from .* restored/)).toBeVisible();
    await expect(page.getByRole("treeitem", { name: /rules\.md/ })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Text of references/rules.md" })).toContainText(
      "One line for each.",
    );
  });

  await test.step("it is saved as a draft, and submitted", async () => {
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Version 1 is saved as a draft.")).toBeVisible();
    await expect(page).toHaveURL(/\/skills\/[^/]+\/edit\?saved=/);
    const { digest } = await newestOf("keep-decisions");
    expect(await textOf("keep-decisions", digest, "SKILL.md")).toBe(
      playbook("keep-decisions", "See [the rules](references/rules.md)."),
    );
    expect(await textOf("keep-decisions", digest, "references/rules.md")).toBe("# Rules\n\nOne line for each.\n");
    await page.getByRole("button", { name: "Submit for review" }).click();
    await expect(page.getByText("submitted for review").first()).toBeVisible();
    expect((await newestOf("keep-decisions")).state).toBe("pending");
    await page.goto("/skills/new");
    await expect(page.getByText(/Draft from/)).toHaveCount(0);
  });
});

test("when another person saves first, both edits are kept until a person decides", async ({ browser }) => {
  test.setTimeout(120_000);
  const api = apiOf(app);
  const files = [
    { path: "SKILL.md", text: playbook("shared-notes", "First text.") },
    { path: "a.md", text: "A\n" },
  ];
  await api.json("POST", "/api/skills", { files });
  const first = await newestOf("shared-notes");
  const page = await adminPage(browser, app);
  await page.goto("/skills/shared-notes");
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Edit shared-notes" })).toBeVisible();
  await page.getByRole("treeitem", { name: "a.md" }).click();
  await writeText(page, "Mine\n");

  const theirs = playbook("shared-notes", "Their text.");
  await api.json("POST", "/api/skills/shared-notes/versions", {
    files: [
      { path: "SKILL.md", text: theirs },
      { path: "a.md", text: "A\n" },
    ],
    baseDigest: first.digest,
  });

  await page.getByRole("button", { name: "Save version" }).click();
  const conflict = page.getByRole("alert").filter({ hasText: "Another version was saved while you edited" });
  await expect(conflict).toContainText("saved version 2");
  await expect(conflict.getByRole("link", { name: "View their changes" })).toHaveAttribute("href", /compare=/);
  await conflict.getByRole("button", { name: "Discard my edit" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard my edit" }).click();
  await expect(page.getByRole("textbox", { name: "Text of a.md" })).toContainText("A");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("textbox", { name: "Text of a.md" })).toContainText("Mine");

  await page.getByRole("button", { name: "Save version" }).click();
  await conflict.getByRole("button", { name: "Compare and save on top" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("region", { name: "Changes in a.md" })).toContainText("Mine");
  await expect(dialog.getByRole("region", { name: "Changes in SKILL.md" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Save on top of version 2" }).click();
  await expect(page.getByText("Version 3 is saved as a draft.")).toBeVisible();
  const newest = await newestOf("shared-notes");
  expect(newest.number).toBe(3);
  expect(await textOf("shared-notes", newest.digest, "SKILL.md")).toBe(theirs);
  expect(await textOf("shared-notes", newest.digest, "a.md")).toBe("Mine\n");

  await page.getByRole("button", { name: "Save version" }).click();
  await expect(page.getByText("No changes: the files equal version 3").first()).toBeVisible();
  await page.getByRole("link", { name: "Open versions" }).click();
  await page.getByRole("button", { name: "Show changes" }).first().click();
  await expect(page.getByRole("region", { name: "Changes in a.md" })).toContainText("Mine");
});

test("a change in the form leaves every other byte as it is", async ({ browser }) => {
  const text = `\ufeff---\r\n# Written by hand\r\nname:   odd-bytes # stays\r\nx-own: {a: 1,   b: 'two'}\r\ndescription: 'Old words. Use them never.'\r\n---\r\n\r\n# Odd\t\r\n`;
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
  await apiOf(app).json("POST", "/api/skills", {
    files: [
      { path: "SKILL.md", text },
      { path: "logo.png", base64: png.toString("base64") },
    ],
  });
  const page = await adminPage(browser, app);
  await page.goto("/skills/odd-bytes/edit");
  await page.getByRole("treeitem", { name: "logo.png" }).click();
  await expect(page.getByText("Binary file, 8 B.")).toBeVisible();
  await page.getByRole("treeitem", { name: "SKILL.md" }).click();
  await page.getByRole("radio", { name: "Form" }).click();
  await page.getByLabel("Description").fill("New words. Use them now.");
  await page.getByRole("button", { name: "Save version" }).click();
  await expect(page.getByText("Version 2 is saved as a draft.")).toBeVisible();
  const { digest } = await newestOf("odd-bytes");
  expect(await textOf("odd-bytes", digest, "SKILL.md")).toBe(
    text.replace("Old words. Use them never.", "New words. Use them now."),
  );
  expect(await textOf("odd-bytes", digest, "logo.png")).toBe(png.toString("utf8"));
});

test("errors prevent saving, and F8 goes to them", async ({ browser }) => {
  await apiOf(app).installPack("echo_text", [
    {
      path: "skill.json",
      text: JSON.stringify({ name: "echo_text", description: "Echoes.", class: "safe", entry: "run.sh", schema: {} }),
    },
    { path: "run.sh", text: "#!/bin/sh\ncat\n", executable: true },
  ]);
  const page = await adminPage(browser, app);
  await page.goto("/skills/echo_text/edit");
  await page.getByRole("treeitem", { name: /run\.sh/ }).click();
  await page.getByRole("checkbox", { name: "Executable" }).click();
  await expect(page.getByText("is not executable").first()).toBeVisible();
  await page.getByRole("checkbox", { name: "Executable" }).click();
  await page.getByRole("treeitem", { name: "skill.json" }).click();
  await writeText(page, '{\n  "name": "echo_text",\n  "entry": \n}\n');
  await expect(page.locator(".cm-lint-marker-error")).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Not saved. Correct the errors first.").first()).toBeVisible();
  await page.keyboard.press("F8");
  await expect(page.locator(".cm-activeLineGutter").first()).toContainText(/[34]/);
  expect((await newestOf("echo_text")).number).toBe(1);
});

const LOOKS = [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 390 },
] as const;

for (const { theme, width } of LOOKS) {
  test(`the editor, ${theme}, ${width} px wide: axe finds nothing and nothing overflows`, async ({ browser }) => {
    const api = apiOf(app);
    const name = `look-${theme}-${width}`;
    await api.json("POST", "/api/skills", {
      files: [{ path: "SKILL.md", text: playbook(name, "Words `code` [link](x.md).") }],
    });
    const context = await browser.newContext({
      baseURL: app.url,
      viewport: { width, height: 844 },
      colorScheme: theme,
    });
    const page = await context.newPage();
    watchConsole(page);
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill(ADMIN.email);
    await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/skills");
    const inspect = async (where: string) => {
      expect(await problemsOf(page), where).toEqual([]);
    };
    await page.goto(`/skills/${name}/edit`);
    await expect(page.getByRole("textbox", { name: "Text of SKILL.md" })).toContainText("Words");
    await inspect("text");
    await page.getByRole("radio", { name: "Form" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
    await inspect("form");
    if (width === 390) {
      for (const part of ["Files", "Preview", "Problems"]) {
        await page.getByRole("navigation", { name: "Editor panes" }).getByRole("button", { name: part }).click();
        await inspect(part);
      }
    }
    await context.close();
  });
}

test("axe finds nothing in the editor of a long file", async ({ browser }) => {
  const long = Array.from({ length: 300 }, (_, index) => `Line ${index} of a long playbook.`).join("\n\n");
  const skill = await apiOf(app).importPack("long-text", [{ path: "SKILL.md", text: playbook("long-text", long) }]);
  const page = await adminPage(browser, app);
  await page.goto(`/skills/${skill.id}/edit`);
  await expect(page.getByRole("textbox", { name: "Text of SKILL.md" })).toBeVisible();
  expect(await problemsOf(page)).toEqual([]);
});
