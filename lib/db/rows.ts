import type { AgentSession, AgentStep, AuditSegment, Prisma, Run, RunEvent, Skill, Worker } from "./generated/client";
import { query, type Sql, type SqlValue } from "./sql";

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
  const { names, values } = split(data);
  const places = names.map(() => "?").join(", ");
  await sql.run(query(`INSERT INTO "${table}" (${names.join(", ")}) VALUES (${places})`), ...values);
}

/** Changes the rows that have all these values; answers how many there were. */
export function updateRows<T extends keyof Tables>(
  sql: Sql,
  table: T,
  where: Values<Tables[T]["row"]>,
  data: Values<Tables[T]["row"]>,
): Promise<number> {
  const set = split(data);
  const having = split(where);
  const text = `UPDATE "${table}" SET ${set.names.map((name) => `${name} = ?`).join(", ")} WHERE ${having.names.map((name) => `${name} = ?`).join(" AND ")}`;
  return sql.run(query(text), ...set.values, ...having.values);
}

function split(data: object): { names: string[]; values: SqlValue[] } {
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  // Of these tables every column is a text, a number, a moment, a yes/no or null.
  return { names: given.map(([name]) => `"${name}"`), values: given.map(([, value]) => value as SqlValue) };
}
