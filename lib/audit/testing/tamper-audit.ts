import { createHmac, randomBytes } from "node:crypto";
import type Sqlite from "better-sqlite3";
import { EVENT_COLUMNS, MOMENTS } from "../chain/chain-events";

export type Random = () => number;

export const TAMPERINGS = {
  edit: editColumn,
  delete: deleteOne,
  "delete and renumber": deleteAndRenumber,
  "insert and renumber": insertAndRenumber,
  "insert at the end": insertAtEnd,
  "insert at the beginning": insertAtBeginning,
  reorder: swapTwo,
  "cut tail": cutTail,
  "cut tail and write anew": cutTailAndRewrite,
  "edit and chain anew with another key": editAndRechain,
} as const satisfies Record<string, (db: Sqlite.Database, random: Random) => string>;
export type Tampering = keyof typeof TAMPERINGS;

/** Seeded generator (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Row = Record<string, unknown> & { seq: number };

const ALL = [...EVENT_COLUMNS, "prevHash", "hash"];
const NOT_SEQ = ALL.filter((name) => name !== "seq");

function newest(db: Sqlite.Database): number {
  return (db.prepare(`SELECT MAX("seq") AS "seq" FROM "AuditEvent"`).get() as Row).seq;
}

function upTo(random: Random, most: number): number {
  return 1 + Math.floor(random() * most);
}

function read(db: Sqlite.Database, seq: number): Row {
  return db.prepare(`SELECT * FROM "AuditEvent" WHERE "seq" = ?`).get(seq) as Row;
}

function write(db: Sqlite.Database, row: Row): void {
  const places = ALL.map(() => "?").join(", ");
  db.prepare(`INSERT INTO "AuditEvent" (${ALL.map((name) => `"${name}"`).join(", ")}) VALUES (${places})`).run(
    ...ALL.map((name) => row[name] ?? null),
  );
}

/** Shifts the numbers of all events from `from` on; through negative numbers, which are unused. */
function renumber(db: Sqlite.Database, from: number, by: number): void {
  db.prepare(`UPDATE "AuditEvent" SET "seq" = -"seq" WHERE "seq" >= ?`).run(from);
  db.prepare(`UPDATE "AuditEvent" SET "seq" = -"seq" + ? WHERE "seq" < 0`).run(by);
}

function editColumn(db: Sqlite.Database, random: Random): string {
  const seq = upTo(random, newest(db));
  const column = NOT_SEQ[Math.floor(random() * NOT_SEQ.length)] as string;
  const value = other(column, read(db, seq)[column], random);
  db.prepare(`UPDATE "AuditEvent" SET "${column}" = ? WHERE "seq" = ?`).run(value, seq);
  return `${column} of ${seq}`;
}

function other(column: string, value: unknown, random: Random): string | number {
  if (MOMENTS.has(column)) {
    const time = value === null ? 0 : Date.parse(String(value));
    return new Date(time + upTo(random, 1_000_000)).toISOString().replace("Z", "+00:00");
  }
  if (typeof value === "number") return value + upTo(random, 100);
  if (column === "durationMs") return random() * 100;
  if (typeof value !== "string" || value === "") return "x";
  const at = Math.floor(random() * value.length);
  return `${value.slice(0, at)}${value[at] === "x" ? "y" : "x"}${value.slice(at + 1)}`;
}

function deleteOne(db: Sqlite.Database, random: Random): string {
  const seq = upTo(random, newest(db));
  db.prepare(`DELETE FROM "AuditEvent" WHERE "seq" = ?`).run(seq);
  return `${seq}`;
}

function deleteAndRenumber(db: Sqlite.Database, random: Random): string {
  const seq = Number(deleteOne(db, random));
  renumber(db, seq + 1, -1);
  return `${seq}`;
}

function forged(db: Sqlite.Database, random: Random, seq: number): Row {
  const copy = read(db, upTo(random, newest(db)));
  const prevHash = seq > 1 ? read(db, seq - 1).hash : copy.prevHash;
  const hash = random() < 0.5 ? copy.hash : randomBytes(32).toString("hex");
  return { ...copy, seq, summary: "did something else", prevHash, hash };
}

function insertAndRenumber(db: Sqlite.Database, random: Random): string {
  const seq = upTo(random, newest(db));
  const row = forged(db, random, seq);
  renumber(db, seq, 1);
  write(db, row);
  return `${seq}`;
}

function insertAtEnd(db: Sqlite.Database, random: Random): string {
  const seq = newest(db) + 1;
  write(db, forged(db, random, seq));
  return `${seq}`;
}

function insertAtBeginning(db: Sqlite.Database, random: Random): string {
  const seq = 1 - upTo(random, 5);
  write(db, { ...forged(db, random, 1), seq });
  return `${seq}`;
}

function swapTwo(db: Sqlite.Database, random: Random): string {
  const last = newest(db);
  const one = upTo(random, last);
  const two = one === last ? 1 : random() < 0.5 ? one + 1 : one + upTo(random, last - one);
  const move = db.prepare(`UPDATE "AuditEvent" SET "seq" = ? WHERE "seq" = ?`);
  move.run(-1, one);
  move.run(one, two);
  move.run(two, -1);
  return `${one} and ${two}`;
}

function cutTail(db: Sqlite.Database, random: Random): string {
  // Often the last event only, which is hardest to detect.
  const last = newest(db);
  const from = random() < 0.5 ? last : upTo(random, last);
  db.prepare(`DELETE FROM "AuditEvent" WHERE "seq" >= ?`).run(from);
  return `from ${from}`;
}

function cutTailAndRewrite(db: Sqlite.Database, random: Random): string {
  const last = newest(db);
  const from = upTo(random, last);
  const rows = Array.from({ length: last - from + 1 }, (_, index) => read(db, from + index));
  db.prepare(`DELETE FROM "AuditEvent" WHERE "seq" >= ?`).run(from);
  let prevHash = rows[0]?.prevHash;
  for (const row of rows) {
    const hash = randomBytes(32).toString("hex");
    write(db, { ...row, summary: "nothing of importance", prevHash, hash });
    prevHash = hash;
  }
  return `from ${from}`;
}

/** An attacker who knows the format but has no key. */
function editAndRechain(db: Sqlite.Database, random: Random): string {
  const last = newest(db);
  const from = upTo(random, last);
  const key = randomBytes(32);
  let prevHash = read(db, from).prevHash;
  const set = db.prepare(`UPDATE "AuditEvent" SET "summary" = ?, "prevHash" = ?, "hash" = ? WHERE "seq" = ?`);
  for (let seq = from; seq <= last; seq++) {
    const row = read(db, seq);
    const summary = seq === from ? "did nothing" : row.summary;
    const hash = createHmac("sha256", key)
      .update(JSON.stringify([prevHash, summary]))
      .digest("hex");
    set.run(summary, prevHash, hash, seq);
    prevHash = hash;
  }
  return `from ${from}`;
}
