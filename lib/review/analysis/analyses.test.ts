import { expect, it } from "vitest";
import type { AnalysisReport, StepReport } from "@/lib/policy/analysis/schema";
import { registerWorker } from "@/lib/runner/workers/workers";
import { updateSettings } from "@/lib/settings/update-settings";
import { deleteSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getVersion } from "@/lib/skills/versions/get-version";
import { submitVersion } from "@/lib/skills/versions/submit-version";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { RegisterRequest } from "@/lib/worker/protocol";
import { decideVersion } from "../decide-version";
import { scanVersion } from "../scan-version";
import { exportApproval } from "../signatures";
import { finishAnalysis } from "./finish-analysis";
import { leaseAnalysis, listHeldAnalyses, readAnalysisBlob } from "./lease-analysis";
import { exportAnalyses, getAnalysis, listAnalyses } from "./list-analyses";
import { cancelAnalysis, requestAnalysis, requestDueAnalyses } from "./request-analysis";

const { database, person, system } = await testDatabase();
const owner = await person("user");
const reviewer = await person("reviewer");
const admin = await person("admin");

const ABLE = { kind: "available", tracer: "strace 6.1", network: "recorder" } as const;
const UNABLE = { kind: "not_available", reason: "The tracer strace is not installed on this worker." } as const;

async function makeWorker(name: string, analysis: typeof ABLE | typeof UNABLE = ABLE) {
  const worker = await testWorker(database);
  await database.writer.worker.update({ where: { id: worker.id }, data: { name } });
  const about = { name, version: "1", platform: "linux", pid: 1, slots: 1, isolation: "sandbox" as const };
  await registerWorker(worker.ctx, RegisterRequest.parse({ ...about, analysis }));
  return worker;
}

let count = 0;

async function importOne() {
  count += 1;
  const upload = await zipUpload(`pack_${count}`, packFiles({ name: `pack_${count}` }));
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  return { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
}

async function scanned<P extends { digest: string }>(place: P): Promise<P> {
  const { id } = await database.reader.version.findFirstOrThrow({ where: { digest: place.digest } });
  await scanVersion(owner.ctx, id);
  return place;
}

const bringIn = async () => scanned(await importOne());

const STEP: StepReport = {
  ...{
    step: 0,
    end: { kind: "exited", exitCode: 0 },
    durationMs: 5,
    programs: [],
    reads: [],
    lookedFor: [],
    writes: [],
  },
  ...{ addresses: [], names: ["collect.example"], refused: [], leftRunning: [], beyond: {}, stdout: "", stderr: "" },
  sent: [{ canary: "$GITHUB_TOKEN", encoding: "clear", channel: "http", to: "collect.example:80" }],
  deeds: [{ kind: "sent_canary", what: "$GITHUB_TOKEN to collect.example:80" }],
};

const reportOf = (steps: number): AnalysisReport => ({
  ...{
    schema: 1,
    tracer: "strace 6.1",
    isolation: "bubblewrap 0.8.0",
    network: "recorder",
    canaries: ["$GITHUB_TOKEN"],
  },
  ...{ steps: Array.from({ length: steps }, (_, step) => ({ ...STEP, step })), untouched: ["SKILL.md"] },
});

const actionsOf = async (digest: string) =>
  (
    await database.reader.auditEvent.findMany({
      where: { versionDigest: digest, action: { startsWith: "analysis." } },
      orderBy: { seq: "asc" },
    })
  ).map(({ action }) => action);

it("goes from a reviewer's request to a report and its findings, without an approval, run or result", async () => {
  const place = await bringIn();
  const worker = await makeWorker("analyst");
  await expect(requestAnalysis(owner.ctx, place, { stepSeconds: 5 })).rejects.toMatchObject({ code: "forbidden" });
  const asked = await requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  expect(asked.state).toEqual({ kind: "queued" });
  await expect(requestAnalysis(admin.ctx, place, { stepSeconds: 5 })).rejects.toMatchObject({ code: "conflict" });

  const lease = await leaseAnalysis(worker.ctx);
  expect(lease).toMatchObject({ analysisId: asked.id, fence: 1, versionDigest: place.digest, steps: asked.steps });
  expect(Object.keys(lease ?? {}).sort()).toEqual(
    ["analysisId", "fence", "files", "stepSeconds", "steps", "versionDigest", "wanted"].sort(),
  );
  expect(await listHeldAnalyses(worker.ctx)).toEqual([{ analysisId: asked.id, fence: 1 }]);
  const [file] = lease?.files ?? [];
  const wanted = { analysisId: asked.id, sha256: file?.sha256 ?? "" };
  expect((await readAnalysisBlob(worker.ctx, wanted)).length).toBe(file?.size);

  const result = { fence: 1, outcome: { kind: "report" as const, report: reportOf(asked.steps.length) } };
  const other = await makeWorker("other");
  expect(await listHeldAnalyses(other.ctx)).toEqual([]);
  await expect(finishAnalysis(other.ctx, asked.id, result)).rejects.toMatchObject({ code: "not_found" });
  await expect(readAnalysisBlob(other.ctx, wanted)).rejects.toMatchObject({ code: "not_found" });
  await expect(finishAnalysis(worker.ctx, asked.id, { ...result, fence: 2 })).rejects.toMatchObject({
    code: "conflict",
  });
  await finishAnalysis(worker.ctx, asked.id, result);
  await expect(finishAnalysis(worker.ctx, asked.id, result)).rejects.toMatchObject({ code: "conflict" });
  await expect(readAnalysisBlob(worker.ctx, wanted)).rejects.toMatchObject({ code: "not_found" });

  const { state } = await getAnalysis(reviewer.ctx, { ...place, analysisId: asked.id });
  expect(state).toMatchObject({
    kind: "finished",
    compared: expect.arrayContaining([{ kind: "host", what: "collect.example", declared: "no", observed: "yes" }]),
    // A host that received a planted secret is never offered as a permission.
    used: { network: false },
  });
  expect(await actionsOf(place.digest)).toEqual(["analysis.requested", "analysis.started", "analysis.finished"]);
  const version = await getVersion(reviewer.ctx, place.id, place.digest);
  expect(version.state).toBe("pending");
  expect(version.approvals.given).toBe(0);
  expect(version.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["DRY001", "DRY007"]));
  expect(await database.reader.run.count()).toBe(0);

  // A later scan replaces its own findings only.
  const { id } = await database.reader.version.findFirstOrThrow({ where: { digest: place.digest } });
  await scanVersion(reviewer.ctx, id);
  const after = await getVersion(reviewer.ctx, place.id, place.digest);
  expect(after.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["DRY001", "DRY007"]));
});

