import { expect, type Page, test } from "playwright/test";
import { titleOfKey } from "@/components/schema-form/titles";
import { apiOf, type PackFile, shellPack, until } from "../fixtures/api";
import { openEveryFile } from "../fixtures/open-files";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";
import { type Edge, startEdge } from "../fixtures/start-edge";

const GREET = shellPack("greet_back", "#!/bin/sh\ncat\n", {
  label: "Greet back",
  description: "Says what it was told.",
  schema: {
    type: "object",
    properties: { text: { type: "string", title: "What to say" } },
    required: ["text"],
    additionalProperties: false,
  },
});

const PLACE = shellPack("tell_place", '#!/bin/sh\nprintf \'{"place": "%s"}\' "$EDGE_PLACE"\n', {
  label: "Tell the place",
  description: "Says where it runs.",
  env_allow: ["EDGE_PLACE"],
  schema: {
    type: "object",
    properties: { note: { type: "string", title: "A note for the log" } },
    additionalProperties: false,
  },
});

const COUNT: PackFile[] = [
  {
    path: "SKILL.md",
    text: "---\nname: count-words\ndescription: Counts words with a script.\n---\n\n# Count words\n\nRun scripts/count.py.\n",
  },
  {
    path: "scripts/count.py",
    text: [
      "import argparse",
      "parser = argparse.ArgumentParser()",
      'parser.add_argument("words", nargs="+", help="Words to count")',
      "print(len(parser.parse_args().words))",
      "",
    ].join("\n"),
  },
];

const COUNT_ENTRY = {
  path: "scripts/count.py",
  call: { style: "argv", standard: true, params: [{ name: "words", kind: "positional", repeat: true }] },
  schema: {
    type: "object",
    properties: { words: { type: "array", title: "Words to count", items: { type: "string" }, minItems: 1 } },
    required: ["words"],
    additionalProperties: false,
  },
  output: "text",
};

const PIPELINE: PackFile[] = [
  {
    path: "skill.toml",
    text: [
      "[skill]",
      'name = "greet_twice"',
      'description = "Greets, and greets again with the answer."',
      ...step('{"text": "{topic}"}', "first"),
      ...step('{"text": "again {topic}"}', "second"),
      "",
    ].join("\n"),
  },
];

function step(template: string, key: string): string[] {
  return [
    "[[skill.steps]]",
    'tool_name = "greet_back"',
    `arguments_template = '''${template}'''`,
    `output_key = "${key}"`,
  ];
}

let app: App;
const edges: Edge[] = [];

// The last three tests use the same edges.
test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  app = await startApp();
  await install("greet_back", GREET);
});

test.afterAll(async () => {
  for (const edge of edges) await edge.remove();
  await app.stop();
  app.remove();
});

type Metadata = {
  id: string;
  name: string;
  toolName: string;
  label: string | null;
  class: string;
  scope: string;
  schema: Schema | null;
  callSchema: Schema | null;
  runnable: boolean;
};
type Schema = { properties?: Record<string, { title?: string; type?: string }>; required?: string[] };

/** Returns the metadata of a skill; by id, by name, by tool name and in the list they must be the same. */
async function metadataOf(name: string): Promise<Metadata> {
  const api = apiOf(app);
  const skill: Metadata = await api.json("GET", `/api/skills/${name}`);
  const listed = await api.json("GET", `/api/skills?q=${name}&limit=100`);
  expect(await api.json("GET", `/api/skills/${skill.toolName}`)).toEqual(skill);
  expect(listed.items.find(({ id }: Metadata) => id === skill.id)).toEqual(skill);
  expect(skill).toMatchObject({ name, runnable: true });
  return skill;
}

