import { expect, test } from "vitest";
import { canonicalJson } from "@/lib/core/json";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Isolation } from "@/lib/policy/worker-allowance";
import { startRun } from "@/lib/runner/runs/start-run";
import { createSchedule } from "@/lib/runner/schedules/edit-schedules";
import { StartRunInput } from "@/lib/runner/schema";
import { updateSettings } from "@/lib/settings/update-settings";
import { adoptSkill } from "@/lib/skills/community/adoption";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { publishSkill } from "@/lib/skills/transfer/publish-skill";
import { getInstructions } from "@/lib/skills/versions/get-instructions";
import { getVersion } from "@/lib/skills/versions/get-version";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { decideVersion } from "./decide-version";
import { returnForbiddenApprovals } from "./return-approvals";
import { listReviews } from "./review-queue";

const { person, database, system } = await testDatabase();
const admin = await person("admin");
const reviewer = await person("reviewer", "Ben");
await updateSettings(admin.ctx, { soloMode: false });
type Person = Awaited<ReturnType<typeof person>>;

const approve = { decision: "approve", comment: "read" } as const;
let count = 0;

async function bringIn(owner: Person, files = packFiles({ name: `own_use_${++count}` })) {
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest;
  if (!skill || !digest) throw new Error("nothing was imported");
  return { id: skill.id, digest };
}

/** A person's own skill, self-approved and enabled. */
async function ownSkill(owner: Person, files?: ReturnType<typeof packFiles>) {
  const { id, digest } = await bringIn(owner, files);
  await decideVersion(owner.ctx, id, digest, approve);
  await updateSkill(owner.ctx, id, { enabled: true });
  return { id, digest };
}

const start = (who: Person, id: string) => startRun(who.ctx, id, StartRunInput.parse({ args: { text: "x" } }));

test("a skill that its owner approved alone runs for its owner, and for others only after a reviewer approves the same", async () => {
  const owner = await person();
  const { id, digest } = await ownSkill(owner);
  expect(await start(owner, id)).toMatchObject({ run: { state: "queued" } });
  for (const other of [reviewer, admin]) {
    await expect(start(other, id)).rejects.toMatchObject({
      code: "not_approved",
      message: expect.stringContaining("own use"),
    });
  }
  await expect(updateSkill(admin.ctx, id, { visibility: "public" })).rejects.toMatchObject({ code: "not_approved" });
  await decideVersion(reviewer.ctx, id, digest, approve);
  expect(await start(admin, id)).toMatchObject({ run: { state: "queued" } });
  await updateSkill(admin.ctx, id, { visibility: "public" });
  const other = await person();
  await adoptSkill(other.ctx, id);
  expect(await start(other, id)).toMatchObject({ run: { state: "queued" } });
});

test("an owner approves no version of a public skill alone", async () => {
  const owner = await person();
  const name = `own_use_${++count}`;
  const { id, digest } = await bringIn(owner, packFiles({ name }));
  await decideVersion(reviewer.ctx, id, digest, approve);
  await updateSkill(admin.ctx, id, { visibility: "public" });
  const next = await bringIn(owner, packFiles({ name, script: "#!/bin/sh\necho 2\n" }));
  await expect(decideVersion(owner.ctx, id, next.digest, approve)).rejects.toMatchObject({
    code: "separation_of_duties",
    message: expect.stringContaining("public"),
  });
});

test("publishing does not copy a self-approval: the owner does not sign the organisation’s copy", async () => {
  const owner = await person("reviewer");
  const { id } = await ownSkill(owner);
  const published = await publishSkill(owner.ctx, id, {});
  expect(published).toMatchObject({ currentVersion: null, pendingVersion: { state: "pending" } });
  await expect(
    decideVersion(owner.ctx, published.id, published.pendingVersion?.digest ?? "", approve),
  ).rejects.toMatchObject({ code: "separation_of_duties" });
});

test("only the owner's agents read a playbook that the owner approved alone", async () => {
  const owner = await person();
  const { id } = await ownSkill(owner, playbookFiles({ name: "for-me" }));
  expect(await getInstructions(owner.token(["read"]), id)).toMatchObject({ name: "for-me" });
  await expect(getInstructions(reviewer.ctx, id)).rejects.toMatchObject({ code: "not_approved" });
});

test("a person cannot schedule a skill that another person approved for their own use", async () => {
  const owner = await person();
  const { id } = await ownSkill(owner);
  const when = { cron: "0 3 * * *", timeZone: "UTC", overlap: "skip", catchUp: false } as const;
  const input = { name: "nightly", skill: id, args: { text: "x" }, workerId: null, enabled: true, ...when };
  await expect(createSchedule(admin.ctx, input)).rejects.toMatchObject({
    code: "not_approved",
  });
});

test("runs of what an owner approved alone need namespaces, regardless of settings", async () => {
  const { person: member, database: other } = await testDatabase();
  const boss = await member("admin");
  const keys = { safeWithoutSandbox: true, mutatingWithoutSandbox: true, dangerousWithoutSandbox: true };
  await updateSettings(boss.ctx, { soloMode: false, ...keys });
  const owner = await member();
  const { id } = await ownSkill(owner);
  const began = async () => {
    const started = await start(owner, id);
    if ("dryRun" in started) throw new Error("a dry run");
    return started.run.id;
  };
  const online = async (isolation: Isolation) => {
    const worker = await testWorker(other, { isolation });
    await other.writer.worker.update({ where: { id: worker.id }, data: { lastSeenAt: new Date() } });
    return worker;
  };
  const waiting = await began();
  const weak = await online("process");
  await expect(began()).rejects.toMatchObject({
    code: "no_isolation",
    message: expect.stringContaining("their owner alone approved"),
  });
  const strong = await online("namespaces");
  // The weaker worker leaves the run to the stronger one.
  expect(await weak.lease(4)).toEqual([]);
  expect((await strong.lease()).map(({ runId }) => runId)).toEqual([waiting]);
  const second = await began();
  await other.writer.worker.update({ where: { id: strong.id }, data: { lastSeenAt: new Date(0) } });
  expect(await weak.lease(4)).toEqual([]);
  const ended = await other.reader.run.findUniqueOrThrow({ where: { id: second } });
  expect([ended.state, ended.errorCode]).toEqual(["failed", "no_isolation"]);
});

