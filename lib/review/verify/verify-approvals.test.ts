import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { updateSettings } from "@/lib/settings/update-settings";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "../decide-version";
import { ApprovalBundle } from "../schema";
import { exportApproval, listReviewKeys } from "../signatures";
import { verifyData } from "./verify-data";
import { verifyBundle, verifyFolder } from "./verify-export";

const { person, database, address, folder: keys } = await testDatabase();
const admin = await person("admin", "Tomas");
const [mara, ben] = [await person("reviewer", "Mara"), await person("reviewer", "Ben")];
await updateSettings(admin.ctx, { soloMode: false });

async function approved(name: string) {
  const files = packFiles({ name, script: `#!/bin/sh\n# ${name}\ncat\n`, manifest: { class: "dangerous" } });
  const [skill] = (await importSkills(admin.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  for (const { ctx } of [mara, ben]) {
    await decideVersion(ctx, skill?.id ?? "", digest, { decision: "approve", comment: "read all of it" });
  }
  return { id: skill?.id ?? "", digest, files };
}

test("an exported approval verifies offline, names its signers, and verifies with the pinned key only", async () => {
  const { id, digest } = await approved("exported");
  const bundle = ApprovalBundle.parse(JSON.parse(JSON.stringify(await exportApproval(admin.ctx, id, digest))));
  const keyId = (await listReviewKeys(admin.ctx)).items[0]?.keyId ?? "";
  expect(verifyBundle(bundle)).toMatchObject({
    skillId: id,
    problem: null,
    signers: ["Mara", "Ben"],
    class: "dangerous",
    keyIds: [keyId],
  });
  expect(verifyBundle(bundle, keyId).problem).toBeNull();
  expect(verifyBundle(bundle, "f".repeat(64)).problem).toContain("not this instance’s");
});

test("a bundle with one changed character in its signed parts never verifies", async () => {
  const { id, digest } = await approved("changed");
  const bundle = await exportApproval(admin.ctx, id, digest);
  const text = JSON.stringify(bundle);
  const signed = [
    bundle.versionDigest,
    bundle.subjectJson,
    ...bundle.files.flatMap(({ path, sha256 }) => [path, sha256]),
    ...bundle.signatures.flatMap(({ statement, signature }) => [statement, signature]),
    ...bundle.keys.map(({ publicKey }) => publicKey.split("\n")[1] ?? ""),
  ].map((part) => JSON.stringify(part).slice(1, -1));
  fc.assert(
    fc.property(fc.constantFrom(...signed), fc.nat(), fc.constantFrom("0", "x", "Q", "~"), (part, position, char) => {
      const at = text.indexOf(part) + (position % part.length);
      fc.pre(text[at] !== char);
      const parsed = ApprovalBundle.safeParse(parseJson(text.slice(0, at) + char + text.slice(at + 1)));
      expect(parsed.success && verifyBundle(parsed.data).problem === null).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("a missing or repeated signature does not verify", async () => {
  const { id, digest } = await approved("one_short");
  const bundle = await exportApproval(admin.ctx, id, digest);
  const [first, second] = bundle.signatures;
  if (!first || !second) throw new Error("two signatures expected");
  expect(verifyBundle({ ...bundle, signatures: [second] }).problem).toContain("1 of the 2");
  expect(verifyBundle({ ...bundle, signatures: [second, second] }).problem).toContain("twice");
  expect(verifyBundle({ ...bundle, signatures: [] }).problem).toContain("no signature");
});

test("a folder must have exactly the approved bytes, or the first difference is named", async () => {
  const { id, digest, files } = await approved("in_a_folder");
  const bundle = await exportApproval(admin.ctx, id, digest);
  const folder = mkdtempSync(join(tmpdir(), "skillgate-verify-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { path, bytes, mode } of files)
    writeFileSync(join(folder, path), bytes, { mode: Number.parseInt(mode ?? "644", 8) });
  expect(verifyFolder(folder, bundle.files, digest)).toBeNull();
  chmodSync(join(folder, "run.sh"), 0o644);
  expect(verifyFolder(folder, bundle.files, digest)).toContain("executable");
  chmodSync(join(folder, "run.sh"), 0o755);
  writeFileSync(join(folder, "more.txt"), "");
  expect(verifyFolder(folder, bundle.files, digest)).toContain("more.txt");
  rmSync(join(folder, "more.txt"));
  renameSync(join(folder, "run.sh"), `${folder}.sh`);
  onTestFinished(() => rmSync(`${folder}.sh`));
  symlinkSync(`${folder}.sh`, join(folder, "run.sh"));
  expect(verifyFolder(folder, bundle.files, digest)).toContain("run.sh in the folder is not a file of its own");
  rmSync(join(folder, "run.sh"));
  writeFileSync(join(folder, "run.sh"), "other");
  expect(verifyFolder(folder, bundle.files, digest)).toContain("run.sh");
});

test("a data directory is verified without a server, and each changed approval is named", async () => {
  const changed = await approved("stored_changed");
  const before = await verifyData(keys, address);
  expect(before.approvals.length).toBeGreaterThanOrEqual(1);
  expect(before.approvals.filter(({ problem }) => problem !== null)).toEqual([]);
  const version = await database.reader.version.findFirstOrThrow({
    where: { skillId: changed.id },
    include: { files: { where: { path: "run.sh" } } },
  });
  const sha256 = version.files[0]?.sha256 ?? "";
  await database.writer.blob.update({ where: { sha256 }, data: { bytes: Buffer.from("#!/bin/sh\n") } });
  const problems = async () =>
    (await verifyData(keys, address)).approvals.flatMap(({ skill, problem }) => (problem ? [[skill, problem]] : []));
  expect(await problems()).toEqual([["stored_changed", "the stored bytes of run.sh were changed"]]);
  await database.writer.version.update({ where: { id: version.id }, data: { class: "safe" } });
  expect(await problems()).toEqual([
    ["stored_changed", "class, grants, entry, schema or owner are not what was approved"],
  ]);
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