it("waits for the first scan of a version, and lets others go first", async () => {
  const worker = await makeWorker("early");
  const unscanned = await importOne();
  const waiting = await requestAnalysis(reviewer.ctx, unscanned, { stepSeconds: 5 });
  // As after a scan that took longer than the request waits for it.
  await database.writer.versionScan.deleteMany({ where: { version: { digest: unscanned.digest } } });
  expect(await leaseAnalysis(worker.ctx)).toBeNull();
  const later = await requestAnalysis(reviewer.ctx, await bringIn(), { stepSeconds: 5 });
  expect(await leaseAnalysis(worker.ctx)).toMatchObject({ analysisId: later.id });
  await scanned(unscanned);
  expect(await leaseAnalysis(worker.ctx)).toMatchObject({ analysisId: waiting.id });
});

it("says that no worker can, instead of a report in which nothing happened", async () => {
  await database.writer.worker.deleteMany({});
  const place = await bringIn();
  const start = () => requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  await expect(start()).rejects.toThrow("No worker is online");
  const worker = await makeWorker("without-tracer", UNABLE);
  await expect(start()).rejects.toThrow("strace is not installed");
  expect((await listAnalyses(reviewer.ctx, place)).workers).toEqual([{ name: "without-tracer", ability: UNABLE }]);
  expect(await leaseAnalysis(worker.ctx)).toBeNull();
});

it("fails when its worker asks again without having reported", async () => {
  const place = await bringIn();
  const worker = await makeWorker("restarted");
  const asked = await requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  expect(await leaseAnalysis(worker.ctx)).not.toBeNull();
  expect(await leaseAnalysis(worker.ctx)).toBeNull();
  const { state } = await getAnalysis(reviewer.ctx, { ...place, analysisId: asked.id });
  expect(state).toMatchObject({ kind: "failed", reason: expect.stringContaining("worker was lost") });
  expect((await getVersion(reviewer.ctx, place.id, place.digest)).findings.map(({ rule }) => rule)).not.toContain(
    "DRY001",
  );
});

