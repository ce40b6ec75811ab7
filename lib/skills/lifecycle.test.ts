import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { startRun } from "@/lib/runner/runs/start-run";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { createSkill, updateSkill } from "./edit-skills";
import { getSkill } from "./get-skill";
import { ageSkills } from "./lifecycle";
import { listSkills } from "./list-skills";
import { ListSkillsQuery } from "./schema";
import { importSkills } from "./transfer/import-skills";
import { submitVersion } from "./versions/submit-version";

const { person, as, database } = await testDatabase();
const [user, reviewer] = [await person(), await person("reviewer")];
const DAY_MS = 86_400_000;
const start = Date.now();

/** The same caller, `days` days later. */
const after = (days: number, who = user) => as(who.actor, () => new Date(start + days * DAY_MS));
const age = (days: number) => ageSkills(as({ kind: "system", name: "jobs" }, () => new Date(start + days * DAY_MS)));

async function authored(name: string) {
  const files = packFiles({ name }).map(({ path, mode, bytes }) => ({
    path,
    mode,
    text: new TextDecoder().decode(bytes),
  }));
  const { id } = await createSkill(user.ctx, { files });
  const version = await database.reader.version.findFirstOrThrow({ where: { skillId: id } });
  await submitVersion(user.ctx, id, version.digest);
  await decideVersion(reviewer.ctx, id, version.digest, { decision: "approve", comment: "" });
  await updateSkill(user.ctx, id, { enabled: true });
  return id;
}

test("an unused authored skill goes stale, then is archived and off; use and the switch revive it", async () => {
  const [unused, used, pinned] = [await authored("unused"), await authored("used"), await authored("kept")];
  const upload = await zipUpload("imported", packFiles({ name: "imported" }));
  const imported = (await importSkills(user.ctx, { ...upload, owner: "me" })).skills[0]?.id ?? "";
  await updateSkill(user.ctx, pinned, { pinned: true });
  const states = async () => {
    const rows = await database.reader.skill.findMany({ where: { id: { in: [unused, used, pinned, imported] } } });
    return Object.fromEntries(
      rows.map(({ name, lifecycle, enabled }) => [name, `${lifecycle} ${enabled ? "on" : "off"}`]),
    );
  };

  expect(await age(29)).toBe(0);
  expect(await age(31)).toBe(2);
  expect(await age(32)).toBe(0);
  expect(await states()).toEqual({ unused: "stale on", used: "stale on", kept: "active on", imported: "active off" });
  await startRun(after(33), used, { args: { text: "x" }, wait: 0 });
  expect(await states()).toMatchObject({ used: "active on" });

  expect(await age(91)).toBe(2);
  expect(await states()).toMatchObject({ unused: "archived off", used: "stale on", kept: "active on" });
  const stale = await listSkills(user.ctx, ListSkillsQuery.parse({ lifecycle: "archived" }));
  expect(stale.items.map(({ id }) => id)).toEqual([unused]);

  await updateSkill(after(95), unused, { enabled: true });
  expect(await age(96)).toBe(0);
  expect(await getSkill(user.ctx, unused)).toMatchObject({ lifecycle: "active", enabled: true });
  const events = await database.reader.auditEvent.findMany({ where: { skillId: unused }, select: { action: true } });
  expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(["skill.stale", "skill.archive"]));
});
