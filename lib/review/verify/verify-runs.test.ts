import { expect, test } from "vitest";
import { recordRunEvent } from "@/lib/audit/record-run-event";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { loadSigningKey } from "@/lib/core/signing-key";
import { inTransaction } from "@/lib/db/context";
import { startRun } from "@/lib/runner/runs/start-run";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { decideVersion } from "../decide-version";
import { verifyRuns } from "./verify-runs";

const { person, database, address, system, folder: keys } = await testDatabase();
const [admin, mara, owner] = [await person("admin"), await person("reviewer", "Mara"), await person("user", "Uma")];
await updateSettings(admin.ctx, { soloMode: false });
const allows = { paths: ["/srv"], env: ["TOKEN"], capabilities: [], namespaces: [], ranges: [], proxy: true };

const [uma, reviewer] = [
  { id: owner.id, name: "Uma" },
  { id: mara.id, name: "Mara" },
];
let count = 0;
const imported = async () => {
  count += 1;
  const files = packFiles({ name: `judged_${count}`, manifest: { schema: { type: "object" } } });
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  return { id: skill?.id ?? "", name: `judged_${count}`, digest: skill?.pendingVersion?.digest ?? "" };
};

/** A skill approved with these grants, run once on a worker with these allowances. */
async function runOnce(grants = {}, said: object | undefined = allows): Promise<string> {
  const { id, digest } = await imported();
  await decideVersion(mara.ctx, id, digest, { decision: "approve", comment: "read", grants });
  await updateSkill(owner.ctx, id, { enabled: true });
  const worker = await testWorker(database);
  await database.writer.worker.update({ where: { id: worker.id }, data: { offers: JSON.stringify({ allows: said }) } });
  await worker.say({});
  const started = await startRun(owner.ctx, id, { args: {}, wait: 0 });
  await worker.lease();
  return "run" in started ? started.run.id : "";
}

type Given = {
  grants?: object;
  signer?: { id: string; name: string };
  basis?: string;
  row?: object;
  callerId?: string;
};

/** A run like that of an earlier release or of a direct write: signed with the instance's key. */
async function storedRun({
  grants = {},
  signer = reviewer,
  basis,
  row = {},
  callerId = owner.id,
}: Given): Promise<string> {
  const { id: skillId, digest } = await imported();
  const { ownerKey, versions } = await database.reader.skill.findUniqueOrThrow({
    where: { id: skillId },
    include: { versions: true },
  });
  const version = versions[0];
  if (!version) throw new Error("there is no version");
  const key = await loadSigningKey(keys);
  const { name } = signer;
  const subjectJson = canonicalJson({
    ...{ skillId, owner: ownerKey, versionDigest: digest, class: "safe", entry: "run.sh", schema: {}, grants },
    limits: { timeoutSeconds: 30 },
  });
  const [subject, decisionId, at] = [sha256Hex(subjectJson), newId(), new Date(Date.now() - 1000)];
  const statement = canonicalJson({
    ...{ format: "skillgate-approval/1", decisionId, subject, versionDigest: digest, signer: { id: signer.id, name } },
    ...{ at: at.toISOString(), needed: 1, soloMode: false, tier: "workspace", rulesVersion: null },
    ...(basis ? { basis } : {}),
  });
  const signed = { statement, signature: key.sign(statement), keyId: key.keyId };
  const said = { id: decisionId, versionId: version.id, decision: "approve", comment: "", soloMode: false, subject };
  const by = { actorId: signer.id, actorName: name, createdAt: at, standing: "counts", subjectJson };
  await database.writer.decision.create({ data: { ...said, ...by, ...signed, ...row } });
  const worker = await testWorker(database);
  const runId = newId();
  await database.writer.run.create({
    data: {
      ...{ id: runId, skillId, versionId: version.id, versionDigest: digest, subject, class: "safe", scope: "manager" },
      ...{ state: "succeeded", args: "{}", argsDigest: "", env: "[]", limits: JSON.stringify({ timeoutMs: 30_000 }) },
      ...{ isolation: "sandbox", workerId: worker.id, callerId, callerName: "Uma", callerKind: "user" },
      ...{ queuedAt: new Date(), startedAt: new Date() },
    },
  });
  return runId;
}

const verified = () => verifyRuns(keys, address);
const problemsOf = async (id: string) => (await verified()).broken.find((run) => run.id === id)?.problems ?? [];

test("a run whose grants a reviewer signed and the worker’s operator allows is valid", async () => {
  expect(await problemsOf(await runOnce())).toEqual([]);
  const grants = { network: true, paths: [{ path: "/srv/data", mode: "ro" as const }], env: ["TOKEN"] };
  expect(await problemsOf(await runOnce(grants))).toEqual([]);
});

