import { expect, test } from "vitest";
import { getRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { updateSettings } from "@/lib/settings/update-settings";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { diffVersions } from "@/lib/skills/versions/diff-versions";
import { getVersion } from "@/lib/skills/versions/get-version";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { executeLease } from "@/lib/worker/testing/execute-lease";
import { decideVersion } from "./decide-version";

const { person, database } = await testDatabase();
const admin = await person("admin");
await updateSettings(admin.ctx, { soloMode: false });
const reviewers = [await person("reviewer", "First"), await person("reviewer", "Second")] as const;
const [first, second] = reviewers;
const worker = await testWorker(database);

const COUNT = `import argparse
parser = argparse.ArgumentParser()
parser.add_argument("words", nargs="+")
parser.add_argument("--mark", default="!")
args = parser.parse_args()
print(len(args.words), args.mark)
`;
const ENTRY: ScriptEntry = {
  path: "scripts/count.py",
  call: {
    style: "argv",
    standard: true,
    params: [
      { name: "mark", kind: "option", flag: "--mark" },
      { name: "words", kind: "positional", repeat: true },
    ],
  },
  schema: {
    type: "object",
    properties: { words: { type: "array", items: { type: "string" }, minItems: 1 }, mark: { type: "string" } },
    required: ["words"],
    additionalProperties: false,
  },
  output: "text",
};
const APPROVE = { decision: "approve", comment: "", class: "safe" } as const;

async function importFolder(name: string, { script = COUNT, body = "# Count\n", folder = name } = {}) {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const files = [
    ...playbookFiles({ name, body }),
    { path: "scripts/count.py", mode: "644" as const, bytes: bytes(script) },
    { path: "data/words.txt", mode: "644" as const, bytes: bytes("one\n") },
  ];
  const { skills } = await importSkills(admin.ctx, { ...(await zipUpload(folder, files)), owner: "me" });
  const [skill] = skills;
  const digest = skill?.pendingVersion?.digest;
  if (!skill || !digest) throw new Error("nothing was imported");
  return { id: skill.id, digest };
}

async function execute(id: string, args: Record<string, unknown>) {
  const started = await startRun(admin.ctx, id, { args, wait: 0, confirm: true });
  if (!("run" in started)) throw new Error("a dry run");
  const [lease] = await worker.lease();
  if (!lease) throw new Error("no lease");
  const blobs = new Map<string, Buffer>();
  for (const { sha256 } of lease.files) {
    const { bytes } = await database.reader.blob.findUniqueOrThrow({ where: { sha256 } });
    blobs.set(sha256, Buffer.from(bytes));
  }
  const { outcome } = await executeLease({ lease, blobs }, { env: {} });
  await worker.complete(lease, await outcome);
  return getRun(admin.ctx, started.run.id);
}

test("an approved script makes a playbook runnable, and its runs get their arguments as words", async () => {
  const { id, digest } = await importFolder("counts-words");
  expect(await getSkill(admin.ctx, id)).toMatchObject({ runnable: false, schema: null });
  const version = await decideVersion(first.ctx, id, digest, { ...APPROVE, entry: ENTRY });
  expect(version).toMatchObject({ state: "approved", entry: ENTRY, decisions: [{ entry: ENTRY }] });
  await updateSkill(admin.ctx, id, { enabled: true });
  expect(await getSkill(admin.ctx, id)).toMatchObject({ runnable: true, schema: ENTRY.schema });
  const run = await execute(id, { words: ["--help", "; rm", ""], mark: "-x $(id)" });
  expect(run).toMatchObject({ state: "succeeded", result: "3 -x $(id)" });
  const wrong = startRun(admin.ctx, id, { args: { words: ["a\0b"] }, wait: 0 });
  await expect(wrong).rejects.toMatchObject({ code: "invalid", errors: [{ path: "args.words" }] });
  const event = await database.reader.auditEvent.findFirstOrThrow({
    where: { skillId: id, action: "version.approve" },
  });
  expect(event.data).toContain("scripts/count.py");
});

test("without an entry in the decision a playbook stays a playbook", async () => {
  const { id, digest } = await importFolder("stays-playbook");
  await decideVersion(first.ctx, id, digest, APPROVE);
  expect(await getSkill(admin.ctx, id)).toMatchObject({ runnable: false, schema: null });
});

test("a revoked approval also removes its entry", async () => {
  const { id, digest } = await importFolder("is-revoked");
  await decideVersion(first.ctx, id, digest, { ...APPROVE, entry: ENTRY });
  await updateSkill(admin.ctx, id, { enabled: true });
  await decideVersion(first.ctx, id, digest, { decision: "revoke", comment: "" });
  expect(await getSkill(admin.ctx, id)).toMatchObject({ runnable: false, schema: null, currentVersion: null });
  const start = startRun(admin.ctx, id, { args: { words: ["a"] }, wait: 0 });
  await expect(start).rejects.toMatchObject({ code: "not_approved" });
});

test("all signers sign the same entry, call and schema", async () => {
  const { id, digest } = await importFolder("two-signers");
  const dangerous = { ...APPROVE, class: "dangerous" } as const;
  const open = await decideVersion(first.ctx, id, digest, { ...dangerous, entry: ENTRY });
  expect(open.approvals.terms).toMatchObject({ entry: ENTRY });
  for (const entry of [
    undefined,
    { ...ENTRY, output: "json" as const },
    { ...ENTRY, call: { style: "stdin-json" } } as ScriptEntry,
  ]) {
    await expect(decideVersion(second.ctx, id, digest, { ...dangerous, entry })).rejects.toMatchObject({
      code: "conflict",
    });
  }
  expect((await decideVersion(second.ctx, id, digest, { ...dangerous, entry: ENTRY })).state).toBe("approved");
});

test("an entry that was changed after signing does not run", async () => {
  const { id, digest } = await importFolder("is-tampered");
  await decideVersion(first.ctx, id, digest, { ...APPROVE, entry: ENTRY });
  await updateSkill(admin.ctx, id, { enabled: true });
  const start = () => startRun(admin.ctx, id, { args: { words: ["a"] }, wait: 0, dryRun: true });
  expect(await start()).toMatchObject({ dryRun: { ok: true } });
  const changed = { ...ENTRY, call: { ...ENTRY.call, standard: false } };
  for (const entry of [JSON.stringify(changed), null, "{"]) {
    await database.writer.version.updateMany({ where: { digest }, data: { entry } });
    await expect(start()).rejects.toMatchObject({ code: "not_approved" });
  }
});

test("the next version is proposed the same script and reports whether its file changed", async () => {
  const { id, digest } = await importFolder("is-updated");
  await decideVersion(first.ctx, id, digest, { ...APPROVE, entry: ENTRY });
  const same = await importFolder("is-updated", { body: "# Count better\n" });
  expect(same.id).toBe(id);
  expect(await getVersion(first.ctx, id, same.digest)).toMatchObject({
    entry: null,
    carriedEntry: { entry: ENTRY, from: { digest }, file: "unchanged" },
  });
  expect((await diffVersions(first.ctx, id, same.digest)).changes.map(({ field }) => field)).not.toContain(
    "runnable script",
  );
  const changed = await importFolder("is-updated", { script: `${COUNT}\n# more\n` });
  expect((await getVersion(first.ctx, id, changed.digest)).carriedEntry).toMatchObject({ file: "changed" });
  await decideVersion(first.ctx, id, changed.digest, APPROVE);
  expect(await getSkill(admin.ctx, id)).toMatchObject({ runnable: false });
  const dropped = (await diffVersions(first.ctx, id, changed.digest, digest)).changes;
  expect(dropped).toContainEqual({ field: "runnable script", before: ENTRY, after: null });
});

test("an entry that cannot start is refused with its place", async () => {
  const { id, digest } = await importFolder("is-refused");
  const { call } = ENTRY;
  if (call.style !== "argv") throw new Error("not argv");
  const deep = Array.from({ length: 40 }).reduce<Record<string, unknown>>((inner) => ({ not: inner }), {});
  const cases: [Partial<ScriptEntry>, string][] = [
    [{ path: "scripts/none.py" }, "entry.path"],
    [{ path: "../count.py" }, "entry.path"],
    [{ path: "data/words.txt" }, "entry.path"],
    [{ schema: { type: "array" } }, "entry.schema.type"],
    [{ schema: { ...ENTRY.schema, pattern: "(" } }, "entry.schema.pattern"],
    [{ schema: { type: "object", not: deep } }, "entry.schema"],
    [{ call: { ...call, params: call.params.slice(1) } }, "entry.schema.properties.mark"],
    [{ call: { ...call, params: [...call.params, ...call.params.slice(1)] } }, "entry.call.params.2.name"],
    [{ call: { ...call, stdin: "text" } }, "entry.call.stdin"],
  ];
  for (const [change, path] of cases) {
    const refused = decideVersion(first.ctx, id, digest, { ...APPROVE, entry: { ...ENTRY, ...change } });
    await expect(refused).rejects.toMatchObject({ code: "invalid", errors: [expect.objectContaining({ path })] });
  }
  const reject = decideVersion(first.ctx, id, digest, { decision: "reject", comment: "no", entry: ENTRY });
  await expect(reject).rejects.toMatchObject({ code: "invalid", errors: [{ path: "entry" }] });
});

test("a version whose files name an entry keeps it", async () => {
  const upload = await zipUpload("pack", packFiles({ name: "has_its_own" }));
  const [skill] = (await importSkills(admin.ctx, { ...upload, owner: "me" })).skills;
  const entry = { ...ENTRY, path: "run.sh" };
  const refused = decideVersion(first.ctx, skill?.id ?? "", skill?.pendingVersion?.digest ?? "", { ...APPROVE, entry });
  await expect(refused).rejects.toMatchObject({ code: "invalid", errors: [{ path: "entry" }] });
});
