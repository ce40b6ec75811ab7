import { expect, test } from "vitest";
import { AGENT_TASK } from "@/lib/policy/analysis/plan-steps";
import type { AnalysisStep, StepReport } from "@/lib/policy/analysis/schema";
import { registerWorker } from "@/lib/runner/workers/workers";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { requireVersion } from "@/lib/skills/version-access";
import { getVersion } from "@/lib/skills/versions/get-version";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { RegisterRequest } from "@/lib/worker/protocol";
import { scanVersion } from "../scan-version";
import { finishAnalysis } from "./finish-analysis";
import { leaseAnalysis } from "./lease-analysis";
import { getAnalysis, listAnalyses } from "./list-analyses";
import { findOwnParts } from "./plan-version";
import { requestAnalysis } from "./request-analysis";

const { database, person } = await testDatabase();
const [reviewer, owner] = [await person("reviewer"), await person()];
const worker = await testWorker(database);
const analysis = { kind: "available", tracer: "strace 6.1", network: "recorder" } as const;
const about = { name: "analyst", version: "1", platform: "linux", pid: 1, slots: 1, isolation: "sandbox" as const };
await registerWorker(worker.ctx, RegisterRequest.parse({ ...about, analysis }));

const BODY = "Never run `curl https://evil.example/x` here.\n\n```sh\nsh get.sh one\n```\n";
const SCRIPT = { path: "get.sh", mode: "755" as const, bytes: new TextEncoder().encode('#!/bin/sh\ncurl -s "$1"\n') };
let made = 0;

async function bringIn(files = (name: string) => [...playbookFiles({ name, body: BODY }), SCRIPT]) {
  made += 1;
  const name = `analysed_${made}`;
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload(name, files(name))), owner: "me" })).skills;
  const place = { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
  const { id } = await database.reader.version.findFirstOrThrow({ where: { digest: place.digest } });
  await scanVersion(owner.ctx, id);
  return place;
}

const DONE: StepReport = {
  ...{ step: 0, end: { kind: "exited", exitCode: 0 }, durationMs: 5, programs: [], reads: [], lookedFor: [] },
  ...{ writes: [], addresses: [], names: ["my-host.example"], sent: [], refused: [], leftRunning: [], beyond: {} },
  ...{ stdout: "", stderr: "", deeds: [{ kind: "read_canary", what: "~/.ssh/id_rsa" }] },
};

/** What a dry run of these steps, each of which asks a host and reads a planted secret, makes of the version. */
async function perform(
  choose: (plan: AnalysisStep[]) => AnalysisStep[] | undefined,
  change = async () => {},
  more = "",
) {
  const place = await bringIn((name) => [...playbookFiles({ name, body: `${BODY}${more}` }), SCRIPT]);
  const steps = choose((await listAnalyses(reviewer.ctx, place)).plan.steps);
  const asked = await requestAnalysis(reviewer.ctx, place, { ...(steps && { steps }), stepSeconds: 5 });
  await leaseAnalysis(worker.ctx);
  await change();
  const report = {
    ...{ schema: 1 as const, tracer: "strace", isolation: "bwrap", network: "recorder" as const, canaries: [] },
    ...{ untouched: [], steps: asked.steps.map((_, step) => ({ ...DONE, step })) },
  };
  await finishAnalysis(worker.ctx, asked.id, { fence: 1, outcome: { kind: "report", report } });
  const { findings } = await getVersion(reviewer.ctx, place.id, place.digest);
  const { state } = await getAnalysis(reviewer.ctx, { ...place, analysisId: asked.id });
  const paths = findings.filter(({ rule }) => rule === "DRY003").map(({ path, line }) => `${path}:${line}`);
  const undeclared = findings.filter(({ rule }) => rule === "DRY007").map(({ text }) => text);
  return { paths, undeclared, used: state.kind === "finished" ? state.used.network : state };
}

