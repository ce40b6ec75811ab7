import { expect, test } from "vitest";
import { processStore } from "@/lib/core/process-store";
import { decideVersion } from "@/lib/review/decide-version";
import { createCredential, updateCredential } from "@/lib/settings/credentials/credentials";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { startRun } from "./start-run";

const { database, person } = await testDatabase();
const admin = await person("admin");
const worker = await testWorker(database);
const VALUE = "tok/Qx7+W9-Kzu";
const LABEL = "•••• (credential api-token)";

const credential = await createCredential(admin.ctx, { name: "api-token", description: "", value: VALUE });
const upload = await zipUpload("pack", packFiles({ manifest: { schema: { type: "object" } } }));
const [skill] = (await importSkills(admin.ctx, { ...upload, owner: "me" })).skills;
const grants = { credentials: [{ slot: "x", credential: "api-token", as: "env" as const, name: "TOKEN" }] };
const id = skill?.id ?? "";
await decideVersion(admin.ctx, id, skill?.pendingVersion?.digest ?? "", { decision: "approve", comment: "", grants });
await updateSkill(admin.ctx, id, { enabled: true });

async function leased() {
  await startRun(admin.ctx, id, { args: {}, wait: 0 });
  const [lease] = await worker.lease();
  if (!lease) throw new Error("nothing was leased");
  return lease;
}

/** Reports a value as a worker that redacts nothing. */
async function tell(lease: { runId: string; fence: number }, value: string) {
  const item = { seq: 1, at: new Date().toISOString(), stream: "stderr" as const, text: `got ${value}` };
  await worker.say({ events: [{ ...lease, items: [item] }] });
  const error = { code: "exit_nonzero" as const, message: `exit 1 (stderr: ${encodeURIComponent(value)})` };
  const rawOutput = `{"a": "${Buffer.from(value).toString("hex")}"}`;
  await worker.complete(lease as never, { error, exitCode: 1, rawOutput });
  const run = await database.reader.run.findUniqueOrThrow({ where: { id: lease.runId }, include: { events: true } });
  return { text: run.events[0]?.text, message: run.errorMessage, rawOutput: run.rawOutput };
}

const REDACTED = { text: `got ${LABEL}`, message: `exit 1 (stderr: ${LABEL})`, rawOutput: `{"a": "${LABEL}"}` };

test("a lease has the value, and what a worker says of it is stored without it", async () => {
  const lease = await leased();
  expect(lease.secrets).toEqual([{ as: "env", name: "TOKEN", value: VALUE, credential: "api-token" }]);
  expect(await tell(lease, VALUE)).toEqual(REDACTED);
});

test("a result too, in strings and in keys", async () => {
  const lease = await leased();
  await worker.complete(lease, { result: { [VALUE]: [VALUE] } });
  const run = await database.reader.run.findUniqueOrThrow({ where: { id: lease.runId } });
  expect(JSON.parse(run.result ?? "")).toEqual({ [LABEL]: [LABEL] });
});

test("after a restart the server knows the value from what is stored", async () => {
  const lease = await leased();
  processStore("run-redactors", () => new Map<string, unknown>()).clear();
  expect(await tell(lease, VALUE)).toEqual(REDACTED);
});

test("a run that got the value before it was replaced is stored without that one", async () => {
  const lease = await leased();
  await updateCredential(admin.ctx, credential.id, { value: "another-value" });
  expect(await tell(lease, VALUE)).toEqual(REDACTED);
  expect((await leased()).secrets[0]?.value).toBe("another-value");
});
