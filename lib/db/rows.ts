import type { AgentSession, AgentStep, AuditSegment, Prisma, Run, RunEvent, Skill, Worker } from "./generated/client";
import { type Query, query, type Sql, type SqlValue } from "./sql";

/** The tables that plain statements write: what a new row takes, and its columns. */
type Tables = {
  AgentSession: { create: Prisma.AgentSessionUncheckedCreateInput; row: AgentSession };
  AgentStep: { create: Prisma.AgentStepUncheckedCreateInput; row: AgentStep };
  AuditSegment: { create: Prisma.AuditSegmentUncheckedCreateInput; row: AuditSegment };
  Run: { create: Prisma.RunUncheckedCreateInput; row: Run };
  RunEvent: { create: Prisma.RunEventUncheckedCreateInput; row: RunEvent };
  Skill: { create: Prisma.SkillUncheckedCreateInput; row: Skill };
  Worker: { create: Prisma.WorkerUncheckedCreateInput; row: Worker };
};

/** What is left out is left as it is, as it is with Prisma. */
type Values<T> = { [K in keyof T]?: T[K] | undefined };

/** Inserts one row; columns that are left out get their defaults. */
export async function insertRow<T extends keyof Tables>(sql: Sql, table: T, data: Tables[T]["create"]): Promise<void> {
  const values: SqlValue[] = [];
  const names = take(data, values);
  const shape = follow(SHAPES, ["insert", table, ...names]);
  shape.query ??= query(
    `INSERT INTO "${table}" (${names.map(quoted).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
  );
  await sql.run(shape.query, ...values);
}

/** Changes the rows that have all these values; answers how many there were. */
export function updateRows<T extends keyof Tables>(
  sql: Sql,
  table: T,
  where: Values<Tables[T]["row"]>,
  data: Values<Tables[T]["row"]>,
): Promise<number> {
  const values: SqlValue[] = [];
  const [set, having] = [take(data, values), take(where, values)];
  const shape = follow(SHAPES, ["update", table, ...set, "where", ...having]);
  const equals = (name: string) => `${quoted(name)} = ?`;
  shape.query ??= query(
    `UPDATE "${table}" SET ${set.map(equals).join(", ")} WHERE ${having.map(equals).join(" AND ")}`,
  );
  return sql.run(shape.query, ...values);
}

/** Adds the values that are given to a list, and answers the names of their columns. */
function take(data: object, values: SqlValue[]): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue;
    names.push(name);
    // Of these tables every column is a text, a number, a moment, a yes/no or null.
    values.push(value as SqlValue);
  }
  return names;
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** The statements made so far, by the words that make them up: the same few are needed again and again. */
type Shape = { query?: Query<never>; next: Map<string, Shape> };
const SHAPES: Shape = { next: new Map() };

function follow(from: Shape, words: readonly string[]): Shape {
  let shape = from;
  for (const word of words) {
    let next = shape.next.get(word);
    if (next === undefined) {
      next = { next: new Map() };
      shape.next.set(word, next);
    }
    shape = next;
  }
  return shape;
}
