import { generateKeyPairSync, sign } from "node:crypto";
import { type Browser, expect, type Page, test } from "playwright/test";
import { apiOf, shellPack, until, zipOf } from "../fixtures/api";
import { keyboard } from "../fixtures/hands";
import { problemsOf } from "../fixtures/problems-of";
import { adminPage, watchConsole } from "../fixtures/signed-in";
import { type App, startApp } from "../fixtures/start-app";

const PASSWORD = "a password for these people";
const PEOPLE = {
  rita: { name: "Rita Reviewer", email: "rita@example.test", role: "reviewer" },
  rob: { name: "Rob Reviewer", email: "rob@example.test", role: "reviewer" },
  uli: { name: "Uli User", email: "uli@example.test", role: "user" },
};
type Who = keyof typeof PEOPLE;

const echo = "#!/bin/sh\ncat >/dev/null\necho 'it ran' >&2\nprintf '{\"done\": true}'\n";
let app: App;
let agentToken = "";

test.beforeAll(async () => {
  app = await startApp();
  const api = apiOf(app);
  const ids: Partial<Record<Who, string>> = {};
  for (const who of Object.keys(PEOPLE) as Who[]) {
    const { user, inviteUrl } = await api.json("POST", "/api/admin/users", PEOPLE[who]);
    await api.json("POST", `/api/invites/${inviteUrl.split("/invite/")[1]}`, { password: PASSWORD });
    ids[who] = user.id;
  }
  await installForAll("clean_tags", { label: "Clean tags", class: "mutating" });
  await installForAll("wipe_disk", { label: "Wipe disk", class: "dangerous" });
  await api.json("PATCH", "/api/admin/settings", { soloMode: false, dangerousNeedsSop: true });
  const persona = await api.json("POST", "/api/admin/personas", {
    name: "Release helper",
    permissionMode: "mutating-with-confirm",
  });
  const input = { name: "build agent", scopes: ["read", "run"], persona: persona.id, userId: ids.uli };
  agentToken = (await api.json("POST", "/api/tokens", input)).token;
});

test.afterAll(async () => {
  await app.stop();
  app.remove();
});

/** Imports for the organisation, approves and switches on. Needs solo mode. */
async function installForAll(name: string, manifest: Record<string, unknown>): Promise<void> {
  const { json } = apiOf(app);
  const form = new FormData();
  form.set("file", new File([new Uint8Array(await zipOf(name, shellPack(name, echo, manifest)))], `${name}.zip`));
  const { skills } = await json("POST", "/api/skills/import?owner=org", form);
  const [skill] = skills;
  const version = `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}`;
  await json("POST", `${version}/decisions`, { decision: "approve", comment: "read it" });
  await json("PATCH", `/api/skills/${skill.id}`, { enabled: true });
}

async function pageOf(browser: Browser, who: Who): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  watchConsole(page);
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(PEOPLE[who].email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/skills");
  return page;
}

async function agentAsks(text: string): Promise<{ id: string }> {
  const response = await apiOf(app, agentToken).send("POST", "/api/skills/clean_tags/runs", { args: { text } });
  const run = await response.json();
  expect([response.status, run.state]).toEqual([202, "awaiting_approval"]);
  return run;
}

function runOf(id: string) {
  return apiOf(app).json("GET", `/api/runs/${id}`);
}

