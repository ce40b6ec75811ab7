import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { emojiOf } from "@/components/skills/skill-icon";
import { PlaygroundEvent } from "@/lib/agent/playground/schema";
import { hashPassword } from "@/lib/auth/people/passwords";
import { createFirstAdmin } from "@/lib/auth/people/setup";
import { signIn } from "@/lib/auth/sessions/sign-in";
import { createCtx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";
import { testDatabase } from "@/lib/testing/test-database";
import { seedWorld } from "./seed-world";
import { DEFAULT_PASSWORD } from "./world";

const root = join(import.meta.dirname, "..", "..");
const dataDir = mkdtempSync(join(tmpdir(), "skillgate-seed-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function seed(): Promise<string> {
  const env = { PATH: process.env.PATH, TZ: process.env.TZ, NODE_ENV: "test", SKILLGATE_DATA: dataDir } as const;
  const args = ["--import", "tsx", join(root, "prisma", "seed.ts")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return stdout;
}

async function look<T>(read: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ file: join(dataDir, "skillgate.db"), synchronous: "off" });
  try {
    return await read(database);
  } finally {
    await database.close();
  }
}

async function countEverything({ reader }: Database) {
  const grouped = await reader.version.groupBy({ by: ["state"], _count: true, orderBy: { state: "asc" } });
  return {
    people: await reader.user.count(),
    skills: await reader.skill.count(),
    states: Object.fromEntries(grouped.map((group) => [group.state, group._count])),
    runs: await reader.run.count(),
    unfinished: await reader.run.count({ where: { finishedAt: null } }),
    failed: await reader.run.count({ where: { state: "failed" } }),
    events: await reader.auditEvent.count(),
  };
}

test("fills an empty data directory; a second run changes nothing and says so", { timeout: 120_000 }, async () => {
  const first = await seed();
  expect(first).toContain("7 people, 16 skills, 17 versions, 63 runs");
  expect(first).toContain(`Their password: ${DEFAULT_PASSWORD}`);
  const counts = await look(countEverything);
  expect(counts).toMatchObject({
    people: 7,
    skills: 16,
    states: { approved: 10, changes_requested: 1, draft: 1, pending: 3, rejected: 1, revoked: 1 },
    runs: 63,
    unfinished: 1,
    failed: 6,
  });
  const second = await seed();
  expect(second).toContain("nothing was changed");
  expect(second).not.toContain(DEFAULT_PASSWORD);
  expect(await look(countEverything)).toEqual(counts);
});

test("each skill has an icon and a label, readable tools and no parser warnings", async () => {
  const versions = await look(({ reader }) =>
    reader.version.findMany({
      include: { skill: true },
      where: { skill: { source: { in: ["imported", "authored"] } } },
    }),
  );
  const skills = versions.map(({ manifest, diagnostics, skill }) => {
    const { label, allowedTools, meta } = SkillManifest.parse(JSON.parse(manifest));
    const warnings = z
      .array(Diagnostic)
      .parse(JSON.parse(diagnostics))
      .filter(({ severity }) => severity !== "info");
    return { name: skill.name, label, tools: allowedTools ?? [], icon: emojiOf(meta), warnings };
  });
  expect(skills.length).toBe(17);
  expect(skills.filter(({ label, icon }) => label === null || icon === null)).toEqual([]);
  expect(skills.flatMap(({ tools }) => tools).filter((tool) => /_\)/.test(tool))).toEqual([]);
  expect(skills.filter(({ warnings }) => warnings.length > 0)).toEqual([]);
});

test("the playground shows a recorded answer that ran a skill", async () => {
  const [turn] = await look(({ reader }) => reader.conversationTurn.findMany());
  const events = z.array(PlaygroundEvent).parse(JSON.parse(turn?.events ?? "[]"));
  expect(events.flatMap((event) => (event.type === "result" ? [`${event.tool} ${event.outcome}`] : []))).toEqual([
    "use_skill ok",
    "csv_summary ok",
  ]);
  expect(turn).toMatchObject({ state: "done", endReason: "done", answer: expect.stringContaining("October") });
});

test("a run of an agent waits for a person, and one check is scheduled", async () => {
  const waiting = await look(({ reader }) =>
    reader.run.findMany({ where: { state: "awaiting_approval" }, include: { skill: true } }),
  );
  const schedules = await look(({ reader }) => reader.schedule.findMany());
  expect(waiting).toMatchObject([{ skill: { name: "tag_cleanup" }, personaName: "Assistant", class: "mutating" }]);
  expect(schedules).toMatchObject([{ name: "Daily backup check", enabled: true, ownerName: "Tomás Ferreira" }]);
});

test("the audit trail is in order of time and spans two weeks, up to now", async () => {
  const times = await look(({ reader }) =>
    reader.auditEvent.findMany({ orderBy: { seq: "asc" }, select: { at: true } }),
  );
  const stamps = times.map((event) => event.at.getTime());
  expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
  expect((stamps.at(-1) ?? 0) - (stamps[0] ?? 0)).toBeGreaterThan(13 * 86_400_000);
  expect(stamps.at(-1)).toBeLessThanOrEqual(Date.now());
});

test("people sign in with the password; those who left or never joined do not", async () => {
  const answers = await look(async (database) => {
    const visitor = createCtx({ actor: { kind: "anonymous" }, database });
    const attempt = (email: string) => signIn(visitor, { email, password: DEFAULT_PASSWORD });
    return [
      await attempt("tomas@example.test"),
      await attempt("lena@example.test"),
      await attempt("jonas@example.test"),
    ];
  });
  expect(answers).toMatchObject([{ role: "admin" }, null, null]);
});

test("with an existing admin, invites the seeded admin in their name and keeps them", {
  timeout: 120_000,
}, async () => {
  const { database, system } = await testDatabase();
  const passwordHash = await hashPassword("a quiet long river");
  await createFirstAdmin(system, { name: "Root", email: "root@example.test", passwordHash });
  const options = { now: new Date(), password: DEFAULT_PASSWORD };
  expect(await seedWorld(database, options)).toBe("beside an admin");
  expect(await database.reader.user.count({ where: { role: "admin", state: "active" } })).toBe(2);
  const invited = await database.reader.auditEvent.findFirstOrThrow({ where: { action: "user.invite" } });
  expect(invited.actorName).toBe("Root (npm run seed)");
  expect(await seedWorld(database, options)).toBe("already there");
});
