import { expect, test } from "playwright/test";
import { type ModelRequest, startModelServer } from "../../lib/testing/model-server";
import { apiOf, shellPack } from "../fixtures/api";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

let app: App;

test.beforeAll(async () => {
  app = await startApp();
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("a better description is proposed from the runs of a skill, approved, and given to agents", async ({
  browser,
}) => {
  const api = apiOf(app);
  const skill = await api.installPack("says_hello", shellPack("says_hello", '#!/bin/sh\necho \'{"said": "hello"}\'\n'));
  const page = await adminPage(browser, app);
  await page.goto(`/skills/${skill.id}?tab=improve`);

  await test.step("below twenty traces nothing is proposed", async () => {
    await page.getByRole("button", { name: "Propose from past uses" }).click();
    await expect(page.getByText("a proposal needs at least 20")).toBeVisible();
  });

  await test.step("the best of twenty runs become examples", async () => {
    for (let n = 0; n < 20; n++) await api.run(skill.id, { text: `greet guest ${n}` });
    await page.getByRole("button", { name: "Propose from past uses" }).click();
    await expect(page.getByText("Pending review")).toBeVisible();
    await expect(page.getByText("Examples (4; before: 0)")).toBeVisible();
    expect(await preamble()).not.toContain("greet guest");
  });

  await test.step("once approved, the preamble contains them", async () => {
    await page.getByLabel("Comment").fill("These are typical.");
    await page.getByRole("button", { name: "Approve overlay" }).click();
    await expect(page.getByText("Shown to agents")).toBeVisible();
    expect(await preamble()).toContain("greet guest");
  });

  await test.step("withdrawn, the skill has its own description again", async () => {
    await page.getByRole("button", { name: "Withdraw overlay" }).click();
    await expect(page.getByText("Withdrawn", { exact: true })).toBeVisible();
    expect(await preamble()).not.toContain("greet guest");
  });

  async function preamble(): Promise<string> {
    return (await api.send("GET", "/api/agent/preamble?format=xml")).text();
  }
});

test("two versions are evaluated with a model, with the skill and without it", async ({ browser }) => {
  const answers = ({ system }: ModelRequest) => ({
    text: system.includes("polite-letters") ? "Yours sincerely" : "bye",
  });
  const model = await startModelServer(answers);
  const api = apiOf(app);
  const endpoint = { name: "Scripted", kind: "openai", baseUrl: model.url, models: ["scripted-1"] };
  await api.json("POST", "/api/admin/model-endpoints", endpoint);
  const files = (body: string) => [
    { path: "SKILL.md", text: `---\nname: polite-letters\ndescription: Ends letters politely.\n---\n\n${body}\n` },
    {
      path: "evals/cases.json",
      text: JSON.stringify([{ prompt: "End my letter.", checks: [{ kind: "contains", value: "sincerely" }] }]),
    },
  ];
  const skill = await api.installPack("polite-letters", files("End with a greeting."));
  await api.importPack("polite-letters", files("End with a long greeting."));
  const page = await adminPage(browser, app);
  await page.goto(`/skills/${skill.id}?tab=improve`);
  const table = page.getByRole("table", { name: "Evaluations" });
  for (const [index, version] of ["Version 1, active", "Version 2, not approved: playbook only"].entries()) {
    await page.getByRole("button", { name: "Evaluate", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Evaluate" });
    await dialog.getByLabel("Version").selectOption({ label: version });
    await dialog.getByRole("button", { name: "Start" }).click();
    await expect(table.getByRole("row").filter({ hasText: "1 of 1" })).toHaveCount(index + 1);
  }
  await table.getByRole("button", { name: "Version 2" }).click();
  await expect(page.getByText("Yours sincerely")).toBeVisible();
  await expect(page.getByText("bye", { exact: true })).toBeVisible();
  await model.close();
});
