import { expect, type Page, test } from "playwright/test";
import { realTools } from "@/components/schema-form/testing/real-tools";
import { apiOf, shellPack } from "../fixtures/api";
import { problemsOf } from "../fixtures/problems-of";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

/** The forms with the most kinds of fields: choices, lists, nested objects, free objects, constants. */
const tried = [
  "playwright browser_fill_form",
  "github push_files",
  "mongodb find",
  "brave web_search",
  "GitHub repos/update-branch-protection",
  "PagerDuty createIncident",
  "OpenAI createChatCompletion",
  "SendGrid SendMail",
];
const print = (text: string) => `#!/bin/sh\ncat > /dev/null\nprintf '%s' '${text}'\n`;
const results = {
  reports: JSON.stringify("# Weekly report\n\nAll **good**.\n"),
  differs: JSON.stringify({ patch: "--- a/app.py\n+++ b/app.py\n@@ -1,1 +1,1 @@\n-old\n+new\n" }),
  writes: JSON.stringify({ files: [{ path: "out/notes.txt", content: "hello" }] }),
};
let app: App;
let page: Page;

test.beforeAll(async ({ browser }) => {
  app = await startApp();
  const api = apiOf(app);
  for (const [index, name] of tried.entries()) {
    const tool = realTools.find((one) => one.name === name);
    const pack = shellPack(`tool_${index}`, "#!/bin/sh\ncat\n", { label: name, schema: tool?.schema });
    await api.installPack(`tool_${index}`, pack);
  }
  for (const [name, json] of Object.entries(results)) await api.installPack(name, shellPack(name, print(json)));
  await api.installPack("fails", shellPack("fails", "#!/bin/sh\necho 'cannot find the file' >&2\nexit 7\n"));
  page = await adminPage(browser, app);
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("axe finds nothing in the opened forms of tools in use", async () => {
  for (const index of tried.keys()) {
    await page.goto(`/skills/tool_${index}/run`);
    const args = page.getByRole("region", { name: "Arguments" });
    await expect(args.getByText("Loading the form")).toHaveCount(0);
    for (const name of await args.getByRole("button", { name: /^Add/ }).allTextContents()) {
      await args.getByRole("button", { name: name.trim() }).first().click();
    }
    await page.evaluate(() => window.scrollTo(0, 0));
    expect({ form: tried[index], problems: await problemsOf(page) }).toEqual({ form: tried[index], problems: [] });
  }
});

test("errors are said once, marked in the JSON, and reached with the keyboard", async () => {
  await page.goto("/skills/tool_1/run");
  await expect(page.getByLabel("Owner")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Enter a value", { exact: true })).toHaveCount(4);
  await expect(page.locator("[data-wrong]")).toHaveCount(1);
  const link = page.getByRole("button", { name: "Branch", exact: true });
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Branch")).toBeFocused();
  await page.keyboard.type("main");
  await expect(page.getByText("Enter a value", { exact: true })).toHaveCount(3);
});

test("a finished run shows its result first, as what it is", async () => {
  const above = async (name: string, part: ReturnType<Page["getByRole"]>) => {
    await page.goto(`/skills/${name}/run`);
    await expect(page.getByRole("button", { name: `Run ${name}` })).toBeEnabled();
    await page.locator("body").press("r");
    await expect(part).toBeVisible();
    const log = page.getByRole("heading", { name: "Log" });
    const [result, lines] = [await part.boundingBox(), await log.boundingBox()];
    expect(result?.y).toBeLessThan(lines?.y ?? 0);
  };
  await above("reports", page.getByRole("heading", { name: "Weekly report" }));
  await above("differs", page.getByRole("region", { name: "Changes in app.py" }));
  await above("writes", page.getByRole("button", { name: "Download out/notes.txt" }));
  await above("fails", page.getByText("The program failed with exit code 7."));
  await expect(page.getByText(/exit code/i)).toHaveCount(1);
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Skill sections" })).toBeVisible();
});
