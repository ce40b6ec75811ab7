import { expect, type Page, test } from "playwright/test";
import { PEOPLE, settled, signIn, startSeededApp } from "../fixtures/seeded-app";
import { SEEDED_PAGES } from "../fixtures/seeded-pages";
import type { App } from "../fixtures/start-app";

let app: App;
let page: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  app = await startSeededApp();
  page = await (await browser.newContext()).newPage();
  await signIn(page, app, PEOPLE.admin);
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

const PAGES = [
  ...SEEDED_PAGES,
  "/skills/csv_summary?tab=improve",
  "/skills/csv_summary/edit",
  "/skills/new",
  "/approvals?show=asked",
];

/** Elements that show names, code and other text that people or programs chose. */
const OTHERS_TEXT = "code, pre, kbd, bdi, samp, textarea, time, script, style, svg, .cm-editor, .prose, .font-mono";

/** Names of people, skills and the like come with the seed; these are not values of an enum. */
const NAMES = /^(https?:|\/|\.|@)|@|\.[a-z]{2,4}$|\d/;

/** The words of a page that are written like a value or a key: `pending_review`, `needsApproval`. Hyphens are left out, since English uses them. */
async function rawWordsOf(place: Page): Promise<string[]> {
  const texts = await place.evaluate((others) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node;
      // Screen readers read hidden labels too, so these count; what is not rendered at all does not.
      if (parentElement && !parentElement.closest(others) && parentElement.getClientRects().length > 0)
        found.push(node.textContent ?? "");
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
      if (element.closest(others)) continue;
      for (const name of ["aria-label", "title", "placeholder"]) found.push(element.getAttribute(name) ?? "");
    }
    return found;
  }, OTHERS_TEXT);
  const words = texts.flatMap((text) => text.split(/[\s,;:()“”"'’…/]+/)).filter((word) => !NAMES.test(word));
  return [...new Set(words.filter((word) => /^[a-z]+(_[a-z]+)+$|^[a-z]+([A-Z][a-z]+)+$/.test(word)))];
}

/** Names of skills, tools, tokens and edges of the seeded world, also of those that only the audit log still names. */
async function knownNames(): Promise<ReadonlySet<string>> {
  const itemsOf = async (path: string) => (await (await page.request.get(app.url + path)).json()).items;
  const listed: { name: string; toolName?: string; allowedTools?: string[] | null }[] = [
    ...(await itemsOf("/api/skills?limit=100")),
    ...(await itemsOf("/api/tokens?limit=100")),
  ];
  const events: { target: { name: string } | null }[] = await itemsOf("/api/audit?limit=100");
  return new Set([
    ...listed.flatMap(({ name, toolName, allowedTools }) => [name, toolName ?? name, ...(allowedTools ?? [])]),
    ...listed.flatMap(({ allowedTools }) => (allowedTools ?? []).flatMap((tool) => tool.split("__"))),
    ...events.flatMap(({ target }) => target?.name ?? []),
  ]);
}

async function firstOf(path: string): Promise<{ id: string }[]> {
  return (await (await page.request.get(app.url + path)).json()).items.slice(0, 1);
}

test("no page shows a raw value or key in place of a label", async () => {
  test.setTimeout(600_000);
  const runs = await firstOf("/api/runs?limit=1");
  const reviews = (await (await page.request.get(`${app.url}/api/reviews?limit=1`)).json()).items as {
    digest: string;
    skill: { id: string };
  }[];
  const more = [
    ...runs.map(({ id }) => `/runs/${id}`),
    ...reviews.slice(0, 1).map(({ skill, digest }) => `/reviews/${skill.id}/${digest}`),
  ];
  const found: [path: string, word: string][] = [];
  for (const path of [...PAGES, ...more]) {
    await page.goto(app.url + path);
    await settled(page);
    for (const word of await rawWordsOf(page)) found.push([path, word]);
  }
  // Read last: the worker uploads its built-in skills while the pages are walked.
  const names = await knownNames();
  expect(found.filter(([, word]) => !names.has(word))).toEqual([]);
});

test("select boxes list labels", async () => {
  test.setTimeout(300_000);
  const names = await knownNames();
  const found: string[] = [];
  for (const path of ["/runs", "/audit", "/catalog", "/agents/traces", "/settings/instance", "/schedules"]) {
    await page.goto(app.url + path);
    await settled(page);
    for (const text of await page.locator("option").allTextContents())
      if (/^[a-z]+(_[a-z]+)+$|^[a-z]+([A-Z][a-z]+)+$/.test(text) && !names.has(text)) found.push(`${path}: ${text}`);
  }
  expect(found).toEqual([]);
});
