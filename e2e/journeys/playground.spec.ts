import { expect, test } from "playwright/test";
import { type ModelReply, startModelServer } from "../../lib/testing/model-server";
import { apiOf, shellPack } from "../fixtures/api";
import { adminPage } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const playbook = (name: string, more: string) => [
  {
    path: "SKILL.md",
    text: `---\nname: ${name}\ndescription: Use it to ${name}.\n${more}---\n\n# ${name}\n\nDo it well.\n`,
  },
];

let app: App;
let model: Awaited<ReturnType<typeof startModelServer>>;
let script: (asked: { system: string; last: string; step: number }) => ModelReply = () => ({ text: "ready" });

test.beforeAll(async () => {
  model = await startModelServer(({ system, last, messages }) => {
    const step = messages.length - 1 - messages.findLastIndex(({ role }) => role === "user");
    return script({ system, last, step });
  });
  app = await startApp();
  const api = apiOf(app);
  await api.installPack("write-notes", playbook("write-notes", "allowed-tools: Read\n"));
  await api.installPack("dig-deep", playbook("dig-deep", "context: fork\nallowed-tools: Read\n"));
  await api.installPack("say_text", shellPack("say_text", "#!/bin/sh\ncat\n"));
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
  await model.close();
});

test("a model is set, a playbook is tried, and the trace shows its limit, a refusal and a sub-agent", async ({
  browser,
}) => {
  const page = await adminPage(browser, app);
  await page.goto("/playground");
  await page.getByRole("link", { name: "Add a model endpoint" }).click();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "Add model endpoint" });
  await dialog.getByLabel("Name").fill("Scripted");
  await dialog.getByLabel("Base URL").fill(model.url);
  await dialog.getByLabel("Models").fill("scripted-1");
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("button", { name: "Test Scripted" }).click();
  await expect(page.getByText("scripted-1 answers.")).toBeVisible();

  const field = page.getByLabel("Message to the agent");
  const trace = page.getByRole("region", { name: "Trace", exact: true });
  script = ({ step }) => {
    if (step === 0) return { calls: [{ name: "use_skill", args: { name: "write-notes" } }] };
    if (step === 2) return { calls: [{ name: "say_text", args: { text: "a" } }] };
    return { text: "It is **written**." };
  };
  await page.goto("/skills/write-notes");
  await page.getByRole("link", { name: "Try", exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Version of write-notes" })).toBeVisible();
  await page.getByRole("button", { name: "Add skill" }).click();
  await page.getByLabel("Search skills").fill("say_text");
  await page.getByRole("list", { name: "Skills" }).getByRole("button", { name: "say_text" }).click();
  await field.fill("Write it down");
  await field.press("Enter");
  await expect(page.getByText("written", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\?conversation=/);
  const first = trace.getByRole("region", { name: "Trace of turn 1" });
  await expect(first.getByText("Preamble sent")).toBeVisible();
  await expect(first.getByText(/write-notes allows Read/)).toBeVisible();
  await expect(first.getByText("Refused", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Useful", exact: true }).click();
  await expect(page.getByRole("button", { name: "Useful", exact: true })).toHaveAttribute("aria-pressed", "true");

  script = ({ system, step }) => {
    if (system.includes("You are a sub-agent")) return { text: '{"outcome":"done","summary":"found it"}' };
    return step === 0 ? { calls: [{ name: "use_skill", args: { name: "dig-deep" } }] } : { text: "All dug." };
  };
  await page.goto("/playground");
  await field.fill("Dig");
  await field.press("Enter");
  await expect(page.getByText("All dug.")).toBeVisible();
  await expect(trace.getByText("Sub-agent", { exact: true })).toBeVisible();
  await expect(trace.getByText("Returned its result.")).toBeVisible();

  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
  script = () => ({ hang: true });
  await field.fill("And now wait");
  await field.press("Enter");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await field.press("Escape");
  await expect(page.getByText("The answer was stopped")).toBeVisible();
});
