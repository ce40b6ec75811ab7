import { expect, test } from "vitest";
import { inTransaction } from "@/lib/db/context";
import { updateSettings } from "@/lib/settings/update-settings";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getVersion } from "@/lib/skills/versions/get-version";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "./decide-version";
import { listDecided } from "./list-decided";
import { ListDecidedQuery } from "./schema";

const { person } = await testDatabase();
const admin = await person("admin", "Tomás");
const priya = await person("user", "Priya");
const aiko = await person("user", "Aiko");
const mara = await person("reviewer", "Mara");
const ben = await person("reviewer", "Ben");
await updateSettings(admin.ctx, { soloMode: false });

async function bringIn(owner: typeof priya, name: string, tools = "") {
  const files = playbookFiles({ name, more: tools === "" ? "" : `allowed-tools: ${tools}\n` });
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload(name, files)), owner: "me" })).skills;
  return { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
}

const list = (by: typeof priya, query: Record<string, unknown> = {}) =>
  listDecided(by.ctx, ListDecidedQuery.parse(query));
const told = (page: Awaited<ReturnType<typeof list>>) =>
  page.items.map(({ skill, decision, by }) => `${by.name} ${decision} ${skill.name}`);

const one = await bringIn(priya, "one");
const two = await bringIn(aiko, "two");
await decideVersion(mara.ctx, one.id, one.digest, { decision: "approve", comment: "read it" });
await decideVersion(ben.ctx, two.id, two.digest, { decision: "request_changes", comment: "name the folder" });

test("reviewers get all decisions, newest first, by decision and by person", async () => {
  const page = await list(mara);
  expect(told(page)).toEqual(["Ben request_changes two", "Mara approve one"]);
  expect(page.items[1]).toMatchObject({ number: 1, digest: one.digest, state: "approved", comment: "read it" });
  expect(page.people.map(({ name }) => name)).toEqual(["Ben", "Mara"]);
  expect(told(await list(admin, { decision: "approve" }))).toEqual(["Mara approve one"]);
  expect(told(await list(admin, { by: ben.id }))).toEqual(["Ben request_changes two"]);
  expect(told(await list(admin, { by: ben.id, decision: "approve" }))).toEqual([]);
});

test("pages continue after the cursor", async () => {
  const first = await list(ben, { limit: 1 });
  expect(told(first)).toEqual(["Ben request_changes two"]);
  const second = await list(ben, { limit: 1, cursor: first.nextCursor });
  expect(told(second)).toEqual(["Mara approve one"]);
  expect(second.nextCursor).toBeNull();
});

test("others get the decisions on their own skills, and only their people", async () => {
  const page = await list(priya);
  expect(told(page)).toEqual(["Mara approve one"]);
  expect(page.people.map(({ name }) => name)).toEqual(["Mara"]);
  expect(told(await list(await person("user", "Jonas")))).toEqual([]);
});

test("a pending version names who may approve it, to reviewers and to its owner", async () => {
  const { id, digest } = await bringIn(aiko, "three", "Bash");
  const names = async (by: typeof priya) =>
    (await getVersion(by.ctx, id, digest)).approvals.maySign?.map(({ name }) => name);
  expect(await names(mara)).toEqual(["Ben", "Mara", "Tomás"]);
  expect(await names(aiko)).toEqual(["Ben", "Mara", "Tomás"]);
  await decideVersion(mara.ctx, id, digest, { decision: "approve", comment: "", class: "dangerous" });
  expect(await names(aiko)).toEqual(["Ben", "Tomás"]);
  await decideVersion(ben.ctx, id, digest, { decision: "approve", comment: "", class: "dangerous" });
  expect(await names(mara)).toBeUndefined();
});

test("people whom a shared pending version does not concern get no names", async () => {
  const { id, digest } = await bringIn(aiko, "four", "Bash");
  await inTransaction(admin.ctx, (tx) => tx.skill.update({ where: { id }, data: { visibility: "public" } }));
  expect((await getVersion(priya.ctx, id, digest)).approvals.maySign).toBeNull();
});

test("the time limit of a version is the granted one, at most the server’s", async () => {
  await updateSettings(admin.ctx, { maxTimeoutSeconds: 60 });
  const { id, digest } = await bringIn(aiko, "five");
  const limits = async () => {
    const { timeLimitSeconds, maxTimeLimitSeconds } = await getVersion(mara.ctx, id, digest);
    return [timeLimitSeconds, maxTimeLimitSeconds];
  };
  expect(await limits()).toEqual([30, 60]);
  await decideVersion(mara.ctx, id, digest, { decision: "approve", comment: "", grants: { timeoutSeconds: 45 } });
  expect(await limits()).toEqual([45, 60]);
  await updateSettings(admin.ctx, { maxTimeoutSeconds: 20 });
  expect(await limits()).toEqual([20, 20]);
});
