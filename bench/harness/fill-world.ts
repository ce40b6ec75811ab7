import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { EVENT_COLUMNS, GENESIS, hashEvent } from "@/lib/audit/chain/chain-events";
import { readChainKey } from "@/lib/audit/chain/chain-key";
import { headsFileOf } from "@/lib/audit/chain/heads";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { entryRow } from "@/lib/catalog/testing/fill-catalog";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import { loadSigningKey } from "@/lib/core/signing-key";
import { createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { exampleEvent } from "./fill-audit";
import { root } from "./product-processes";

type Row = Record<string, unknown>;

/** How much a filled world holds. */
export type WorldSize = { skills: number; runs: number; events: number; entries: number };

export const LARGE_WORLD: WorldSize = { skills: 5_000, runs: 100_000, events: 1_000_000, entries: 22_000 };

const DATABASE = "skillgate.db";
const DAY_MS = 86_400_000;
/** One skill in ten can be run; the others are playbooks. */
const RUNNABLE_EVERY = 10;
const SESSIONS = 500;
const STEPS_PER_SESSION = 20;
const SOURCES = ["acme/skills", "globex/agent-skills", "initech/playbooks"];

const KEPT = "skillgate-world-";

/**
 * Fills the seeded database of an instance that does not run: copies of its skills with approvals that verify, runs, agent
 * sessions, audit events with a valid chain and their index, catalog entries. Times lie before now. Bypasses the API, which
 * would take hours; the full size takes up to four minutes and 1 GB, so the result is kept in the folder for temporary
 * files for the day, for this schema and size, and copied from there.
 */
export async function fillWorld(data: string, size: WorldSize): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const schema = readFileSync(join(root, "prisma", "schema.prisma"));
  const own = readFileSync(import.meta.filename);
  const hash = createHash("sha256").update(schema).update(own).update(JSON.stringify(size)).digest("hex").slice(0, 16);
  const kept = join(tmpdir(), `${KEPT}${day}-${hash}`);
  if (!existsSync(kept)) {
    for (const name of readdirSync(tmpdir()))
      if (name.startsWith(KEPT) && !name.startsWith(KEPT + day)) rmSync(join(tmpdir(), name), { recursive: true });
    await fill(data, size);
    const half = `${kept}.${process.pid}`;
    cpSync(data, half, { recursive: true });
    renameSync(half, kept);
    return;
  }
  rmSync(data, { recursive: true, force: true });
  cpSync(kept, data, { recursive: true });
}

async function fill(data: string, { skills, runs, events, entries }: WorldSize): Promise<void> {
  const file = join(data, DATABASE);
  const db = new Sqlite(file);
  try {
    db.pragma("synchronous = OFF");
    db.pragma("foreign_keys = OFF");
    await fillSkills(db, data, skills);
    fillRuns(db, runs);
    fillSessions(db);
    fillCatalog(db, entries);
    await fillEvents(db, data, events);
    db.exec("ANALYZE");
  } finally {
    db.close();
  }
  const database = await openDatabase({ file });
  await indexAllEvents(createCtx({ actor: { kind: "system", name: "bench" }, database }));
  await database.close();
}

function inserter(db: Sqlite.Database, table: string, like: Row) {
  const columns = Object.keys(like);
  const names = columns.map((name) => `"${name}"`).join(", ");
  const statement = db.prepare(
    `INSERT INTO "${table}" (${names}) VALUES (${columns.map((name) => `@${name}`).join(", ")})`,
  );
  return (row: Row) => void statement.run(row);
}