async function expectForm(page: Page, skill: Metadata): Promise<void> {
  await page.goto(`/skills/${skill.name}/run`);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: skill.label ?? skill.name })).toBeVisible();
  await expect(main.getByText(skill.class, { exact: true }).first()).toBeVisible();
  const form = page.getByRole("region", { name: "Arguments" });
  const properties = Object.entries(skill.callSchema?.properties ?? {});
  for (const [name, { title }] of properties) {
    await expect(form.getByText(title ?? titleOfKey(name), { exact: true }).first()).toBeVisible();
  }
  // A switch has a value without input, so it has no such mark.
  const marked = properties.filter(([, { type }]) => type !== "boolean").map(([name]) => name);
  const optional = marked.filter((name) => !skill.callSchema?.required?.includes(name)).length;
  await expect(form.getByText("Optional", { exact: true })).toHaveCount(optional);
  await page.getByRole("button", { name: "Copy as" }).click();
  await expect(page.getByRole("dialog")).toContainText(`/api/skills/${skill.toolName}/runs`);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

async function runOnPage(page: Page) {
  await page.getByRole("button", { name: /^Run / }).first().click();
  await page.waitForURL(/[?&]run=/);
  await expect(page.getByRole("status").getByText("Succeeded", { exact: true })).toBeVisible();
  return apiOf(app).json("GET", `/api/runs/${new URL(page.url()).searchParams.get("run")}`);
}

/** Runs the skill by API under its tool name with the arguments of the form, and compares both with the description. */
async function expectSameByApi(skill: Metadata, fromForm: Record<string, unknown>, args: Record<string, unknown>) {
  const run = await apiOf(app).run(skill.toolName, args);
  const shared = {
    state: "succeeded",
    class: skill.class,
    skill: { id: skill.id, name: skill.name, label: skill.label },
  };
  expect(fromForm).toMatchObject(shared);
  expect(run).toMatchObject({ ...shared, args: fromForm.args, versionDigest: fromForm.versionDigest });
  return run;
}

async function install(name: string, files: PackFile[], given: Record<string, unknown> = {}): Promise<void> {
  const api = apiOf(app);
  const { id, pendingVersion } = await api.importPack(name, files);
  const decision = { decision: "approve", class: "safe", ...given };
  await api.json("POST", `/api/skills/${id}/versions/${pendingVersion.digest}/decisions`, decision);
  await api.json("PATCH", `/api/skills/${id}`, { enabled: true });
}

async function chooseEdge(page: Page, name: string): Promise<void> {
  const choice = page.getByRole("combobox", { name: "Edge" });
  const label = await choice.locator("option", { hasText: name }).textContent();
  await choice.selectOption({ label: label ?? "" });
}

test("a pack runs from the form and from the API, by one description", async ({ browser }) => {
  const page = await adminPage(browser, app);
  const skill = await metadataOf("greet_back");
  expect(skill.callSchema).toEqual(skill.schema);
  await expectForm(page, skill);
  await page.getByLabel("What to say").fill("good evening");
  const fromForm = await runOnPage(page);
  const run = await expectSameByApi(skill, fromForm, { text: "good evening" });
  expect([fromForm.result, run.result]).toEqual([{ text: "good evening" }, { text: "good evening" }]);
});

test("a built-in runs from the form and from the API, by one description", async ({ browser }) => {
  // The worker submits the built-ins, and the release approves them a moment later.
  const builtin = async () => {
    const response = await apiOf(app).send("GET", "/api/skills/query_edges");
    return response.ok ? response.json() : null;
  };
  await until(builtin, (skill) => skill?.enabled === true, 60);
  const page = await adminPage(browser, app);
  const skill = await metadataOf("query_edges");
  expect(skill).toMatchObject({ builtin: true, scope: "manager", trust: { tier: "bundled", signature: "verified" } });
  expect(skill.callSchema).toEqual(skill.schema);
  await expectForm(page, skill);
  await page.getByLabel("Name", { exact: true }).fill("local");
  const fromForm = await runOnPage(page);
  const run = await expectSameByApi(skill, fromForm, fromForm.args);
  expect(run.result).toMatchObject({ total: 1, edges: [{ name: "local", online: true }] });
  expect(fromForm.result).toMatchObject({ total: 1 });
});

test("a script that a reviewer made an entry runs from the form and from the API, by one description", async ({
  browser,
}) => {
  await install("count-words", COUNT, { entry: COUNT_ENTRY });
  const page = await adminPage(browser, app);
  const skill = await metadataOf("count-words");
  expect(skill).toMatchObject({ toolName: "count_words", schema: COUNT_ENTRY.schema, callSchema: COUNT_ENTRY.schema });
  await expectForm(page, skill);
  await fillWords(page, ["--help", "two"]);
  const fromForm = await runOnPage(page);
  const run = await expectSameByApi(skill, fromForm, { words: ["--help", "two"] });
  expect([fromForm.result, run.result]).toEqual(["2", "2"]);
});