test("an agent’s mutating run parks, a person decides it in the browser, and it runs once", async ({ browser }) => {
  const run = await agentAsks("nightly tags");
  const rita = await pageOf(browser, "rita");
  await rita.getByRole("link", { name: /^Approvals 1/ }).click();
  const detail = rita.getByRole("article", { name: "Run of Clean tags" });
  await expect(detail.getByText("build agent")).toBeVisible();
  await expect(detail.getByText("nightly tags")).toBeVisible();
  await expect(detail.getByText(/expires/)).toBeVisible();
  expect(await problemsOf(rita, { everyRule: true })).toEqual([]);
  await detail.getByRole("button", { name: "Approve run" }).click();
  await expect(detail.getByText("You approved this run.", { exact: false })).toBeVisible();
  await detail.getByRole("alert").getByRole("link", { name: "View run" }).click();
  await expect(rita.getByText("Succeeded", { exact: true }).first()).toBeVisible();
  await expect(rita.getByText("it ran", { exact: true })).toHaveCount(1);
  await expect(rita.getByText(/Rita Reviewer approved/)).toBeVisible();
  const ended = await runOf(run.id);
  expect(ended.approval).toMatchObject({ given: 1, needed: 1 });
  expect((await apiOf(app).json("GET", "/api/runs?skill=clean_tags")).items).toHaveLength(1);
});

test("a rejection needs a reason, and the caller sees it", async ({ browser }) => {
  const run = await agentAsks("release tags");
  const rita = await pageOf(browser, "rita");
  await rita.goto(`/approvals?run=${run.id}`);
  const detail = rita.getByRole("article", { name: "Run of Clean tags" });
  await detail.getByRole("button", { name: "Reject run" }).click();
  await expect(detail.getByText("Enter a reason for the rejection.")).toBeVisible();
  await detail.getByLabel("Comment").fill("Those tags are in use.");
  await detail.getByRole("button", { name: "Reject run" }).click();
  await expect(detail.getByText("You rejected this run.", { exact: false })).toBeVisible();

  const uli = await pageOf(browser, "uli");
  await uli.goto(`/runs/${run.id}`);
  await expect(uli.getByText("Rejected", { exact: true }).first()).toBeVisible();
  await expect(uli.getByText("Those tags are in use.", { exact: false }).first()).toBeVisible();
  const told = await apiOf(app, agentToken).json("GET", `/api/runs/${run.id}`);
  expect([told.state, told.startedAt, told.error.code]).toEqual(["rejected", null, "rejected"]);
  expect(told.error.message).toContain("Those tags are in use.");
});

test("two approvers click at the same moment: one decision counts, the other person is told", async ({ browser }) => {
  const run = await agentAsks("contested tags");
  const pages = await Promise.all([pageOf(browser, "rita"), pageOf(browser, "rob")]);
  for (const page of pages) {
    await page.goto(`/approvals?run=${run.id}`);
    await expect(page.getByRole("button", { name: "Approve run" })).toBeVisible();
    // Neither page reads the other's decision before its own click.
    await page.route("**/api/approvals?**", (request) => request.abort());
  }
  await Promise.all(pages.map((page) => page.getByRole("button", { name: "Approve run" }).dblclick()));
  const counted = () =>
    Promise.all(pages.map((page) => page.getByText("You approved this run.", { exact: false }).count()));
  const told = () => Promise.all(pages.map((page) => page.getByText("Already decided", { exact: true }).count()));
  await expect.poll(async () => (await counted()).toSorted()).toEqual([0, 1]);
  await expect.poll(async () => (await told()).toSorted()).toEqual([0, 1]);
  expect((await counted()).indexOf(1)).not.toBe((await told()).indexOf(1));
  const ended = await until(
    () => runOf(run.id),
    ({ state }) => state === "succeeded",
  );
  expect(ended.approval.by).toHaveLength(1);
});