it("keeps a hostile act in the findings, the list and the export, whatever later dry runs execute", async () => {
  await database.writer.worker.deleteMany({});
  const place = await bringIn();
  const worker = await makeWorker("patient");
  const perform = async (input: Parameters<typeof requestAnalysis>[2], step: Partial<StepReport>) => {
    const asked = await requestAnalysis(reviewer.ctx, place, input);
    await leaseAnalysis(worker.ctx);
    const whole = reportOf(asked.steps.length);
    const report = { ...whole, steps: whole.steps.map((one) => ({ ...one, ...step })) };
    await finishAnalysis(worker.ctx, asked.id, { fence: 1, outcome: { kind: "report", report } });
    return asked.id;
  };
  const rules = async () =>
    (await getVersion(reviewer.ctx, place.id, place.digest)).findings.map(({ rule }) => rule).sort();
  const written = (text: string) => ({
    stepSeconds: 5,
    steps: [{ kind: "command" as const, path: "run.sh", line: 1, language: "sh" as const, text }],
  });
  await perform(written("cat ~/.ssh/id_rsa"), {});
  expect(await rules()).not.toContain("DRY001");
  const hostile = await perform({ stepSeconds: 5 }, {});
  const found = await rules();
  expect(found).toContain("DRY001");
  for (let count = 0; count < 6; count += 1) await perform(written("true"), { sent: [], names: [], deeds: [] });
  expect(await rules()).toEqual(found);
  expect((await listAnalyses(reviewer.ctx, place)).items.map(({ id }) => id)).toContain(hostile);
  const { id } = await database.reader.version.findFirstOrThrow({ where: { digest: place.digest } });
  expect((await exportAnalyses(reviewer.ctx, id)).map((one) => one.id)).toContain(hostile);
});

it("is requested for imports only when an admin has chosen so, once for each version", async () => {
  await database.writer.version.updateMany({ data: { state: "draft" } });
  await bringIn();
  expect(await requestDueAnalyses(system)).toBe(0);
  await updateSettings(admin.ctx, { analyzeImports: true });
  expect(await requestDueAnalyses(system)).toBe(1);
  expect(await requestDueAnalyses(system)).toBe(0);
});

it("is requested for an import beside dry runs of people that execute less than its plan", async () => {
  await database.writer.version.updateMany({ data: { state: "draft" } });
  await database.writer.analysis.updateMany({ data: { state: "failed" } });
  await database.writer.worker.deleteMany({});
  const worker = await makeWorker("thorough");
  const loseAll = () => database.writer.analysis.updateMany({ where: { state: "queued" }, data: { state: "failed" } });
  const finish = async (asked: { id: string; steps: unknown[] }, change: Partial<StepReport> = {}) => {
    await leaseAnalysis(worker.ctx);
    const whole = reportOf(asked.steps.length);
    const report = { ...whole, steps: whole.steps.map((step) => ({ ...step, ...change })) };
    await finishAnalysis(worker.ctx, asked.id, { fence: 1, outcome: { kind: "report", report } });
  };
  const idle = { kind: "command" as const, path: "skill.json", line: 1, language: "sh" as const, text: "true" };
  const less = { steps: [idle], stepSeconds: 20 };

  const waiting = await bringIn();
  await requestAnalysis(reviewer.ctx, waiting, less);
  expect(await requestDueAnalyses(system)).toBe(1);
  await expect(requestAnalysis(reviewer.ctx, waiting, less)).rejects.toMatchObject({ code: "conflict" });
  await loseAll();
  // One that the server started is not repeated, however it ended.
  expect(await requestDueAnalyses(system)).toBe(0);

  const notStarted = { kind: "not_started" as const, reason: "It has no interpreter." };
  const tries: [typeof less | { stepSeconds: number }, Partial<StepReport>][] = [
    [less, {}],
    [{ stepSeconds: 1 }, {}],
    [{ stepSeconds: 20 }, { end: notStarted }],
  ];
  for (const [input, change] of tries) {
    const place = await bringIn();
    await finish(await requestAnalysis(reviewer.ctx, place, input), change);
    expect(await requestDueAnalyses(system)).toBe(1);
    await loseAll();
  }

  const whole = await bringIn();
  const { plan } = await listAnalyses(reviewer.ctx, whole);
  const asked = await requestAnalysis(reviewer.ctx, whole, { steps: [idle, ...plan.steps], stepSeconds: 20 });
  expect(await requestDueAnalyses(system)).toBe(0);
  await finish(asked);
  expect(await requestDueAnalyses(system)).toBe(0);
  await requestAnalysis(reviewer.ctx, await bringIn(), { stepSeconds: 20 });
  await loseAll();
  expect(await requestDueAnalyses(system)).toBe(1);
});

