import { expect, type Page, test } from "playwright/test";
import { apiOf, type PackFile } from "../fixtures/api";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const esc = "\\033";
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const reports: PackFile[] = [
  {
    path: "skill.json",
    text: JSON.stringify({
      name: "scan_reports",
      label: "Scan reports",
      description: "Looks through reports.",
      class: "safe",
      entry: "run.sh",
      env_allow: ["PATH"],
      schema: {
        type: "object",
        properties: {
          folder: { type: "string", title: "Folder", default: "/srv", examples: ["/srv/data"] },
          depth: { type: "integer", title: "Depth", minimum: 0, maximum: 9 },
        },
        required: ["folder"],
      },
    }),
  },
  {
    path: "run.sh",
    executable: true,
    text: [
      "#!/bin/sh",
      "read -r args",
      "i=1",
      'while [ "$i" -le 60 ]; do',
      `  if [ "$i" = 40 ]; then printf '${esc}[31merror:${esc}[0m report %s is broken\\n' "$i" >&2`,
      `  else printf 'report %s is fine\\n' "$i" >&2; fi`,
      "  i=$((i + 1))",
      "done",
      `case $args in *'"depth":2'*) last=b ;; *) last=a ;; esac`,
      `printf '{"files":[{"name":"b.csv","rows":9},{"name":"a.csv","rows":10}],"last":"%s"}' "$last"`,
      "",
    ].join("\n"),
  },
];

const picture: PackFile[] = [
  {
    path: "skill.json",
    text: JSON.stringify({
      name: "draws",
      description: "Draws.",
      class: "safe",
      entry: "run.sh",
      env_allow: ["PATH"],
      schema: { type: "object" },
    }),
  },
  { path: "run.sh", executable: true, text: `#!/bin/sh\nprintf '{"mimeType":"image/png","data":"${png}"}'\n` },
];

let app: App;
let page: Page;
let first: { id: string };
let second: { id: string };

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  app = await startApp();
  const api = apiOf(app);
  await api.installPack("scan_reports", reports);
  await api.installPack("draws", picture);
  first = await api.run("scan_reports", { folder: "/srv" });
  second = await api.run("scan_reports", { folder: "/srv", depth: 2 });
  page = await adminPage(browser, app);
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("form and JSON show the same arguments, and invalid input stays as typed", async () => {
  await page.goto("/skills/scan_reports/run");
  const json = page.getByLabel("Arguments as JSON", { exact: true });
  await expect(page.getByRole("region", { name: "Permissions of this run" })).toContainText("Network");
  await page.getByLabel("Folder").fill("/srv/north");
  await expect(json).toHaveValue(/"\/srv\/north"/);
  await json.fill('{"folder": "/srv/south", "depth": 12}');
  await expect(page.getByLabel("Folder")).toHaveValue("/srv/south");
  await expect(page.getByLabel("Depth")).toHaveAttribute("aria-invalid", "true");
  await json.fill('{"folder": ');
  await page.getByLabel("Folder").fill("/srv/west");
  await expect(json).toHaveValue('{"folder": ');
  await page.getByRole("button", { name: "Discard JSON" }).click();
  await expect(json).toHaveValue(/"\/srv\/west"/);
  await page.getByRole("button", { name: "Fill in" }).click();
  await page.getByRole("menuitem", { name: "Example" }).click();
  await expect(page.getByLabel("Folder")).toHaveValue("/srv/data");
});

test("a log can be searched, and a line linked", async () => {
  await page.goto(`/runs/${first.id}#L40-L41`);
  await expect(page.locator("[data-linked]")).toHaveCount(2);
  await expect(page.locator('[data-line="40"]')).toBeInViewport();
  expect(await page.getByText("error:", { exact: true }).evaluate((word) => getComputedStyle(word).color)).not.toBe(
    await page.locator('[data-line="41"]').evaluate((row) => getComputedStyle(row).color),
  );
  await page.keyboard.press("/");
  await page.keyboard.type("report 1");
  await expect(page.getByText("of 11", { exact: false })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Enter");
  await expect(page.locator("mark[data-current]")).toHaveText("report 1");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Line 5", exact: true }).click();
  await page.getByRole("link", { name: "Line 7", exact: true }).click({ modifiers: ["Shift"] });
  expect(new URL(page.url()).hash).toBe("#L5-L7");
});

test("a result is shown as a sortable table or as a picture", async () => {
  await page.goto(`/runs/${first.id}?result=table`);
  const cells = page.getByRole("table", { name: "Result" }).getByRole("cell");
  await expect(cells.first()).toHaveText("b.csv");
  await page.getByRole("button", { name: "rows" }).click();
  await page.getByRole("button", { name: "rows" }).click();
  await expect(cells.first()).toHaveText("a.csv");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as CSV" }).click();
  expect((await download).suggestedFilename()).toBe(`run-${first.id}.csv`);
  const drawn = await apiOf(app).run("draws");
  await page.goto(`/runs/${drawn.id}`);
  const image = page.getByRole("img", { name: "Result" });
  await expect(image).toBeVisible();
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
});

test("two runs are compared, at an address that can be shared", async () => {
  await page.goto(`/runs/${second.id}`);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(new RegExp(`compare=${first.id}`));
  await expect(page.getByRole("region", { name: "Arguments", exact: true })).toContainText("$.depth");
  await expect(page.getByRole("region", { name: "Result", exact: true })).toContainText("$.last");
  await page.reload();
  await expect(page.getByRole("region", { name: "Result", exact: true })).toContainText("1 changed");
});

test("a key starts the same run again", async () => {
  await page.goto(`/runs/${second.id}`);
  await expect(page.getByRole("button", { name: "Run again" })).toBeVisible();
  await expect(page.getByText("Succeeded", { exact: true }).first()).toBeVisible();
  await page.keyboard.press("r");
  await page.waitForURL((url) => url.pathname.startsWith("/runs/") && !url.pathname.endsWith(second.id));
  await expect(page.getByText("Succeeded", { exact: true }).first()).toBeVisible();
});
