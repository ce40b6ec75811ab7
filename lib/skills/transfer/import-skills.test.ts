import { expect, test, vi } from "vitest";
import { logger } from "@/lib/core/logger";
import { decideVersion } from "@/lib/review/decide-version";
import { writeZip } from "@/lib/skill-format/export/write-archive";

import { getAdvice } from "@/lib/skills/versions/get-advice";
import { getVersion } from "@/lib/skills/versions/get-version";
import { listVersions } from "@/lib/skills/versions/list-versions";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { exportSkill } from "./export-skills";
import { importSkills, previewImport } from "./import-skills";

const { person, database } = await testDatabase();

async function importOne(ctx: Parameters<typeof importSkills>[0], files = packFiles(), owner: "me" | "org" = "me") {
  const { skills } = await importSkills(ctx, { ...(await zipUpload("echo", files)), owner });
  const [skill] = skills;
  if (!skill?.pendingVersion && !skill?.currentVersion) throw new Error("nothing was imported");
  return skill;
}

test("an imported pack becomes a pending version of a skill that is off, with an event in the same transaction", async () => {
  const { ctx } = await person();
  const skill = await importOne(ctx);
  expect(skill).toMatchObject({
    name: "echo_args",
    toolName: "echo_args",
    enabled: false,
    currentVersion: null,
    runnable: true,
    class: "safe",
    source: "imported",
  });
  expect(skill.pendingVersion).toMatchObject({ number: 1, state: "pending" });
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { skillId: skill.id } });
  expect(event).toMatchObject({ action: "version.import", versionDigest: skill.pendingVersion?.digest });
});

test("the same bytes make no second version, other bytes do", async () => {
  const { ctx } = await person();
  const skill = await importOne(ctx);
  await importOne(ctx);
  expect((await listVersions(ctx, skill.id, { limit: 50 })).items).toHaveLength(1);
  await importOne(ctx, packFiles({ script: "#!/bin/sh\necho '{}'\n" }));
  expect((await listVersions(ctx, skill.id, { limit: 50 })).items.map((version) => version.number)).toEqual([2, 1]);
});

test("importing the bytes of a rejected version does not bring it back", async () => {
  const reviewer = await person("reviewer");
  const { ctx } = await person();
  const skill = await importOne(ctx);
  const digest = skill.pendingVersion?.digest ?? "";
  await decideVersion(reviewer.ctx, skill.id, digest, { decision: "reject", comment: "no" });
  await expect(importOne(ctx)).rejects.toThrow("nothing was imported");
  expect((await listVersions(ctx, skill.id, { limit: 50 })).items).toHaveLength(1);
  expect((await getVersion(ctx, skill.id, digest)).state).toBe("rejected");
});

test("import, export and import again have equal digests", async () => {
  const { ctx } = await person();
  const other = await person();
  const skill = await importOne(
    ctx,
    packFiles({ extra: [{ path: "docs/binary.dat", mode: "644", bytes: new Uint8Array([0, 255, 1]) }] }),
  );
  const exported = await exportSkill(ctx, skill.id, { as: "original" });
  const again = await importSkills(other.ctx, { filename: exported.filename, bytes: exported.bytes, owner: "me" });
  expect(again.skills[0]?.pendingVersion?.digest).toBe(skill.pendingVersion?.digest);
});

test("a skill of one file is exported as that file", async () => {
  const { ctx } = await person();
  const [file] = playbookFiles();
  const skill = await importOne(ctx, playbookFiles());
  const exported = await exportSkill(ctx, skill.id, { as: "original" });
  expect(exported.contentType).toBe("text/markdown");
  expect(exported.bytes).toEqual(file?.bytes);
});

