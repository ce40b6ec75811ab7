import { expect, test } from "vitest";
import type { Ctx } from "@/lib/db/context";
import { decideVersion } from "@/lib/review/decide-version";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { entryRow, fillSource } from "../testing/fill-catalog";
import { compareEntryWith, compareVersionWith, listNearCopiesOfEntry, listNearCopiesOfVersion } from "./near-copies";
import { sketchTexts } from "./sketch-texts";
import { seededWords } from "./testing/seeded-words";

const { person, database, system } = await testDatabase();
const [ada, eve, reviewer] = [
  await person("user", "Ada"),
  await person("user", "Eve"),
  await person("reviewer", "Ben"),
];
const body = (seed: number, replaced = 0) =>
  seededWords(400, seed)
    .map((word, at) => (at < replaced ? `other${at}` : word))
    .join("\n");

async function imported(owner: { ctx: Ctx }, name: string, text: string, of: "me" | "org" = "me") {
  const upload = await zipUpload(name, playbookFiles({ name, body: text }));
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: of })).skills;
  return { id: skill?.id ?? "", digest: skill?.pendingVersion?.digest ?? "" };
}

async function listed(sourceId: string, name: string, text: string): Promise<string> {
  const row = entryRow(sourceId, { name, content: name });
  const bytes = new Uint8Array(Buffer.from(`---\nname: ${name}\ndescription: x\n---\n\n${text}`));
  await database.writer.catalogBlob.create({
    data: { gitSha: row.markerSha, size: bytes.length, bytes, createdAt: new Date() },
  });
  await database.writer.catalogEntry.create({ data: row });
  return row.id;
}

test("near copies are found in skills and in the catalog, with how much they differ and the difference", async () => {
  const source = await fillSource(database.writer);
  const entry = await listed(source, "upstream-notes", body(7));
  await listed(source, "unrelated", body(8));
  const approved = await imported(reviewer, "house-notes", body(7, 20), "org");
  const second = await person("reviewer");
  await decideVersion(second.ctx, approved.id, approved.digest, { decision: "approve", comment: "" });
  const mine = await imported(ada, "my-notes", body(7, 44));
  expect(await sketchTexts(system)).toBeGreaterThanOrEqual(4);
  expect(await sketchTexts(system)).toBe(0);
  const { items } = await listNearCopiesOfVersion(ada.ctx, mine);
  expect(items.map(({ skill, entry: of }) => skill?.name ?? of?.name)).toEqual(["house-notes", "upstream-notes"]);
  expect(items[0]).toMatchObject({
    skill: { id: approved.id, state: "approved", decidedAt: expect.any(String) },
    entry: null,
  });
  expect(items[0]?.differs).toBeGreaterThanOrEqual(6);
  expect(items[0]?.differs).toBeLessThanOrEqual(8);
  expect(items[1]?.differs).toBeGreaterThan(items[0]?.differs ?? 0);
  expect(items[1]).toMatchObject({ skill: null, entry: { id: entry, source: "Acme skills" } });
  const diff = await compareVersionWith(ada.ctx, { ...mine, hash: items[0]?.hash ?? "" });
  expect(diff).toMatchObject({ path: "SKILL.md", change: "changed" });
  const lines = (diff.hunks ?? []).flatMap(({ lines: of }) => of);
  expect(lines).toContain("+other43");
  const ofEntry = await listNearCopiesOfEntry(ada.ctx, entry);
  expect(ofEntry.items.map(({ skill }) => skill?.name)).toEqual(["house-notes", "my-notes"]);
  expect((await compareEntryWith(ada.ctx, { id: entry, hash: ofEntry.items[0]?.hash ?? "" })).hunks).not.toHaveLength(
    0,
  );
});

test("a person neither sees nor compares texts of skills that are hidden from them", async () => {
  const hidden = await imported(ada, "private-plan", body(30));
  const mine = await imported(eve, "eves-plan", body(30, 10));
  await sketchTexts(system);
  expect((await listNearCopiesOfVersion(eve.ctx, mine)).items).toEqual([]);
  const [seen] = (await listNearCopiesOfVersion(reviewer.ctx, mine)).items;
  expect(seen?.skill?.id).toBe(hidden.id);
  const guess = compareVersionWith(eve.ctx, { ...mine, hash: seen?.hash ?? "" });
  await expect(guess).rejects.toMatchObject({ code: "not_found" });
  await expect(listNearCopiesOfVersion(eve.ctx, hidden)).rejects.toMatchObject({ code: "not_found" });
});

test("a person neither sees nor compares texts of skills that an admin unlisted", async () => {
  const unlisted = await imported(reviewer, "withdrawn-plan", body(40), "org");
  await database.writer.skill.update({ where: { id: unlisted.id }, data: { listed: false } });
  const mine = await imported(eve, "eves-other-plan", body(40, 10));
  await sketchTexts(system);
  expect((await listNearCopiesOfVersion(eve.ctx, mine)).items).toEqual([]);
  const [seen] = (await listNearCopiesOfVersion(reviewer.ctx, mine)).items;
  const guess = compareVersionWith(eve.ctx, { ...mine, hash: seen?.hash ?? "" });
  await expect(guess).rejects.toMatchObject({ code: "not_found" });
});

test("versions of one skill are no copies of each other, and short texts have none", async () => {
  const first = await imported(ada, "own-history", body(50));
  await imported(ada, "own-history", body(50, 5));
  const short = await imported(ada, "short-one", "Do it.");
  await sketchTexts(system);
  expect((await listNearCopiesOfVersion(ada.ctx, first)).items).toEqual([]);
  expect((await listNearCopiesOfVersion(ada.ctx, short)).items).toEqual([]);
});