const all = (db: Sqlite.Database, sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as Row[];

function one(db: Sqlite.Database, sql: string, ...values: unknown[]): Row {
  const row = db.prepare(sql).get(...values) as Row | undefined;
  if (row === undefined) throw new Error(`The seeded world has no row for: ${sql}`);
  return row;
}

type Template = ReturnType<typeof readTemplate>;

function readTemplate(db: Sqlite.Database, name: string) {
  const skill = one(db, `SELECT * FROM "Skill" WHERE "name" = ?`, name);
  const of = (table: string) => all(db, `SELECT * FROM "${table}" WHERE "versionId" = ?`, skill.currentId);
  return {
    skill,
    version: one(db, `SELECT * FROM "Version" WHERE "id" = ?`, skill.currentId),
    files: of("VersionFile"),
    scans: of("VersionScan"),
    packages: of("DoorPackage"),
    approval: one(db, `SELECT * FROM "Decision" WHERE "versionId" = ? AND "standing" = 'counts'`, skill.currentId),
  };
}

async function fillSkills(db: Sqlite.Database, data: string, count: number): Promise<void> {
  const [runnable, playbook] = [readTemplate(db, "csv_summary"), readTemplate(db, "commit-helper")];
  const key = await loadSigningKey(data);
  const owners = all(db, `SELECT "id" FROM "User" WHERE "state" = 'active' ORDER BY "id"`).map(({ id }) => String(id));
  const tables = ["Skill", "Version", "VersionFile", "VersionScan", "DoorPackage", "Decision", "Star", "InstallCount"];
  const [addSkill, addVersion, addFile, addScan, addPackage, addDecision, addStar, addInstall] = tables.map((table) =>
    inserter(
      db,
      table,
      Object.fromEntries(all(db, `PRAGMA table_info("${table}")`).map(({ name }) => [name as string, 0])),
    ),
  );
  const approve = ({ approval, skill }: Template, { skillId, versionId, ownerKey }: Record<string, string>) => {
    const id = idAt(Date.parse(String(approval.createdAt)));
    const subjectJson = canonicalJson({ ...JSON.parse(String(approval.subjectJson)), skillId, owner: ownerKey });
    const subject = sha256Hex(subjectJson);
    const statement = canonicalJson({ ...JSON.parse(String(approval.statement)), decisionId: id, subject });
    const signature = key.sign(statement);
    addDecision?.({ ...approval, id, versionId, subject, subjectJson, statement, signature });
    return { subject, class: skill.class };
  };
  const addOne = (number: number) => {
    const template = number % RUNNABLE_EVERY === 0 ? runnable : playbook;
    const at = Date.parse(String(template.skill.createdAt)) - (number % 200) * DAY_MS;
    const [skillId, versionId] = [idAt(at), idAt(at)];
    const name = template === runnable ? `summary_${number}` : `helper-${number}`;
    const slug = name.replace("_", "-");
    const owner = number % 3 === 0 ? (owners[number % owners.length] ?? null) : null;
    const ownerKey = owner ?? "org";
    const times = { createdAt: stored(at), updatedAt: stored(at + DAY_MS) };
    const names = { name, slug, liveSlug: slug, toolName: slug.replaceAll("-", "_"), label: `Example ${number}` };
    const owned = { ownerKey, ownerId: owner, visibility: number % 2 === 0 ? "public" : "private", enabled: 1 };
    addSkill?.({ ...template.skill, ...names, ...owned, ...times, id: skillId, currentId: versionId });
    const { subject } = approve(template, { skillId, versionId, ownerKey });
    const decidedAt = stored(at + DAY_MS);
    addVersion?.({ ...template.version, id: versionId, skillId, subject, createdAt: stored(at), decidedAt });
    for (const row of template.files) addFile?.({ ...row, versionId });
    for (const row of template.scans) addScan?.({ ...row, versionId });
    for (const row of template.packages) addPackage?.({ ...row, versionId, name: slug });
    if (number % 4 === 0) addStar?.({ userId: owners[0], skillId, at: stored(at + DAY_MS) });
    for (let client = 0; client < number % 4; client += 1) {
      const day = stored(Date.now() - number * client * 1_000_000).slice(0, 10);
      const count = 1 + (number % 7);
      addInstall?.({ skillId, versionDigest: template.version.digest, door: `example-${client}`, day, count });
    }
  };
  db.transaction(() => {
    for (let number = 0; number < count; number += 1) addOne(number);
  })();
}

function fillRuns(db: Sqlite.Database, count: number): void {
  const examples = all(
    db,
    `SELECT * FROM "Run" WHERE "finishedAt" IS NOT NULL AND "parentRunId" IS NULL AND "scheduleId" IS NULL`,
  );
  const skills = all(
    db,
    `SELECT s."id", v."id" AS "versionId", v."digest", v."subject" FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
     WHERE s."runnable" AND v."digest" IN (SELECT "versionDigest" FROM "Run") ORDER BY s."id"`,
  );
  const people = all(db, `SELECT "id", "name" FROM "User" WHERE "state" = 'active' ORDER BY "id"`);
  const add = inserter(db, "Run", examples[0] ?? {});
  const step = (89 * DAY_MS) / count;
  db.transaction(() => {
    for (let number = 0; number < count; number += 1) {
      const [example, skill, person] = [at(examples, number), at(skills, number * 7), at(people, number % 11)];
      const queued = Date.now() - (count - number) * step - 3_600_000;
      const times = { queuedAt: stored(queued), startedAt: stored(queued + 20), finishedAt: stored(queued + 900) };
      const of = { skillId: skill.id, versionId: skill.versionId, versionDigest: skill.digest, subject: skill.subject };
      const by = { callerId: person.id, callerName: person.name };
      add({ ...example, ...of, ...by, ...times, id: idAt(queued), groupId: null, retryOfId: null, requestId: null });
    }
  })();
}

function fillSessions(db: Sqlite.Database): void {
  const session = one(db, `SELECT * FROM "AgentSession" LIMIT 1`);
  const steps = all(db, `SELECT * FROM "AgentStep" WHERE "runId" IS NULL`);
  const skills = all(db, `SELECT "id", "currentId" FROM "Skill" WHERE "enabled" ORDER BY "id" LIMIT 50`);
  const [addSession, addStep] = [inserter(db, "AgentSession", session), inserter(db, "AgentStep", at(steps, 0))];
  db.transaction(() => {
    for (let number = 0; number < SESSIONS; number += 1) {
      const start = Date.now() - (SESSIONS - number) * 3_600_000;
      const id = idAt(start);
      const client = `example-agent/${number % 9}`;
      const times = { startedAt: stored(start), lastSeenAt: stored(start + 60_000), endedAt: null };
      addSession({ ...session, id, implicitKey: null, client, ...times });
      for (let place = 0; place < STEPS_PER_SESSION; place += 1) {
        const example = at(steps, place);
        const skillId = example.skillId === null ? null : at(skills, number + place).id;
        addStep({ ...example, id: idAt(start + place), sessionId: id, at: stored(start + place), skillId });
      }
    }
  })();
}

function fillCatalog(db: Sqlite.Database, count: number): void {
  const now = stored(Date.now());
  const source = {
    enabled: 1,
    defaultBranch: "main",
    commit: "c".repeat(40),
    syncedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  const words = [
    "invoice",
    "summary",
    "release",
    "incident",
    "translate",
    "review",
    "schema",
    "backup",
    "metric",
    "design",
  ];
  db.transaction(() => {
    const ids = SOURCES.map((label, index) => {
      const [owner = "", repo = ""] = label.split("/");
      const id = idAt(Date.now());
      const own = { id, label, owner, repo, repoUrl: `https://github.com/${label}`, repositoryId: String(index + 1) };
      inserter(db, "CatalogSource", { ...own, ...source })({ ...own, ...source });
      return id;
    });
    let add: ((row: Row) => void) | null = null;
    for (let number = 0; number < count; number += 1) {
      const [first = "", second = ""] = [words[number % 10], words[(number >> 3) % 10]];
      const changedAt = new Date(Date.now() - (number % 700) * 3_600_000);
      const row = plain(
        entryRow(ids[number % ids.length] ?? "", {
          ...{ name: `${first}-${second}-${number}`, folder: `skills/${first}-${number}`, changedAt },
          description: `Writes a ${first} about the ${second} of a project, number ${number}.`,
          tags: [first, second],
          tools: number % 2 === 0 ? ["Read", "Bash"] : [],
          license: number % 3 === 0 ? "MIT" : null,
          category: second,
          hasScripts: number % 4 === 0,
          // Every tenth entry is a copy of another one.
          content: `${number % 10 === 9 ? number - 1 : number}`,
        }),
      );
      add ??= inserter(db, "CatalogEntry", row);
      add(row);
    }
  })();
}

/** Puts example events before the seeded ones, and chains all of them. */
async function fillEvents(db: Sqlite.Database, data: string, count: number): Promise<void> {
  const key = await readChainKey(data);
  if (key === null) throw new Error("The seeded world has no key of the audit chain.");
  const seeded = all(db, `SELECT * FROM "AuditEvent" ORDER BY "seq"`);
  const end = Date.parse(String(seeded[0]?.at)) - DAY_MS;
  const skills = all(db, `SELECT "id", "name" FROM "Skill" WHERE "runnable" ORDER BY "id" LIMIT 300`);
  const people = all(db, `SELECT "id", "name", "role" FROM "User" ORDER BY "id"`);
  for (const table of ["AuditEvent", "AuditTerm", "AuditPosting", "AuditHour", "AuditIndexed", "AuditSearch"])
    db.exec(`DELETE FROM "${table}"`);
  const add = inserter(
    db,
    "AuditEvent",
    Object.fromEntries([...EVENT_COLUMNS, "prevHash", "hash"].map((name) => [name, 0])),
  );
  let prevHash = GENESIS;
  const append = (event: Row) => {
    const hash = hashEvent(key, event, prevHash);
    add({ ...Object.fromEntries(EVENT_COLUMNS.map((name) => [name, event[name] ?? null])), prevHash, hash });
    prevHash = hash;
  };
  db.transaction(() => {
    for (let seq = 1; seq <= count; seq += 1) {
      const [skill, person] = [at(skills, seq >> 3), at(people, seq % 13)];
      const time = stored(end - (count - seq) * 27_000);
      const event = exampleEvent(seq);
      const about = { skillId: skill.id, targetName: skill.name, tool: skill.name };
      const by = { actorId: person.id, actorName: person.name, actorRole: person.role };
      append({ ...event, ...about, ...by, at: time, startedAt: event.startedAt === null ? null : time });
    }
    for (const [place, event] of seeded.entries()) append({ ...event, seq: count + 1 + place });
  })();
  const [begin] = readFileSync(headsFileOf(data), "utf8").split("\n");
  writeFileSync(headsFileOf(data), `${begin}\n`);
}

let made = 0;

/** A UUIDv7 of this time; those of one time sort in the order in which they are made. */
function idAt(ms: number): string {
  made += 1;
  const time = Math.floor(ms).toString(16).padStart(12, "0");
  const number = made.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${number.slice(0, 3)}-${number.slice(3).padEnd(12, "0")}`;
}

/** A time as Prisma stores it in SQLite. */
function stored(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}

function plain(row: Row): Row {
  const value = (of: unknown) =>
    of instanceof Date ? stored(of.getTime()) : typeof of === "boolean" ? Number(of) : of;
  return Object.fromEntries(Object.entries(row).map(([name, of]) => [name, value(of)]));
}

function at(rows: Row[], index: number): Row {
  const row = rows[index % rows.length];
  if (row === undefined) throw new Error("The seeded world lacks rows to copy.");
  return row;
}
