import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "playwright/test";
import { type FakeGitHub, startFakeGitHub } from "../fixtures/fake-github/start-fake-github";
import { PEOPLE, settled, signIn, startSeededApp } from "../fixtures/seeded-app";
import type { App } from "../fixtures/start-app";

// Writes the pictures of README and docs. `npm test` leaves this file out: SKILLGATE_PICTURES=1 npx playwright test e2e/pictures

const folder = fileURLToPath(new URL("../../docs/pictures", import.meta.url));
const MAX_BYTES = 120_000;

const OFFERED = {
  "api-changelog": "Compares two OpenAPI documents and lists what breaks for clients.",
  "brand-voice": "Rewrites a text in the voice of the brand guide.",
  "chart-from-table": "Draws a bar, line or scatter chart from a table.",
  "dependency-audit": "Lists outdated and vulnerable packages of a repository.",
  "docx-report": "Writes a Word report from an outline and tables.",
  "form-filler": "Fills in the fields of a PDF form.",
  "log-timeline": "Orders the lines of several logs by time and marks gaps.",
  "meeting-minutes": "Turns a transcript into decisions, tasks and open questions.",
  "schema-migration": "Plans a database migration without downtime.",
  "slide-deck": "Builds a slide deck from an outline.",
  "test-data": "Generates rows that satisfy a table's constraints.",
  "threat-model": "Lists assets, entry points and threats of a design.",
};

type Item = { id: string; digest: string; skill: { id: string; name: string } };

let app: App;
let github: FakeGitHub;

test.beforeAll(async () => {
  github = await startFakeGitHub();
  const repository = await github.repository("acme/agent-skills");
  const playbooks = Object.entries(OFFERED).map(([name, description]) => [
    `skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\nallowed-tools: Read\nlicense: MIT\n---\n\n# ${name}\n\n${description}\n`,
  ]);
  await repository.commit(Object.fromEntries(playbooks));
  app = await startSeededApp({ GITHUB_API_URL: github.apiUrl, GITHUB_RAW_URL: github.rawUrl });
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
  await github.close();
});

test("the five main pages, light, 1280 by 800", async ({ browser }) => {
  test.setTimeout(300_000);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  const page = await context.newPage();
  await signIn(page, app, PEOPLE.admin);
  await addSource(page);

  await take(page, "my-skills", "/skills");
  await expect(async () => {
    await page.goto(`${app.url}/catalog`);
    await expect(page.getByRole("link", { name: "threat-model" })).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  await take(page, "catalog", "/catalog");
  const [run] = await items(page, "/api/runs?skill=csv_summary&state=succeeded&limit=1");
  await take(page, "run", `/runs/${run?.id}`);
  await take(page, "audit", "/audit");

  await context.clearCookies();
  await signIn(page, app, PEOPLE.reviewer);
  const reviews = await items(page, "/api/reviews?limit=100");
  const review = reviews.find(({ skill }) => skill.name === "cache_purge") ?? reviews[0];
  await take(page, "review", `/reviews/${review?.skill.id}/${review?.digest}`);
  await context.close();
});

async function addSource(page: Page): Promise<void> {
  const source = { label: "acme/agent-skills", repoUrl: "https://github.com/acme/agent-skills", sync: true };
  const status = await page.evaluate(async (body) => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/admin/catalog-sources", { method: "POST", headers, body })).status;
  }, JSON.stringify(source));
  expect(status).toBe(201);
}

async function items(page: Page, path: string): Promise<Item[]> {
  return (await (await page.request.get(app.url + path)).json()).items;
}

async function take(page: Page, name: string, path: string): Promise<void> {
  await page.goto(app.url + path);
  await settled(page);
  await page.evaluate(() => document.fonts.ready.then(() => true));
  const png = await withPalette(await page.screenshot({ animations: "disabled" }));
  expect(png.length, `${name}.png, bytes`).toBeLessThan(MAX_BYTES);
  await writeFile(join(folder, `${name}.png`), png);
}

/** The picture with at most 256 colours, by the `sharp` that Next installs. */
async function withPalette(png: Buffer): Promise<Buffer> {
  const requireOfNext = createRequire(createRequire(import.meta.url).resolve("next/package.json"));
  const sharp = requireOfNext("sharp");
  return sharp(png).png({ palette: true, compressionLevel: 9, effort: 10 }).toBuffer();
}