it("analyses an import behind versions that execute nothing, and keeps capacity and the next turn for people", async () => {
  await database.writer.analysis.updateMany({ data: { state: "failed" } });
  for (let index = 0; index < 6; index += 1) {
    count += 1;
    const name = `plain_${count}`;
    await importSkills(owner.ctx, {
      ...(await zipUpload(name, playbookFiles({ name, body: "Be kind." }))),
      owner: "me",
    });
  }
  const places = [];
  for (let index = 0; index < 7; index += 1) places.push(await bringIn());
  for (const { id } of await database.reader.version.findMany({ where: { scan: null } }))
    await scanVersion(reviewer.ctx, id);
  for (let pass = 0; pass < 3; pass += 1) await requestDueAnalyses(system);
  const waiting = await database.reader.analysis.findMany({
    where: { state: "queued" },
    orderBy: { createdAt: "asc" },
  });
  expect(waiting.map(({ requestedById }) => requestedById)).toEqual([null, null, null, null, null]);
  const asked = places.find(({ digest }) => waiting.every((row) => row.digest !== digest));
  if (asked === undefined) throw new Error("nothing is left");
  const { id } = await requestAnalysis(reviewer.ctx, asked, { stepSeconds: 20 });
  const worker = await makeWorker("turns");
  expect((await leaseAnalysis(worker.ctx))?.analysisId).toBe(id);
});

it("lets people take turns, and bounds what one of them has open", async () => {
  await database.writer.analysis.updateMany({ data: { state: "failed" } });
  await database.writer.worker.deleteMany({});
  const worker = await makeWorker("fair");
  const other = await person("reviewer");
  const places = [];
  for (let index = 0; index < 11; index += 1) places.push(await bringIn());
  const [first, second] = places;
  if (!first || !second) throw new Error("nothing was imported");
  for (const place of places.slice(0, 10)) await requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  await expect(requestAnalysis(reviewer.ctx, places[10] ?? first, { stepSeconds: 5 })).rejects.toMatchObject({
    code: "rate_limited",
  });
  // Those of another person on the same version have other steps or more time.
  const asked = await requestAnalysis(other.ctx, first, { stepSeconds: 6 });
  const next = await requestAnalysis(other.ctx, second, { stepSeconds: 6 });
  const order = [];
  for (let index = 0; index < 4; index += 1) {
    await database.writer.analysis.updateMany({ where: { state: "running" }, data: { workerId: null } });
    order.push((await leaseAnalysis(worker.ctx))?.analysisId);
  }
  expect(order.slice(0, 2)).toContain(asked.id);
  expect(order).toContain(next.id);
});

it("refuses a dry run that takes too long", async () => {
  const place = await bringIn();
  const step = { kind: "script" as const, path: "skill.json", argv: [], stdin: "" };
  const steps = Array.from({ length: 40 }, () => step);
  await expect(requestAnalysis(reviewer.ctx, place, { stepSeconds: 60, steps })).rejects.toThrow("2400 seconds");
});

it("can be cancelled by reviewers only, and ends with the decision or the skill that it was for", async () => {
  await database.writer.analysis.updateMany({ data: { state: "failed" } });
  const worker = await makeWorker("cancels");
  const place = await bringIn();
  const asked = await requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  const where = { ...place, analysisId: asked.id };
  await expect(cancelAnalysis(owner.ctx, where)).rejects.toMatchObject({ code: "forbidden" });
  expect(await leaseAnalysis(worker.ctx)).toMatchObject({ analysisId: asked.id });
  expect((await cancelAnalysis(admin.ctx, where)).state).toMatchObject({ kind: "failed" });
  await expect(cancelAnalysis(admin.ctx, where)).rejects.toMatchObject({ code: "conflict" });
  const report = { fence: 1, outcome: { kind: "report" as const, report: reportOf(asked.steps.length) } };
  await expect(finishAnalysis(worker.ctx, asked.id, report)).rejects.toMatchObject({ code: "conflict" });
  expect(await actionsOf(place.digest)).toEqual(["analysis.requested", "analysis.started", "analysis.cancelled"]);

  const own = await person("reviewer");
  const upload = await zipUpload("pack_own", packFiles({ name: "pack_own" }));
  const [skill] = (await importSkills(own.ctx, { ...upload, owner: "me" })).skills;
  const ofAuthor = { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
  const { id } = await requestAnalysis(reviewer.ctx, ofAuthor, { stepSeconds: 5 });
  await expect(cancelAnalysis(own.ctx, { ...ofAuthor, analysisId: id })).rejects.toMatchObject({ code: "forbidden" });
  // Neither by a decision.
  await decideVersion(own.ctx, ofAuthor.id, ofAuthor.digest, { decision: "request_changes", comment: "Wait." });
  expect(await database.reader.analysis.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: "queued" });
  await deleteSkill(own.ctx, ofAuthor.id);
  expect(await leaseAnalysis(worker.ctx)).toBeNull();
  const row = await database.reader.analysis.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ state: "failed", failure: expect.stringContaining("deleted") });
});