test("a dangerous run names a signed procedure and waits for two signatures", async ({ browser }) => {
  test.setTimeout(180_000);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = "# Wiping a disk\n\nRead the serial number aloud, twice.";
  const signature = sign("sha256", Buffer.from(text), privateKey).toString("base64");

  await test.step("an admin registers the key and the procedure; a changed text is refused", async () => {
    const admin = await adminPage(browser, app);
    await admin.goto("/settings/procedures");
    await admin.getByRole("button", { name: "Add key" }).click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Operations");
    await dialog.getByLabel("Public key").fill(publicKey.export({ type: "spki", format: "pem" }).toString());
    await dialog.getByRole("button", { name: "Add key" }).click();
    await expect(admin.getByText("Operations", { exact: true })).toBeVisible();

    await admin.getByRole("button", { name: "Add procedure" }).click();
    await dialog.getByLabel("Title").fill("Wiping a disk");
    await dialog.getByLabel("Text", { exact: true }).fill(`${text} Or once.`);
    await dialog.getByLabel("Signature").fill(signature);
    await dialog.getByRole("button", { name: "Verify and add" }).click();
    await expect(dialog.getByText("The signature does not match")).toBeVisible();
    await dialog.getByLabel("Text", { exact: true }).fill(text);
    await dialog.getByRole("button", { name: "Verify and add" }).click();
    await expect(admin.getByText("Signature verified")).toBeVisible();
  });

  const uli = await pageOf(browser, "uli");
  await test.step("the form says beforehand that two people sign, and asks for the procedure; all of it with the keyboard", async () => {
    await uli.goto("/skills/wipe_disk/run");
    await expect(uli.getByText("Waits for two other people to approve it", { exact: false })).toBeVisible();
    const { press, type } = keyboard(uli);
    await type(uli.getByLabel("Text", { exact: true }), "disk 7");
    await press(uli.getByRole("button", { name: "Request run of Wipe disk" }));
    const dialog = uli.getByRole("alertdialog");
    await expect(dialog.getByText("Required for dangerous runs.", { exact: false })).toBeVisible();
    await type(dialog.getByLabel("Procedure"), "Wiping a disk");
    await expect(dialog.getByText(/two other people must approve/)).toBeVisible();
    expect(await problemsOf(uli, { everyRule: true })).toEqual([]);
    await press(dialog.getByRole("button", { name: "Request approval" }));
    await expect(uli.getByText("Awaiting approval", { exact: true }).first()).toBeVisible();
    await expect(uli.getByText(/You requested this dangerous run/)).toBeVisible();
    await expect(uli.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  });
  const runId = new URL(uli.url()).searchParams.get("run") ?? "";

  await test.step("the first reviewer reads the procedure and signs with the keyboard; nothing starts yet", async () => {
    const rita = await pageOf(browser, "rita");
    await rita.goto("/approvals");
    const detail = rita.getByRole("article", { name: "Run of Wipe disk" });
    await keyboard(rita).press(detail.getByRole("button", { name: "Read procedure" }));
    await expect(rita.getByRole("dialog").getByText("Read the serial number aloud, twice.")).toBeVisible();
    await rita.keyboard.press("Escape");
    await expect(rita.getByRole("dialog")).toHaveCount(0);
    await rita.keyboard.press("a");
    await expect(detail.getByRole("button", { name: "Approve dangerous run" })).toBeFocused();
    await rita.keyboard.press("Enter");
    await expect(detail.getByText("You approved this run. Needs 1 more approval.")).toBeVisible();
    expect(await runOf(runId)).toMatchObject({ state: "awaiting_approval", startedAt: null, approval: { given: 1 } });
  });

  await test.step("the second signs on the run’s own page, and the caller sees it run once", async () => {
    const rob = await pageOf(browser, "rob");
    await rob.goto(`/runs/${runId}`);
    await expect(rob.getByText(/Rita Reviewer approved/)).toBeVisible();
    expect(await problemsOf(rob, { everyRule: true })).toEqual([]);
    const { press, type } = keyboard(rob);
    await type(rob.getByLabel("Comment"), "Read it with Rita.");
    await press(rob.getByRole("button", { name: "Approve dangerous run" }));
    await expect(rob.getByText("Succeeded", { exact: true }).first()).toBeVisible();
    await expect(uli.getByText("Succeeded", { exact: true }).first()).toBeVisible();
    await expect(uli.getByText("it ran", { exact: true })).toHaveCount(1);
    expect((await runOf(runId)).approval.by).toHaveLength(2);
  });
});
