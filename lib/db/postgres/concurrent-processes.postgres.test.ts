import { expect, test } from "vitest";
import { writeHead } from "@/lib/audit/chain/heads";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { createInvite } from "@/lib/auth/people/invites";
import { decideVersion } from "@/lib/review/decide-version";
import { verifyData } from "@/lib/review/verify/verify-data";
import { getRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { updateQuotas } from "@/lib/settings/quotas/person-quotas";
import { updateSettings } from "@/lib/settings/update-settings";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import type { Act } from "@/lib/testing/act-in-process";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { startProcesses } from "@/lib/testing/product-processes";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";

const { person, database, address, folder } = await testDatabase();
if (!("url" in address)) throw new Error("these tests need TEST_DATABASE_URL");
const { actAtOnce } = await startProcesses(address, 4);

type Person = Awaited<ReturnType<typeof person>>;
const admin = await person("admin", "Ada");
const owner = await person("user", "Uma");
const reviewers = [await person("reviewer", "Ben"), await person("reviewer", "Cara"), await person("reviewer", "Dan")];
const [ben, cara, dan] = reviewers as [Person, Person, Person];
const caller = await person("user", "Quin");
const dangerous = await approvedSkill(owner.ctx, ben.ctx, { name: "wipe_disk", manifest: { class: "dangerous" } });
const limited = await approvedSkill(caller.ctx, ben.ctx, { name: "limited" });
await updateSettings(admin.ctx, { soloMode: false });
const approve = { decision: "approve", comment: "" } as const;
const reject = { decision: "reject", comment: "no" } as const;
const four = <T>(make: (index: number) => T): T[] => [0, 1, 2, 3].map(make);
const codesOf = async (acts: Act[]) => (await actAtOnce(acts)).map(({ code }) => code);
const eventCount = (where: { action: string; runId?: string; skillId?: string; targetId?: string }) =>
  database.reader.auditEvent.count({ where });

async function parkedRun() {
  const started = await startRun(owner.ctx, dangerous.id, { args: { text: "x" }, wait: 0, confirm: true });
  if (!("run" in started)) throw new Error("this was a dry run");
  return started.run.id;
}

async function pendingVersion(name: string, line = "first") {
  const files = packFiles({ name, script: `#!/bin/sh\n# ${line}\ncat\n` });
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  return { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
}

test("a person who approves a run in four processes at once has signed it once", async () => {
  const id = await parkedRun();
  const codes = await codesOf(four(() => ({ verb: "decideRun", actor: ben.actor, args: [id, approve] })));
  expect(codes.toSorted()).toEqual(["conflict", "conflict", "conflict", null]);
  expect(await getRun(admin.ctx, id)).toMatchObject({ state: "awaiting_approval", approval: { given: 1, needed: 2 } });
  expect(await eventCount({ action: "run.approve", runId: id })).toBe(1);
});

test("of three others who approve a dangerous run at once two complete it, it starts once, and its caller never signs", async () => {
  for (let round = 0; round < 3; round += 1) {
    const id = await parkedRun();
    const people = [owner, ben, cara, dan];
    const codes = await codesOf(people.map(({ actor }) => ({ verb: "decideRun", actor, args: [id, approve] })));
    expect(codes[0]).toMatch(/separation_of_duties|forbidden|conflict/);
    expect(codes.slice(1).toSorted()).toEqual(["conflict", null, null]);
    expect(await getRun(admin.ctx, id)).toMatchObject({ state: "queued", approval: { given: 2 } });
    expect(await eventCount({ action: "run.start", runId: id })).toBe(1);
    expect(await eventCount({ action: "run.approve", runId: id })).toBe(2);
  }
});

test("of an approval and rejections of a run at once exactly one counts", async () => {
  const id = await parkedRun();
  const acts = [ben, cara, dan, admin].map(({ actor }, index) => {
    return { verb: "decideRun", actor, args: [id, index === 0 ? approve : reject] } satisfies Act;
  });
  const codes = await codesOf(acts);
  expect(await getRun(admin.ctx, id)).toMatchObject({ state: "rejected" });
  expect(codes.slice(1).filter((code) => code === null)).toHaveLength(1);
  expect(await eventCount({ action: "run.reject", runId: id })).toBe(1);
  expect(await eventCount({ action: "run.start", runId: id })).toBe(0);
});

test("of four decisions on a version at once one is made, and its author makes none", async () => {
  const { id, digest } = await pendingVersion("decided_at_once");
  const decisions = [approve, approve, reject, approve];
  const acts = [owner, ben, cara, dan].map(({ actor }, index) => {
    const decision = { ...(decisions[index] ?? approve), expects: "pending" as const };
    return { verb: "decideVersion", actor, args: [id, digest, decision] } satisfies Act;
  });
  const [own, ...others] = await codesOf(acts);
  expect(own).toMatch(/separation_of_duties|forbidden|conflict/);
  expect(others.toSorted()).toEqual(["conflict", "conflict", null]);
  const made = await database.reader.decision.findMany({ where: { version: { digest } } });
  expect(made.filter(({ decision }) => decision !== "activate")).toHaveLength(1);
});

test("runs that are started in four processes at once do not exceed a quota together", async () => {
  await updateQuotas(admin.ctx, { userId: caller.id, patch: { runsAtOnce: 2 } });
  const codes = await codesOf(
    four(() => ({ verb: "startRun", actor: caller.actor, args: [limited.id, { args: { text: "x" }, wait: 0 }] })),
  );
  expect(codes.toSorted()).toEqual([null, null, "rate_limited", "rate_limited"].toSorted());
  expect(await database.reader.run.count({ where: { callerId: caller.id } })).toBe(2);
});

test("an invitation that is accepted in four processes at once works once", async () => {
  const at = new Date();
  const invited = await person("user", "Ivy");
  await database.writer.user.update({ where: { id: invited.id }, data: { state: "invited", updatedAt: at } });
  const { token } = await createInvite(admin.ctx, invited.id);
  const passwords = four((index) => `a long password, number ${index}`);
  const codes = await codesOf(
    passwords.map((password) => ({ verb: "acceptInvite", actor: admin.actor, args: [{ token, password }] })),
  );
  expect(codes.toSorted()).toEqual(["conflict", "conflict", "conflict", null]);
  expect(await eventCount({ action: "user.join", targetId: invited.id })).toBe(1);
});

test("admins who remove each other at once leave one", async () => {
  for (let round = 0; round < 3; round += 1) {
    await database.writer.user.updateMany({ where: { role: "admin", id: { not: admin.id } }, data: { role: "user" } });
    const people = [admin, await person("admin"), await person("admin"), await person("admin")];
    const codes = await codesOf(
      people.map(({ actor }, index) => ({
        verb: "updateUser",
        actor,
        args: [{ id: people[(index + 1) % 4]?.id ?? "", patch: { role: "user" } }],
      })),
    );
    expect(codes.toSorted()).toEqual(["conflict", null, null, null]);
    expect(await database.reader.user.count({ where: { role: "admin", state: "active" } })).toBe(1);
    await database.writer.user.update({ where: { id: admin.id }, data: { role: "admin" } });
  }
});

test("of four edits of the same version at once one is saved, and numbers are given once", async () => {
  const { id, digest } = await pendingVersion("edited_at_once");
  const files = (text: string) =>
    packFiles({ name: "edited_at_once", script: `#!/bin/sh\n# ${text}\ncat\n` }).map(({ path, mode, bytes }) => ({
      ...{ path, mode, text: new TextDecoder().decode(bytes) },
    }));
  const codes = await codesOf(
    four((index) => ({
      verb: "createVersion",
      actor: owner.actor,
      args: [id, { baseDigest: digest, files: files(`edit ${index}`) }],
    })),
  );
  expect(codes.toSorted()).toEqual(["conflict", "conflict", "conflict", null]);
  const versions = await database.reader.version.findMany({ where: { skillId: id }, orderBy: { number: "asc" } });
  expect(versions.map(({ number }) => number)).toEqual([1, 2]);
});

test("activations in four processes at once get numbers of their own, and the one with the last is active", async () => {
  const { id } = await pendingVersion("activated_at_once", "0");
  const versions: { digest: string }[] = [];
  for (const line of ["1", "2", "3", "4"]) {
    const version = await pendingVersion("activated_at_once", line);
    await decideVersion(ben.ctx, id, version.digest, approve);
    versions.push(version);
  }
  const codes = await codesOf(
    four((index) => ({
      verb: "activateVersion",
      actor: ben.actor,
      args: [id, versions[index]?.digest ?? "", { comment: "" }],
    })),
  );
  expect(codes).toEqual([null, null, null, null]);
  const rows = await database.reader.auditEvent.findMany({ where: { skillId: id }, orderBy: { seq: "asc" } });
  const serves = rows.flatMap(({ data, versionDigest }) => {
    const number: unknown = JSON.parse(data).serves;
    return typeof number === "number" ? [{ number, versionDigest }] : [];
  });
  expect(serves.map(({ number }) => number)).toEqual(serves.map((_, index) => index + 1));
  const skill = await database.reader.skill.findUniqueOrThrow({ where: { id }, include: { current: true } });
  expect(skill.current?.digest).toBe(serves.at(-1)?.versionDigest);
  const { approvals } = await verifyData(folder, address);
  expect(approvals.filter(({ problem }) => problem !== null)).toEqual([]);
});

test("what all processes did is one audit with a chain for each, and it verifies", async () => {
  await writeHead(database, new Date());
  const result = await verifyFolder(folder, address);
  expect(result).toMatchObject({ firstBroken: null, unsigned: 0, checked: await database.reader.auditEvent.count() });
  const chains = await database.reader.auditEvent.groupBy({ by: ["chain"], orderBy: { chain: "asc" } });
  expect(chains.map(({ chain }) => chain)).toEqual([1, 2, 3, 4, 5]);
});
