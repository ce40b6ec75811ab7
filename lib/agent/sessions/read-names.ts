import type { Ctx } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";

const ofIds = (dialect: Dialect) =>
  ["Persona", "ApiToken", "User"]
    .map((table) => `SELECT "id", "name" FROM "${table}" WHERE "id" IN ${jsonList(dialect)}`)
    .join(" UNION ALL ");
const OF_IDS = query<{ id: string; name: string }>({ sqlite: ofIds("sqlite"), postgresql: ofIds("postgresql") });

/** Names of personas, tokens and people by id, without an access check. */
export async function readNames(ctx: Ctx, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const list = JSON.stringify([...new Set(ids.filter((id) => id !== null))]);
  const rows = await sqlOf(ctx).all(OF_IDS, list, list, list);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
