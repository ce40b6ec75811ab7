import type { Tx } from "@/lib/db/context";
import type { Grants } from "@/lib/policy/grants/schema";

/** The place in the list of the first granted credential that is not stored; null when all are. */
export async function findMissingCredential(db: Tx, { credentials = [] }: Grants): Promise<number | null> {
  if (credentials.length === 0) return null;
  const names = credentials.map(({ credential }) => credential);
  const rows = await db.credential.findMany({ where: { name: { in: names } }, select: { name: true } });
  const stored = new Set(rows.map(({ name }) => name));
  const missing = names.findIndex((name) => !stored.has(name));
  return missing === -1 ? null : missing;
}
