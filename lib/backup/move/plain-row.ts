import { createHash } from "node:crypto";
import type { Column, Table } from "./tables";

export type PlainValue = string | number | boolean | Date | Buffer | null;

/**
 * A value of a row, whichever database it was read from, as what it means. A zero byte in a text, which PostgreSQL cannot hold,
 * becomes U+FFFD, as in every text that is written there. Throws for what its column cannot hold.
 */
export function plainValue(table: Table, { name, kind }: Column, stored: unknown): PlainValue {
  if (stored === null || stored === undefined) return null;
  if (kind === "flag" && (typeof stored === "boolean" || stored === 0 || stored === 1)) return Boolean(stored);
  if (kind === "number" && (typeof stored === "number" || typeof stored === "bigint")) return Number(stored);
  if (kind === "bytes" && Buffer.isBuffer(stored)) return stored;
  if (kind === "text" && typeof stored === "string") return stored.replaceAll("\0", "\ufffd");
  if (kind === "moment") {
    const moment = stored instanceof Date ? stored : new Date(stored as string | number);
    if (!Number.isNaN(moment.getTime())) return moment;
  }
  throw new Error(`${table.name}.${name} holds ${JSON.stringify(stored)?.slice(0, 60)}, which is no ${kind}.`);
}

/** A digest over rows in the order they are given: the same for the same rows, whichever database they come from. */
export function rowsDigest(table: Table) {
  const hash = createHash("sha256");
  let count = 0;
  return {
    add(row: Record<string, unknown>) {
      count += 1;
      const values = table.columns.map((column) => comparable(plainValue(table, column, row[column.name])));
      hash.update(`${JSON.stringify(values)}\n`);
    },
    end: () => ({ count, sha256: hash.digest("hex") }),
  };
}

function comparable(value: PlainValue): unknown {
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? { sha256: createHash("sha256").update(value).digest("hex") } : value;
}