test("a pipeline runs from the form and from the API, by one description, with each step a run of its own", async ({
  browser,
}) => {
  await install("greet_twice", PIPELINE);
  const page = await adminPage(browser, app);
  const skill = await metadataOf("greet_twice");
  // The template names the argument; the schema of the called tool describes it.
  expect(skill.callSchema?.properties).toMatchObject({ topic: { type: "string", title: "What to say" } });
  await expectForm(page, skill);
  await page.getByLabel("What to say").fill("tea");
  const fromForm = await runOnPage(page);
  const run = await expectSameByApi(skill, fromForm, { topic: "tea" });
  for (const { result } of [fromForm, run]) {
    expect(result).toMatchObject({
      result: { text: "again tea" },
      steps: [
        { key: "first", state: "succeeded", result: { text: "tea" } },
        { key: "second", state: "succeeded", result: { text: "again tea" } },
      ],
    });
    const child = await apiOf(app).json("GET", `/api/runs/${result.steps[0].runId}`);
    expect(child).toMatchObject({ skill: { name: "greet_back" }, stepIndex: 0, state: "succeeded" });
  }
});

test("an edge: added on the page, its pack reviewed, run with the edge chosen in the form and from the API", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const page = await adminPage(browser, app);
  await test.step("an admin adds it and gets the command that starts it", async () => {
    const token = await addEdge(page, "edge-north");
    edges.push(
      startEdge({
        url: app.url,
        name: "edge-north",
        token,
        skills: { place: PLACE },
        env: { EDGE_PLACE: "north", SKILLGATE_WORKER_ENV: "EDGE_PLACE" },
      }),
    );
  });

  await test.step("it comes online with the pack of its directory, which waits for review", async () => {
    const row = page.getByRole("listitem").filter({ hasText: "edge-north" });
    await expect(row.getByText("Online", { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(row.getByText(/^\d+ skills$/)).toBeVisible();
    await row.getByText(/^\d+ skills$/).click();
    const pack = row
      .getByRole("list", { name: "Skills of edge-north" })
      .getByRole("listitem")
      .filter({ hasText: "tell_place" });
    await expect(pack.getByText("Host", { exact: true })).toBeVisible({ timeout: 30_000 });
    await pack.getByRole("link").last().click();
    await page.waitForURL("**/reviews/**");
  });

  const place = () => apiOf(app).json("GET", "/api/skills/tell_place");
  await test.step("it is approved and switched on", async () => {
    await openEveryFile(page);
    await page.getByRole("button", { name: "Approve version" }).click();
    await until(place, ({ currentVersion }) => currentVersion !== null);
    await page.goto("/skills/tell_place");
    await page.getByRole("switch", { name: /Tell the place/ }).click();
    // The switch shows the requested state before the server has answered.
    await until(place, ({ enabled }) => enabled);
  });

  const skill = await metadataOf("tell_place");
  expect(skill).toMatchObject({ scope: "host", builtin: false, trust: { tier: "workspace" } });
  expect(skill.callSchema?.required).toEqual(["edge_id"]);
  expect(Object.keys(skill.callSchema?.properties ?? {})).toEqual(["edge_id", "note"]);
  expect(Object.keys(skill.schema?.properties ?? {})).toEqual(["note"]);
  await expectForm(page, skill);
  await chooseEdge(page, "edge-north");
  await page.getByLabel("A note for the log").fill("from the form");
  const fromForm = await runOnPage(page);
  const run = await expectSameByApi(skill, fromForm, { edge_id: "edge-north", note: "from the form" });
  for (const one of [fromForm, run]) {
    expect(one).toMatchObject({
      result: { place: "north" },
      args: { note: "from the form" },
      worker: { name: "edge-north" },
    });
  }
});

test("a killed edge comes back, and the run that waited for it runs once", async ({ browser }) => {
  test.setTimeout(120_000);
  const [north] = edges;
  const api = apiOf(app);
  await north?.kill();
  // A run requested before the server detects the lost edge may be leased to it, and lost with it.
  const isAway = ({ name, online }: { name: string; online: boolean }) => name === "edge-north" && !online;
  await until(
    () => api.json("GET", "/api/edges?skill=tell_place"),
    ({ items }) => items.some(isAway),
    60,
  );
  const waiting = await api.run("tell_place", { edge_id: "edge-north", note: "while it was away" }, 0);
  const page = await adminPage(browser, app);
  await page.goto(`/runs/${waiting.id}`);
  await expect(page.getByText("Queued", { exact: true }).first()).toBeVisible();
  north?.start();
  await expect(page.getByText("Succeeded", { exact: true }).first()).toBeVisible({ timeout: 30_000 });
  const { items } = await api.json("GET", "/api/runs?skill=tell_place&limit=100");
  const told = items.filter((run: { args: { note?: string } }) => run.args.note === "while it was away");
  expect(told).toMatchObject([{ id: waiting.id, state: "succeeded", attempt: 1, worker: { name: "edge-north" } }]);
});

test("one request runs on two edges, and their results are shown side by side", async ({ browser }) => {
  const api = apiOf(app);
  const { token } = await api.json("POST", "/api/admin/workers", { name: "edge-south" });
  edges.push(
    startEdge({
      url: app.url,
      name: "edge-south",
      token,
      skills: { place: PLACE },
      env: { EDGE_PLACE: "south", SKILLGATE_WORKER_ENV: "EDGE_PLACE" },
    }),
  );
  await until(
    () => api.json("GET", "/api/edges?skill=tell_place"),
    ({ items }) =>
      items.filter((edge: { online: boolean; offers: boolean }) => edge.online && edge.offers).length === 2,
  );
  const page = await adminPage(browser, app);
  await page.goto("/skills/tell_place/run");
  await page.getByRole("button", { name: "Run on several edges" }).click();
  const dialog = page.getByRole("dialog");
  for (const name of ["edge-north", "edge-south"]) await expect(dialog.getByRole("checkbox", { name })).toBeChecked();
  await dialog.getByRole("button", { name: "Run on 2 edges" }).click();
  await page.waitForURL("**/runs/groups/*");
  const table = page.getByRole("table", { name: "Runs on each edge" });
  for (const name of ["edge-north", "edge-south"]) {
    await expect(
      table.getByRole("row").filter({ hasText: name }).getByText("Succeeded", { exact: true }),
    ).toBeVisible();
  }
  const place = page.getByRole("table", { name: "Results side by side" }).getByRole("row").filter({ hasText: "place" });
  for (const text of ["Differs", "north", "south"]) await expect(place.getByText(text)).toBeVisible();
  const { items } = await api.json("GET", `/api/runs?group=${page.url().split("/").pop()}`);
  expect(items.map((run: { result: unknown }) => JSON.stringify(run.result)).sort()).toEqual([
    '{"place":"north"}',
    '{"place":"south"}',
  ]);
});

async function addEdge(page: Page, name: string): Promise<string> {
  await page.goto("/settings/workers");
  const dialog = page.getByRole("dialog");
  // On a busy machine the first click can come before the page has its handlers.
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole("button", { name: "Add worker" }).click();
    await expect(dialog).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Add worker" }).click();
  const command = dialog.getByRole("region", { name: /^Start command/ });
  await expect(command).toContainText(`npm run worker -- --url '${app.url}' --token-file ${name}.token --name ${name}`);
  const token = /sgw_[\w-]+/.exec((await dialog.getByRole("region", { name: "Token" }).textContent()) ?? "")?.[0] ?? "";
  await expect(command).toContainText(`'${token}' > ${name}.token`);
  await dialog.getByRole("button", { name: "Done" }).click();
  return token;
}

async function fillWords(page: Page, words: string[]): Promise<void> {
  const fields = page.getByRole("region", { name: "Arguments" }).getByRole("textbox");
  for (const [index, word] of words.entries()) {
    // A list that must not be empty starts with one field.
    if ((await fields.count()) <= index) await page.getByRole("button", { name: /^Add/ }).click();
    await fields.nth(index).fill(word);
  }
}