/** Signs an approval like an earlier release: by the owner, without the right. */
async function signAsBefore(skillId: string, owner: Person, soloMode: boolean) {
  const key = await loadSigningKey(database.keyFolder);
  const row = await database.reader.decision.findFirstOrThrow({ where: { version: { skillId }, standing: "counts" } });
  const { basis, serves, commentDigest, ...before } = JSON.parse(row.statement ?? "{}");
  expect([basis, serves, commentDigest].every((part) => part !== undefined)).toBe(true);
  const signer = { id: owner.id, name: owner.actor.name };
  const statement = canonicalJson({ ...before, soloMode, signer });
  await database.writer.decision.update({
    where: { id: row.id },
    data: { statement, soloMode, signature: key.sign(statement), actorId: owner.id, actorName: owner.actor.name },
  });
}

test("a worker without namespaces continues with the runs behind those it leaves to another worker", async () => {
  const { person: member, database: other } = await testDatabase();
  await updateSettings((await member("admin")).ctx, { soloMode: false });
  const owner = await member();
  const own = await ownSkill(owner);
  const reviewed = await ownSkill(owner);
  await decideVersion((await member("reviewer")).ctx, reviewed.id, reviewed.digest, approve);
  const [weak, strong] = [
    await testWorker(other, { isolation: "process" }),
    await testWorker(other, { isolation: "namespaces" }),
  ];
  await Promise.all([weak.say({}), strong.say({})]);
  const idOf = async (id: string) => {
    const started = await start(owner, id);
    return "run" in started ? started.run.id : "";
  };
  const left = await idOf(own.id);
  const taken = await idOf(reviewed.id);
  expect((await weak.lease()).map(({ runId }) => runId)).toEqual([taken]);
  expect((await strong.lease()).map(({ runId }) => runId)).toEqual([left]);
});

test("approvals of earlier releases that the rule forbids end, and the versions return to review with the reason", async () => {
  const owner = await person("user", "Priya");
  const network = { grants: { network: true } };
  const cases: [given: object, soloMode: boolean, isPublic: boolean, reason: string | null][] = [
    [network, false, false, "it gets the network"],
    [network, true, false, "it gets the network"],
    [{}, false, true, "it is public"],
    [{}, false, false, null],
    [{}, true, false, null],
  ];
  const skills = [];
  for (const [given, soloMode, isPublic, reason] of cases) {
    const { id, digest } = await bringIn(owner);
    await decideVersion(reviewer.ctx, id, digest, { ...approve, ...given });
    await updateSkill(owner.ctx, id, { enabled: true });
    await signAsBefore(id, owner, soloMode);
    if (isPublic) await database.writer.skill.update({ where: { id }, data: { visibility: "public" } });
    skills.push({ id, digest, reason });
  }
  await expect(start(owner, skills[0]?.id ?? "")).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("the network"),
  });
  // Control: an approval by another person, and a reviewer's own in solo mode.
  const reviewed = await bringIn(owner);
  await decideVersion(reviewer.ctx, reviewed.id, reviewed.digest, { ...approve, ...network });
  const alone = await bringIn(reviewer);
  await decideVersion(admin.ctx, alone.id, alone.digest, { ...approve, ...network });
  await signAsBefore(alone.id, reviewer, true);

  expect(await returnForbiddenApprovals(system)).toBe(3);
  expect(await returnForbiddenApprovals(system)).toBe(0);
  const { items } = await listReviews(admin.ctx, { limit: 100 });
  for (const { id, digest, reason } of skills) {
    const version = await getVersion(admin.ctx, id, digest);
    const skill = await getSkill(admin.ctx, id);
    const item = items.find((found) => found.digest === digest);
    if (reason === null) {
      expect(version).toMatchObject({ state: "approved", returnedReason: null, trust: { signature: "verified" } });
      continue;
    }
    expect(version).toMatchObject({ state: "pending", grants: null, returnedReason: expect.stringContaining(reason) });
    expect(version.decisions.map(({ standing }) => standing)).toEqual(["void"]);
    expect(skill).toMatchObject({ currentVersion: null, enabled: false, pendingVersion: { digest } });
    expect(item).toMatchObject({ returnedReason: expect.stringContaining(reason) });
    const events = await database.reader.auditEvent.findMany({ where: { skillId: id, action: "version.returned" } });
    expect(events.map(({ data }) => data)).toEqual([expect.stringContaining(reason)]);
  }
  for (const { id } of [reviewed, alone])
    expect(await getSkill(admin.ctx, id)).toMatchObject({ trust: { signature: "verified" } });

  // A reviewer's approval makes it active again and clears the reason.
  const [first] = skills;
  const again = await decideVersion(reviewer.ctx, first?.id ?? "", first?.digest ?? "", { ...approve, ...network });
  expect(again).toMatchObject({ state: "approved", returnedReason: null });
});