const command = (text: string, more = {}): AnalysisStep => ({
  ...{ kind: "command", path: "SKILL.md", line: 1, language: "sh", text },
  ...more,
});
const script = (more: { argv?: string[]; stdin?: string }): AnalysisStep => ({
  ...{ kind: "script", path: "get.sh", argv: [], stdin: "" },
  ...more,
});

test.each<[string, AnalysisStep]>([
  ["a script with arguments", script({ argv: ["http://my-host.example/"] })],
  ["a script with input", script({ stdin: "yes\n" })],
  ["a command that is a word of the text", command("curl https://evil.example/x")],
  ["a command that is a part of a script", command('s "$1"', { path: "get.sh" })],
  ["a planned command with another line", command("sh get.sh one")],
  ["a part of a planned command", command("sh get.sh", { line: 9 })],
  ["a script as text of another language", command('#!/bin/sh\ncurl -s "$1"', { path: "get.sh", language: "python" })],
])("%s of a reviewer is no act of the version", async (_what, step) => {
  expect(await perform(() => [step])).toEqual({ paths: [], undeclared: [], used: false });
});

test("planned steps are acts of the version, beside those of a reviewer, also after a way through a browser", async () => {
  const whole = { paths: ["SKILL.md:9", "get.sh:1"], used: ["my-host.example"] };
  const sorted = async (...given: Parameters<typeof perform>) => {
    const { paths, used } = await perform(...given);
    return { paths: paths.sort(), used };
  };
  expect(await sorted(() => undefined)).toEqual(whole);
  expect(await sorted((plan) => [command("true"), ...JSON.parse(JSON.stringify(plan))])).toEqual(whole);
});

async function ownOf(version: Parameters<typeof findOwnParts>[1], steps: AnalysisStep[]) {
  return [...(await findOwnParts(reviewer.ctx, version, { steps, hosts: [] })).steps];
}

test("an entry with its planned arguments, and an agent with its task, are of the version; with others they are not", async () => {
  const schema = { type: "object", properties: { b: { default: 2 }, a: { const: "x" }, ["__proto__"]: { const: 1 } } };
  const pack = await bringIn((name) => packFiles({ name, manifest: { schema } }));
  const [planned] = (await listAnalyses(reviewer.ctx, pack)).plan.steps;
  if (planned?.kind !== "entry") throw new Error("no entry");
  const { version } = await requireVersion(reviewer.ctx, pack.id, pack.digest);
  const reversed = Object.fromEntries(Object.entries(planned.args).reverse());
  const entries = [planned, { ...planned, args: reversed }, { ...planned, args: { ...planned.args, a: "y" } }];
  expect(await ownOf(version, entries)).toEqual([0, 1]);
  const place = await bringIn();
  const playbook = (await requireVersion(reviewer.ctx, place.id, place.digest)).version;
  const agent = { kind: "agent" as const, path: "SKILL.md", task: AGENT_TASK, commands: 12 };
  const agents = [agent, { ...agent, task: "Send all." }, { ...agent, path: "get.sh" }];
  expect(await ownOf(playbook, agents)).toEqual([0]);
});

test.each([
  ["It asks `My-Host.example`.", true],
  ["It asks my-host.example.", true],
  ["It asks not-my-host.example and my-host.example.org, my-host and example.", false],
])("a host is declared by a file that names it as a whole word: %s", async (text, isNamed) => {
  const { undeclared, used } = await perform(() => undefined, undefined, `\n${text}\n`);
  expect(undeclared).toEqual(isNamed ? [] : ["my-host.example", "my-host.example"]);
  expect(used).toEqual(["my-host.example"]);
});

test("a report about a version whose files were changed since is not kept", async () => {
  const { used } = await perform(
    () => undefined,
    async () => {
      const { bytes } = SCRIPT;
      await database.writer.blob.updateMany({ where: { size: bytes.length }, data: { bytes: Buffer.from("other") } });
    },
  );
  expect(used).toMatchObject({ kind: "failed", reason: expect.stringContaining("get.sh") });
});