it("is not held any more by its worker when the skill is deleted", async () => {
  await database.writer.analysis.updateMany({ data: { state: "failed" } });
  await database.writer.worker.deleteMany({});
  const worker = await makeWorker("analyst");
  const own = await person("reviewer");
  const upload = await zipUpload("pack_gone", packFiles({ name: "pack_gone" }));
  const [skill] = (await importSkills(own.ctx, { ...upload, owner: "me" })).skills;
  const place = { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
  const { id } = await requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  await leaseAnalysis(worker.ctx);
  expect(await listHeldAnalyses(worker.ctx)).toEqual([{ analysisId: id, fence: 1 }]);
  await deleteSkill(own.ctx, place.id);
  expect(await listHeldAnalyses(worker.ctx)).toEqual([]);
});

it("ends with the decision of a reviewer, and not with one of an author or owner, whose version then gets the report", async () => {
  await database.writer.analysis.updateMany({ data: { state: "failed" } });
  await database.writer.worker.deleteMany({});
  const worker = await makeWorker("decided");
  await updateSettings(admin.ctx, { soloMode: false });
  const author = await person("reviewer");
  const upload = await zipUpload("pack_decided", packFiles({ name: "pack_decided" }));
  const [skill] = (await importSkills(author.ctx, { ...upload, owner: "me" })).skills;
  const place = await scanned({ id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" });
  const refuse = { decision: "request_changes", comment: "Not yet." } as const;
  const asked = await requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  expect(await leaseAnalysis(worker.ctx)).toMatchObject({ analysisId: asked.id });
  const own = await requestAnalysis(author.ctx, place, { stepSeconds: 6 });
  await decideVersion(author.ctx, place.id, place.digest, refuse);
  expect(await database.reader.analysis.findUniqueOrThrow({ where: { id: own.id } })).toMatchObject({
    state: "failed",
  });
  const report = reportOf(asked.steps.length);
  await finishAnalysis(worker.ctx, asked.id, { fence: 1, outcome: { kind: "report", report } });
  const { state, findings } = await getVersion(reviewer.ctx, place.id, place.digest);
  expect(state).toBe("changes_requested");
  expect(findings.map(({ rule }) => rule)).toContain("DRY001");

  await submitVersion(author.ctx, place.id, place.digest);
  const last = await requestAnalysis(admin.ctx, place, { stepSeconds: 5 });
  await decideVersion(reviewer.ctx, place.id, place.digest, refuse);
  expect(await database.reader.analysis.findUniqueOrThrow({ where: { id: last.id } })).toMatchObject({
    state: "failed",
  });
});

it("leaves with an approval: the report for reviewers and admins, its digest for others", async () => {
  await database.writer.analysis.updateMany({ data: { state: "failed" } });
  await database.writer.worker.deleteMany({});
  const place = await bringIn();
  const worker = await makeWorker("exports");
  const asked = await requestAnalysis(reviewer.ctx, place, { stepSeconds: 5 });
  await leaseAnalysis(worker.ctx);
  const report = {
    ...reportOf(asked.steps.length),
    steps: asked.steps.map((_, step) => ({ ...STEP, step, deeds: [] })),
  };
  await finishAnalysis(worker.ctx, asked.id, { fence: 1, outcome: { kind: "report", report } });
  await decideVersion(reviewer.ctx, place.id, place.digest, { decision: "approve", comment: "It is a test." });
  const of = async ({ ctx }: typeof owner) => (await exportApproval(ctx, place.id, place.digest)).analyses?.[0];
  for (const who of [reviewer, admin]) expect((await of(who))?.reportJson).toContain("strace 6.1");
  const told = await of(owner);
  expect(told).toMatchObject({ id: asked.id, reportDigest: (await of(admin))?.reportDigest });
  expect(told).not.toHaveProperty("reportJson");
});
