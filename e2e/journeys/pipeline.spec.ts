import { expect, test } from "playwright/test";
import { apiOf, shellPack } from "../fixtures/api";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const echo = "#!/bin/sh\ncat\n";
const NOTE = { type: "object", properties: { text: { type: "string", title: "What to note" } } };
const PIPELINE = `[skill]
name = "note-and-keep"
description = "Notes something and keeps it."

[[skill.steps]]
tool_name = "note_it"
arguments_template = '{"text": "{subject}"}'
output_key = "note"

[[skill.steps]]
tool_name = "keep_it"
arguments_template = '{"text": "kept: {note.text}"}'
`;
const BROKEN = `[skill]
name = "goes-nowhere"
description = "Calls what is not there."

[[skill.steps]]
tool_name = "not_there"
`;
let app: App;

test.beforeAll(async () => {
  app = await startApp();
  const api = apiOf(app);
  await api.installPack("note_it", shellPack("note_it", echo, { schema: NOTE }));
  await api.installPack("keep_it", shellPack("keep_it", echo, { class: "mutating" }));
  await api.installPack("note-and-keep", [{ path: "skill.toml", text: PIPELINE }]);
  await api.installPack("goes-nowhere", [{ path: "skill.toml", text: BROKEN }]);
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("a pipeline shows its steps, is confirmed once, and its graph leads to the run of each step", async ({
  browser,
}) => {
  const page = await adminPage(browser, app);
  await page.goto("/skills/note-and-keep");
  const steps = page.getByRole("list", { name: "Steps of the pipeline" }).getByRole("listitem");
  await expect(steps).toHaveCount(2);
  await expect(steps.nth(0)).toContainText("note_it");
  await expect(steps.nth(1)).toContainText("mutating");

  await page.goto("/skills/note-and-keep/run");
  await page.getByLabel("What to note").fill("buy tea");
  await page.getByRole("button", { name: /^Run note-and-keep/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Run note-and-keep" }).click();
  await expect(steps.nth(0)).toContainText("Succeeded");
  await expect(steps.nth(1)).toContainText("Succeeded");
  await expect(page.getByText("Pipeline succeeded.")).toBeVisible();
  await steps
    .nth(1)
    .getByRole("link", { name: /keep_it/ })
    .click();
  await expect(page).toHaveURL(/\/runs\//);
  await expect(page.getByText("kept: buy tea").first()).toBeVisible();
  await expect(page.getByText("Step 2 of")).toBeVisible();
});

test("a pipeline with an unknown step says so and does not start", async ({ browser }) => {
  const page = await adminPage(browser, app);
  await page.goto("/skills/goes-nowhere");
  const step = page.getByRole("list", { name: "Steps of the pipeline" }).getByRole("listitem");
  await expect(step).toContainText("there is no tool of that name");
  const answer = await apiOf(app).send("POST", "/api/skills/goes-nowhere/runs", { args: {} });
  expect(answer.status).toBe(422);
  expect((await answer.json()).detail).toContain("“not_there”");
});