test("an export in the standard form is one that reads as the same skill", async () => {
  const { ctx } = await person();
  const other = await person();
  const skill = await importOne(
    ctx,
    playbookFiles({ more: "allowed_tools: [Read, Write]\nwhen_to_use: after a meeting\n" }),
  );
  const exported = await exportSkill(ctx, skill.id, { as: "spec" });
  expect(new TextDecoder().decode(exported.bytes)).toContain("allowed-tools: Read Write");
  const again = await importSkills(other.ctx, { filename: exported.filename, bytes: exported.bytes, owner: "me" });
  expect(again.skills[0]).toMatchObject({
    name: skill.name,
    allowedTools: ["Read", "Write"],
    whenToUse: "after a meeting",
  });
  const { specLosses } = await getAdvice(ctx, skill.id, skill.pendingVersion?.digest ?? "");
  expect(specLosses.map((loss) => loss.severity)).not.toContain("error");
});

test("one upload with a usable and a broken skill stores the first and says what is wrong with the second", async () => {
  const { ctx } = await person();
  const files = [
    ...playbookFiles().map((file) => ({ ...file, path: `good/${file.path}` })),
    ...packFiles({ name: "broken", manifest: { entry: "gone.sh" } }).map((file) => ({
      ...file,
      path: `bad/${file.path}`,
    })),
  ];
  const answer = await importSkills(ctx, { filename: "many.zip", bytes: await writeZip("many", files), owner: "me" });
  expect(answer.skills.map((skill) => skill.name)).toEqual(["tidy-notes"]);
  expect(answer.diagnostics).toContainEqual(expect.objectContaining({ code: "entry_missing", severity: "error" }));
});

test.each([
  ["whose entry is missing", { manifest: { entry: "gone.sh" } }, /gone\.sh/],
  ["whose entry is not executable", { mode: "644" as const }, /run\.sh/],
  ["whose entry leaves the folder", { manifest: { entry: "../run.sh" } }, /run\.sh/],
  ["with an unknown class", { manifest: { class: "harmless" } }, /class/],
  ["with a name that is not lower_snake", { name: "Echo Args" }, /name/],
])("a pack %s is refused with a reason and nothing is stored", async (_title, options, reason) => {
  const { ctx } = await person();
  const before = await database.reader.version.count();
  await expect(importOne(ctx, packFiles(options))).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringMatching(reason),
  });
  expect(await database.reader.version.count()).toBe(before);
});

test("a name shaped like an id is refused", async () => {
  const { ctx } = await person();
  const files = playbookFiles({ name: "01890a5d-ac96-774b-bcce-b302099a8057" });
  await expect(importOne(ctx, files)).rejects.toMatchObject({ code: "invalid" });
});

test("only reviewers and admins import for the organisation, and a token without write imports nothing", async () => {
  const user = await person();
  await expect(importOne(user.ctx, packFiles(), "org")).rejects.toMatchObject({ code: "forbidden" });
  await expect(importOne(user.token(["read", "run"]))).rejects.toMatchObject({ code: "forbidden" });
  const reviewer = await person("reviewer");
  expect((await importOne(reviewer.ctx, packFiles(), "org")).owner.kind).toBe("org");
});

test("two people may have skills of the same name, and each sees only their own", async () => {
  const a = await person();
  const b = await person();
  const skillOfA = await importOne(a.ctx);
  const skillOfB = await importOne(b.ctx);
  expect(skillOfA.id).not.toBe(skillOfB.id);
  await expect(getVersion(b.ctx, skillOfA.id, skillOfA.pendingVersion?.digest ?? "")).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a preview says what an import would do and stores nothing", async () => {
  const { ctx } = await person();
  const upload = await zipUpload("echo", packFiles());
  const before = await database.reader.skill.count();
  expect((await previewImport(ctx, { ...upload, owner: "me" })).skills).toMatchObject([
    { name: "echo_args", effect: "new", entry: "run.sh" },
  ]);
  expect(await database.reader.skill.count()).toBe(before);
  await importOne(ctx);
  expect((await previewImport(ctx, { ...upload, owner: "me" })).skills[0]?.effect).toBe("known");
});

