import { beforeEach, expect, test } from "vitest";
import { getEntry, getEntryFile } from "../browse/get-entry";
import { install } from "../install/install";
import { InstallInput } from "../install/schema";
import { skillMd, testCatalog } from "../testing/test-catalog";
import { getKept, keepSources, setKept } from "./keep-source";

const { github, source, sync, entries, person, admin, system, database, events, pass } = await testCatalog();
const FILES = {
  "skills/pdf/SKILL.md": skillMd("pdf"),
  "skills/pdf/scripts/deep/run.py": { executable: "#!/usr/bin/env python3\nprint(1)\n" },
  "skills/pdf/assets/logo.bin": new Uint8Array([7, 1, 2]),
  "skills/pdf/LATEST.md": { linkTo: "SKILL.md" },
  "skills/mail/SKILL.md": skillMd("mail"),
};

beforeEach(async () => {
  github.clearFaults();
  await database.writer.keptSource.deleteMany();
  await database.writer.catalogBlob.deleteMany();
});

async function synced() {
  const made = await source(FILES);
  await sync(made.id);
  const rows = await entries(made.id);
  const pdf = rows.find(({ name }) => name === "pdf")?.id ?? "";
  return { ...made, pdf };
}

test("a kept source is browsed and installed from while its host is gone", async () => {
  const { id, name, pdf } = await synced();
  expect(await setKept(admin, id, { keeps: true })).toMatchObject({ keeps: true, complete: 0, problem: null });
  expect(await keepSources(system)).toBe(3);
  expect(await getKept(admin, id)).toMatchObject({
    entries: 2,
    complete: 2,
    problem: null,
    by: { name: "Test admin" },
  });
  expect(await keepSources(system)).toBe(0);
  github.seen.length = 0;
  const { ctx } = await person();
  expect((await getEntry(ctx, pdf)).body).toContain("# pdf");
  expect((await getEntryFile(ctx, pdf, "scripts/deep/run.py")).text).toContain("print(1)");
  const { skills } = await install(ctx, InstallInput.parse({ id: pdf }));
  expect(skills[0]).toMatchObject({
    name: "pdf",
    pendingVersion: { state: "pending" },
    sourceId: expect.stringContaining(name),
  });
  expect(github.seen).toEqual([]);
  expect((await events(id)).map(({ action }) => action)).toContain("catalog_source.keep");
});

test("what the host does not give is named, and read again ten minutes later; nothing is stored in part", async () => {
  const { id } = await synced();
  await setKept(admin, id, { keeps: true });
  github.fail("raw", { answer: { status: 404, body: "gone" } }, 50);
  await keepSources(system);
  const failed = await getKept(admin, id);
  expect(failed).toMatchObject({ entries: 2, complete: 1, problem: expect.stringContaining("pdf: ") });
  github.clearFaults();
  expect(await keepSources(system)).toBe(0);
  pass(601_000);
  expect(await keepSources(system)).toBe(3);
  expect(await getKept(admin, id)).toMatchObject({ complete: 2, problem: null });
});

test("a sync with other files is kept too, and the former bytes stay", async () => {
  const { id, repository } = await synced();
  await setKept(admin, id, { keeps: true });
  await keepSources(system);
  const before = await database.reader.catalogBlob.count();
  await repository.commit({ "skills/pdf/assets/logo.bin": new Uint8Array([9, 9]) });
  pass(1_000);
  await sync(id);
  expect(await keepSources(system)).toBe(1);
  expect(await database.reader.catalogBlob.count()).toBeGreaterThan(before);
  expect(await setKept(admin, id, { keeps: false })).toMatchObject({ keeps: false, since: null });
  expect((await events(id)).map(({ action }) => action).slice(-1)).toEqual(["catalog_source.unkeep"]);
});

test("only admins choose what is kept", async () => {
  const { id } = await synced();
  const reviewer = await person("reviewer");
  await expect(setKept(reviewer.ctx, id, { keeps: true })).rejects.toMatchObject({ code: "forbidden" });
  await expect(getKept(reviewer.ctx, id)).rejects.toMatchObject({ code: "forbidden" });
  await expect(setKept(admin, "none", { keeps: true })).rejects.toMatchObject({ code: "not_found" });
});
