import { expect, test } from "playwright/test";
import { apiOf, type PackFile } from "../fixtures/api";
import { openEveryFile } from "../fixtures/open-files";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const SHOUT: PackFile[] = [
  {
    path: "SKILL.md",
    text: "---\nname: shout-it\ndescription: Says a sentence loudly.\n---\n\n# Shout it\n\nRun scripts/shout.py.\n",
  },
  {
    path: "scripts/shout.py",
    text: [
      "import argparse",
      "parser = argparse.ArgumentParser()",
      'parser.add_argument("sentence", help="What to say")',
      'parser.add_argument("--mark", default="!", help="What comes last")',
      "args = parser.parse_args()",
      "print(args.sentence.upper() + args.mark)",
      "",
    ].join("\n"),
  },
];

let app: App;

test.beforeAll(async () => {
  app = await startApp();
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

test("a script of a SKILL.md folder is made runnable in its review, and run", async ({ browser }) => {
  test.setTimeout(180_000);
  const api = apiOf(app);
  const skill = await api.importPack("shout-it", SHOUT);
  const page = await adminPage(browser, app);

  await test.step("the review proposes the call of the script", async () => {
    await page.goto(`/reviews/${skill.id}/${skill.pendingVersion.digest}`);
    await page.getByLabel("Script", { exact: true }).selectOption("scripts/shout.py");
    await expect(page.getByText("Parameters read from its argument parser (argparse)")).toBeVisible();
    await expect(page.getByText("/usr/bin/env python3 scripts/shout.py --mark '!' SENTENCE")).toBeVisible();
    await expect(page.getByText("Runs start scripts/shout.py with command-line arguments.")).toBeVisible();
  });

  await test.step("the changed call is approved", async () => {
    const mark = page.getByRole("group", { name: "mark", exact: true });
    await mark.getByLabel("Default").fill("?");
    await expect(page.getByText("--mark '?' SENTENCE")).toBeVisible();
    await openEveryFile(page);
    await page.getByRole("button", { name: "Approve version" }).click();
    await expect(page.getByText("This version is approved.")).toBeVisible();
    await page.getByRole("button", { name: "Switch on" }).click();
    await expect.poll(async () => (await api.json("GET", `/api/skills/${skill.id}`)).enabled).toBe(true);
    const { runnable, schema } = await api.json("GET", `/api/skills/${skill.id}`);
    expect(runnable).toBe(true);
    expect(schema).toMatchObject({ required: ["sentence"], properties: { mark: { default: "?" } } });
  });

  await test.step("the skill can be run and receives each argument unchanged", async () => {
    await page.goto(`/skills/${skill.id}`);
    await expect(page.getByRole("link", { name: "Run", exact: true }).first()).toBeVisible();
    const run = await api.json("POST", `/api/skills/${skill.id}/runs`, {
      args: { sentence: "--help; $(id)", mark: "-!" },
      confirm: true,
      wait: 30,
    });
    expect(run).toMatchObject({ state: "succeeded", result: "--HELP; $(ID)-!" });
  });
});
