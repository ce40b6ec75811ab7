import type { Ctx } from "./context";
import { query } from "./sql";

const REVISION = query<{ value: number }>(`SELECT "value" FROM "ApprovalRevision"`);

/**
 * Revision that triggers raise with each change of versions, their files, decisions and the audited decisions. Keep what is
 * read after it under this number. Null when it is missing: then keep nothing.
 */
export async function readApprovalRevision({ database }: Pick<Ctx, "database">): Promise<number | null> {
  return (await database.readSql.get(REVISION))?.value ?? null;
}
