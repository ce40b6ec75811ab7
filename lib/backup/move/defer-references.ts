import type pg from "pg";

/**
 * Has references between tables looked at in the end alone: skills and their versions refer to each other, so neither can be
 * copied first. What it answers looks, throws when a row refers to nothing, and has them looked at at once again.
 */
export async function deferReferences(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS "name" FROM pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const alter = async (how: string) => {
    for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} ALTER CONSTRAINT ${name} ${how}`);
  };
  await alter("DEFERRABLE INITIALLY DEFERRED");
  return async () => {
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    await alter("NOT DEFERRABLE");
  };
}