test("a preview says what does not fit here, in the words of the import", async () => {
  const { ctx } = await person();
  const text = "---\nname: made-elsewhere\ndescription: x\nallowed-tools: Terminal, Frobnicate\n---\nbody\n";
  const upload = await zipUpload("made-elsewhere", [{ path: "SKILL.md", mode: "644", bytes: Buffer.from(text) }]);
  const preview = await previewImport(ctx, { ...upload, owner: "me" });
  const codes = preview.skills[0]?.diagnostics.map(({ code }) => code) ?? [];
  expect(codes.filter((code) => code.startsWith("tool_"))).not.toEqual([]);
  const imported = await importSkills(ctx, { ...upload, owner: "me" });
  expect(imported.diagnostics.map(({ code }) => code).sort()).toEqual(codes.sort());
});

test("an import accounts for each folder that could be a skill", async () => {
  const { ctx } = await person();
  const md = (name: string) => playbookFiles({ name })[0]?.bytes ?? new Uint8Array();
  const at = (path: string, bytes: Uint8Array | string) => ({
    path,
    mode: "644" as const,
    bytes: typeof bytes === "string" ? new Uint8Array(Buffer.from(bytes)) : bytes,
  });
  await importOne(ctx, playbookFiles({ name: "known-already" }));
  const bytes = await writeZip("", [
    at("one/known-already/SKILL.md", md("known-already")),
    at("one/mail/SKILL.md", md("mail")),
    at("one/mail/skill.json", '{"name":"mail-automator"}'),
    at("two/mail/skill.md", md("mail")),
    at("two/mail/assets/skill.json", '{"name":"theme"}'),
    at("three/mail/SKILL.md", new Uint8Array([0xff, 0xfe, 0, 1])),
    at("three/mail/skill.json", "{"),
    at("four/pack/skill.json", '{"name":"pack"}'),
    at("five/PaxHeader/mail/SKILL.md", "debris"),
    at("five/__MACOSX/mail/SKILL.md", md("copy")),
    at("notes/readme.md", "x"),
    at("six/Skill.json", "{}"),
  ]);
  const upload = { filename: "many.zip", bytes, owner: "me" as const };
  const { skills } = await previewImport(ctx, upload);
  expect(skills.map(({ location, effect }) => [location, effect]).sort()).toEqual([
    ["four/pack", "refused"],
    ["one/known-already", "known"],
    ["one/mail", "new"],
    ["three/mail", "refused"],
    ["two/mail", "refused"],
  ]);
  const answer = await importSkills(ctx, upload);
  const mail = answer.skills.find(({ name }) => name === "mail");
  expect(answer.folders.sort((a, b) => (a.location < b.location ? -1 : 1))).toEqual([
    expect.objectContaining({ location: "five/PaxHeader/mail", outcome: "skipped", skillId: null }),
    expect.objectContaining({ location: "five/__MACOSX/mail", outcome: "skipped", skillId: null }),
    expect.objectContaining({
      location: "four/pack",
      outcome: "refused",
      reason: expect.stringContaining("description"),
    }),
    expect.objectContaining({ location: "one/known-already", outcome: "known", reason: null }),
    { location: "one/mail", outcome: "new", skillId: mail?.id, reason: null },
    expect.objectContaining({ location: "six", outcome: "skipped", reason: expect.stringContaining("lower case") }),
    expect.objectContaining({ location: "three/mail", outcome: "refused", reason: expect.stringContaining("UTF-8") }),
    expect.objectContaining({ location: "two/mail", outcome: "refused", reason: expect.stringContaining("one/mail") }),
    expect.objectContaining({
      location: "two/mail/assets",
      outcome: "skipped",
      reason: expect.stringContaining("entry"),
    }),
  ]);
});

test("fields that no dialect knows are logged once for each version", async () => {
  const { ctx } = await person();
  const info = vi.spyOn(logger, "info");
  await importOne(ctx, playbookFiles({ name: "vendor-fields", more: "x-vendor: 1\nx-other: [a]\n" }));
  await importOne(ctx, playbookFiles({ name: "vendor-fields", more: "x-vendor: 1\nx-other: [a]\n" }));
  const lines = info.mock.calls.map(([, text]) => String(text)).filter((text) => text.includes("x-vendor"));
  info.mockRestore();
  expect(lines).toEqual([expect.stringContaining("x-vendor, x-other")]);
});
