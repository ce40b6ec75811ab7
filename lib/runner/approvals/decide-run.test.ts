import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { updateUser } from "@/lib/auth/people/users";
import { updatePersona } from "@/lib/auth/personas";
import { revokeToken } from "@/lib/auth/tokens/tokens";
import { createCtx } from "@/lib/db/context";
import { decideVersion } from "@/lib/review/decide-version";
import { cancelRun } from "@/lib/runner/runs/cancel-runs";
import { expireRuns } from "@/lib/runner/runs/end-run";
import { getRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { updateSettings } from "@/lib/settings/update-settings";
import { setEligibilityPolicy } from "@/lib/skills/access/eligibility-policy";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { decideRun } from "./decide-run";
import { countApprovals, listApprovals } from "./list-approvals";
import { createSopKey, deleteSopKey } from "./sop-keys";
import { createSop } from "./sops";

const { person, database } = await testDatabase();
const admin = await person("admin", "Ada");
const [mara, ben, cara] = [await person("reviewer", "Mara"), await person("reviewer", "Ben"), await person("reviewer")];
const user = await person("user", "Uma");
const mutating = await approvedSkill(user.ctx, mara.ctx, { name: "tidy_disk", manifest: { class: "mutating" } });
const dangerous = await approvedSkill(user.ctx, mara.ctx, { name: "wipe_disk", manifest: { class: "dangerous" } });
await updateSettings(admin.ctx, { soloMode: false });
const agent = await agentOf(admin.ctx, user, { permissionMode: "dual-sign-required" });
const approve = { decision: "approve", comment: "" } as const;
const reject = { decision: "reject", comment: "Not on a Friday." } as const;
const worker = await testWorker(database);

async function ask(ctx = agent.ctx, skillId = mutating.id, more: { sop?: string } = {}) {
  const started = await startRun(ctx, skillId, { args: { text: "x" }, wait: 0, confirm: true, ...more });
  if (!("run" in started)) throw new Error("this was a dry run");
  return started.run;
}

async function stateOf(id: string) {
  return (await getRun(admin.ctx, id)).state;
}

async function actionsOf(id: string) {
  const events = await database.reader.auditEvent.findMany({ where: { runId: id }, orderBy: { seq: "asc" } });
  return events.map((event) => event.action);
}

test("an agent’s mutating run waits for a person, who sees it all, and then runs once", async () => {
  const run = await ask();
  expect(run).toMatchObject({ state: "awaiting_approval", approval: { rule: "agent-cannot-confirm", needed: 1 } });
  expect(await worker.lease(4)).toEqual([]);
  const [item] = (await listApprovals(user.ctx, { limit: 50, show: "mine" })).items;
  expect(item).toMatchObject({
    id: run.id,
    args: { text: "x" },
    asks: { person: { name: "Uma" }, token: { name: "agent" }, persona: { permissionMode: "dual-sign-required" } },
    classMeaning: expect.stringContaining("changes"),
    touches: expect.arrayContaining(["No network access."]),
    you: { maySign: true },
  });
  expect(item?.maySign.map(({ name }) => name)).toEqual(expect.arrayContaining(["Ada", "Ben", "Mara", "Uma"]));
  expect(await decideRun(user.ctx, run.id, approve)).toMatchObject({ state: "queued", approval: { given: 1 } });
  expect((await worker.lease(4)).map((lease) => lease.runId)).toEqual([run.id]);
  expect(await worker.lease(4)).toEqual([]);
  expect(await actionsOf(run.id)).toEqual(["run.request", "run.approve", "run.start", "run.lease"]);
});

test("a dangerous run needs two people, neither of whom asked for it", async () => {
  const run = await ask(mara.ctx, dangerous.id);
  expect(run).toMatchObject({
    state: "awaiting_approval",
    approval: { rule: "dangerous-needs-two-others", needed: 2 },
  });
  await expect(decideRun(mara.ctx, run.id, approve)).rejects.toMatchObject({ code: "separation_of_duties" });
  await expect(decideRun(user.ctx, run.id, approve)).rejects.toMatchObject({ code: "forbidden" });
  expect(await decideRun(ben.ctx, run.id, approve)).toMatchObject({ state: "awaiting_approval" });
  await expect(decideRun(ben.ctx, run.id, approve)).rejects.toMatchObject({ code: "conflict" });
  expect((await listApprovals(ben.ctx, { limit: 50, show: "mine" })).items.map(({ id }) => id)).not.toContain(run.id);
  expect(await decideRun(cara.ctx, run.id, approve)).toMatchObject({ state: "queued" });
  await cancelRun(mara.ctx, run.id);
});

test("whose agent asks for a dangerous run does not sign it either", async () => {
  const run = await ask(agent.ctx, dangerous.id);
  await expect(decideRun(user.ctx, run.id, approve)).rejects.toMatchObject({ code: "separation_of_duties" });
  expect(await decideRun(user.ctx, run.id, reject)).toMatchObject({ state: "rejected" });
});

test("no agent decides, not even one of a reviewer", async () => {
  const run = await ask();
  const reviewing = await agentOf(admin.ctx, ben, { permissionMode: "dual-sign-required" });
  await expect(decideRun(agent.ctx, run.id, approve)).rejects.toMatchObject({ code: "forbidden" });
  await expect(decideRun(reviewing.ctx, run.id, approve)).rejects.toMatchObject({ code: "not_found" });
  await expect(decideRun((await person()).ctx, run.id, approve)).rejects.toMatchObject({ code: "not_found" });
  await decideRun(mara.ctx, run.id, reject);
});

test("a rejection says why, ends the run, and is final", async () => {
  const run = await ask();
  const rejected = await decideRun(mara.ctx, run.id, reject);
  expect(rejected).toMatchObject({ state: "rejected", error: { message: "Mara: Not on a Friday." } });
  await expect(decideRun(ben.ctx, run.id, approve)).rejects.toMatchObject({ code: "conflict" });
  expect(await actionsOf(run.id)).toEqual(["run.request", "run.reject"]);
});

test("of two people who decide at once, one counts and the other is told", async () => {
  const run = await ask();
  const answers = await Promise.allSettled([decideRun(mara.ctx, run.id, approve), decideRun(ben.ctx, run.id, reject)]);
  const refused = answers.filter((answer) => answer.status === "rejected");
  expect(refused).toMatchObject([{ reason: { code: "conflict" } }]);
  expect(await database.reader.runDecision.count({ where: { runId: run.id } })).toBe(1);
  if ((await stateOf(run.id)) === "queued") await cancelRun(user.ctx, run.id);
});

test("an undecided run expires, and cannot be decided any more, swept or not", async () => {
  const run = await ask();
  const late = new Date(Date.now() + 25 * 3_600_000);
  const lateMara = { ...mara.ctx, now: () => late };
  expect(await countApprovals(lateMara)).toBe(0);
  await expect(decideRun(lateMara, run.id, approve)).rejects.toMatchObject({ code: "conflict" });
  expect(await stateOf(run.id)).toBe("expired");
  const other = await ask();
  expect(await expireRuns(createCtx({ actor: { kind: "system", name: "test" }, database, now: () => late }))).toBe(1);
  expect(await getRun(user.ctx, other.id)).toMatchObject({ state: "expired", error: { code: "expired" } });
});

test("counts speak of what the caller can decide", async () => {
  const run = await ask(mara.ctx, dangerous.id);
  expect(await countApprovals(mara.ctx)).toBe(0);
  expect(await countApprovals(user.ctx)).toBe(0);
  expect(await countApprovals(ben.ctx)).toBe(1);
  expect((await listApprovals(mara.ctx, { limit: 50, show: "asked" })).items.map(({ id }) => id)).toEqual([run.id]);
  const alone = async (id: string) => (await listApprovals(ben.ctx, { limit: 50, show: "all", run: id })).items.length;
  expect([await alone(run.id), await alone("another")]).toEqual([1, 0]);
  await cancelRun(mara.ctx, run.id);
  expect(await countApprovals(ben.ctx)).toBe(0);
});

test.each<
  [string, (own: Awaited<ReturnType<typeof agentOf>>, skill: { id: string; digest: string }) => Promise<unknown>]
>([
  ["the token was revoked", (own) => revokeToken(user.ctx, own.tokenId)],
  [
    "the persona became read-only",
    (own) => updatePersona(admin.ctx, { id: own.persona.id, patch: { permissionMode: "read-only" } }),
  ],
  ["the persona denies it now", (own) => updatePersona(admin.ctx, { id: own.persona.id, patch: { deny: ["*"] } })],
  [
    "an admin hid the skill",
    async (_own, skill) => {
      const { name } = await getSkill(user.ctx, skill.id);
      await setEligibilityPolicy(admin.ctx, { entries: { [name]: { enabled: false } }, config: {} });
    },
  ],
  [
    "the skill requires what no worker has",
    async (_own, skill) => {
      const { name } = await getSkill(user.ctx, skill.id);
      const requires = { capabilities: ["shell.exec"] };
      await setEligibilityPolicy(admin.ctx, { entries: { [name]: { requires } }, config: {} });
    },
  ],
  ["the skill was switched off", (_own, skill) => updateSkill(user.ctx, skill.id, { enabled: false })],
  [
    "the version was revoked",
    (_own, skill) => decideVersion(mara.ctx, skill.id, skill.digest, { decision: "revoke", comment: "" }),
  ],
])("an approved run does not start when %s meanwhile", async (title, happen) => {
  const skill = await approvedSkill(user.ctx, mara.ctx, {
    name: `skill_${title.replaceAll(/\W/g, "_")}`.slice(0, 40),
    manifest: { class: "mutating" },
  });
  const own = await agentOf(admin.ctx, user, { permissionMode: "mutating-with-confirm" });
  const [parked, queued] = [await ask(own.ctx, skill.id), await ask(own.ctx, skill.id)];
  await decideRun(mara.ctx, queued.id, approve);
  await happen(own, skill);
  const decided = await decideRun(mara.ctx, parked.id, approve);
  expect(decided).toMatchObject({ state: "failed", error: { message: expect.stringMatching(/./) } });
  expect(await worker.lease(4)).toEqual([]);
  expect(await stateOf(queued.id)).toBe("failed");
});

test("a person’s own run starts even if its skill is not offered to agents", async () => {
  const skill = await approvedSkill(user.ctx, mara.ctx, { name: "hidden_one", manifest: { class: "mutating" } });
  const run = await ask(user.ctx, skill.id);
  await setEligibilityPolicy(admin.ctx, { entries: { hidden_one: { enabled: false } }, config: {} });
  expect((await worker.lease(4)).map(({ runId }) => runId)).toEqual([run.id]);
  await setEligibilityPolicy(admin.ctx, { entries: {}, config: {} });
});

test("the signature of a disabled person does not count", async () => {
  const leaver = await person("reviewer");
  const run = await ask(mara.ctx, dangerous.id);
  await decideRun(leaver.ctx, run.id, approve);
  const given = async () => {
    const [item] = (await listApprovals(cara.ctx, { limit: 50, show: "all", run: run.id })).items;
    return [(await getRun(admin.ctx, run.id)).approval?.given, item?.approval.given];
  };
  expect(await given()).toEqual([1, 1]);
  await updateUser(admin.ctx, { id: leaver.id, patch: { state: "disabled" } });
  expect(await given()).toEqual([0, 0]);
  expect(await decideRun(ben.ctx, run.id, approve)).toMatchObject({ state: "awaiting_approval" });
  expect(await given()).toEqual([1, 1]);
  expect(await decideRun(cara.ctx, run.id, approve)).toMatchObject({ state: "queued" });
  await cancelRun(mara.ctx, run.id);
});

test("with solo mode switched on later, what was parked for two still needs two", async () => {
  const run = await ask(mara.ctx, dangerous.id);
  await updateSettings(admin.ctx, { soloMode: true });
  await expect(decideRun(mara.ctx, run.id, approve)).rejects.toMatchObject({ code: "separation_of_duties" });
  expect(await decideRun(ben.ctx, run.id, approve)).toMatchObject({ state: "awaiting_approval" });
  const solo = await ask(agent.ctx, dangerous.id);
  expect(solo.approval).toMatchObject({ rule: "dangerous-in-solo-mode", needed: 1 });
  await updateSettings(admin.ctx, { soloMode: false });
  expect(await decideRun(ben.ctx, solo.id, approve)).toMatchObject({ state: "awaiting_approval" });
  for (const id of [run.id, solo.id]) await decideRun(cara.ctx, id, reject);
});

test("a dangerous run names a procedure whose signature verifies, now and when it starts", async () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
  const key = await createSopKey(admin.ctx, { name: "Operations", publicKey });
  const text = "1. Make a backup.\n2. Wipe.\n";
  const signature = sign("sha256", Buffer.from(text), pair.privateKey).toString("base64");
  const document = { title: "Wiping a disk", text, signature, algorithm: "rsa-sha256" as const };
  const forged = createSop(admin.ctx, { ...document, text: "1. Wipe.\n" });
  await expect(forged).rejects.toMatchObject({ code: "invalid", errors: [{ path: "signature" }] });
  const sop = await createSop(admin.ctx, document);
  await updateSettings(admin.ctx, { dangerousNeedsSop: true });
  await expect(ask(mara.ctx, dangerous.id)).rejects.toMatchObject({ code: "invalid", errors: [{ path: "sop" }] });
  const run = await ask(mara.ctx, dangerous.id, { sop: sop.id });
  const [item] = (await listApprovals(ben.ctx, { limit: 50, show: "mine" })).items;
  expect(item?.sop).toMatchObject({ title: "Wiping a disk", text, valid: true });
  await decideRun(ben.ctx, run.id, approve);
  await deleteSopKey(admin.ctx, key.id);
  expect(await decideRun(cara.ctx, run.id, approve)).toMatchObject({
    state: "failed",
    error: { code: "not_permitted" },
  });
  await updateSettings(admin.ctx, { dangerousNeedsSop: false });
});

test.each([
  ["something else", "not a key"],
  [
    "a short key",
    generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ type: "spki", format: "pem" }),
  ],
  ["another kind of key", generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" })],
  [
    "a private key",
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }),
  ],
])("%s is not registered as a key for procedures", async (name, publicKey) => {
  const wrong = createSopKey(admin.ctx, { name, publicKey: publicKey.toString() });
  await expect(wrong).rejects.toMatchObject({ code: "invalid", errors: [{ path: "publicKey" }] });
});