test("the lease event records what the worker’s operator allowed, where grants need it", async () => {
  const data = async (runId: string) => {
    const event = await database.reader.auditEvent.findFirstOrThrow({ where: { runId, action: "run.lease" } });
    return JSON.parse(event.data) as Record<string, unknown>;
  };
  expect((await data(await runOnce({ env: ["TOKEN"] }))).allows).toMatchObject(allows);
  expect(await data(await runOnce())).not.toHaveProperty("allows");
});

test("grants of an owner to their own skill are reported, also from earlier releases", async () => {
  const grants = { capabilities: ["CAP_DAC_READ_SEARCH"], paths: [{ path: "/var/lib", mode: "ro" }], network: true };
  const id = await storedRun({ signer: uma, grants });
  const found = (await verified()).broken.find((run) => run.id === id);
  expect(found).toMatchObject({ isFormer: true, skill: expect.stringMatching(/^judged_/) });
  expect(found?.problems).toEqual([
    "only its owner signed the whole network, the capability CAP_DAC_READ_SEARCH, the path /var/lib ro",
  ]);
});

test("another instance stands for people here inside the plain sandbox only", async () => {
  const signer = { id: `instance:${"a".repeat(64)}`, name: "Head office" };
  expect(await problemsOf(await storedRun({ signer, basis: "instance", callerId: mara.id }))).toEqual([]);
  expect(await problemsOf(await storedRun({ signer, basis: "instance", grants: { network: true } }))).toEqual([
    "only another instance signed the whole network",
  ]);
  // Only the basis makes it one: a person may have any id.
  expect(await problemsOf(await storedRun({ signer, basis: "own", callerId: mara.id }))).not.toEqual([]);
});

test("another person must not run what an owner approved alone", async () => {
  expect(await problemsOf(await storedRun({ signer: uma, basis: "own" }))).toEqual([]);
  const id = await storedRun({ signer: uma, basis: "own", callerId: mara.id });
  expect(await problemsOf(id)).toEqual(["only its owner signed it, for their own use, and another person ran it"]);
});

test("a decision written into the database is not a signature", async () => {
  const forged = await storedRun({ row: { actorId: admin.id, actorName: "Ada" } });
  expect((await problemsOf(forged))[0]).toBe("the signature of Ada is for something else than what is stored");
  const unsigned = await storedRun({ row: { signature: null } });
  expect((await problemsOf(unsigned))[0]).toBe("the signature of Mara is missing");
  const changed = await storedRun({ row: { signature: Buffer.alloc(64).toString("base64") } });
  expect(await problemsOf(changed)).toEqual([
    "the signature of Mara does not verify",
    "no valid signature of its terms precedes its start",
  ]);
});

test("a run with more permissions than its approval, or with other bytes, is reported", async () => {
  const id = await storedRun({ basis: "review" });
  await database.writer.run.update({ where: { id }, data: { env: '["TOKEN"]' } });
  expect(await problemsOf(id)).toEqual(["it got the env TOKEN, which is not in the signed terms"]);
  await database.writer.run.update({ where: { id }, data: { env: "[]", versionDigest: "0".repeat(64) } });
  expect((await problemsOf(id))[0]).toBe("it names another version than the signed one");
});

test("a run that its worker’s operator did not allow is reported; a run without an audited allowance is counted", async () => {
  const id = await storedRun({ basis: "review", grants: { capabilities: ["CAP_NET_RAW"] } });
  const before = await verified();
  expect(before.broken.map((run) => run.id)).not.toContain(id);
  const data = { fence: 1, allows: { ...allows, capabilities: [] } };
  const run = await database.reader.run.findUniqueOrThrow({ where: { id }, include: { skill: true, worker: true } });
  await inTransaction(system, (tx, ctx) =>
    recordRunEvent(tx, ctx, run, { action: "run.lease", summary: "took it", data }),
  );
  const after = await verified();
  expect(after.broken.find((run) => run.id === id)?.problems).toEqual([
    "its worker’s operator does not allow the capability CAP_NET_RAW",
  ]);
  expect(after.former).toBe(before.former - 1);
});

test("a plain run of an earlier release is counted as former and is valid", async () => {
  const before = await verified();
  const id = await storedRun({});
  const after = await verified();
  expect([after.runs - before.runs, after.former - before.former]).toEqual([1, 1]);
  expect(after.broken.map((run) => run.id)).not.toContain(id);
});
