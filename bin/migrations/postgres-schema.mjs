/** Derives the PostgreSQL data model from the one for SQLite: another provider and client folder. */
export function toPostgres(schema) {
  return schema
    .replace('output       = "../lib/db/generated"', 'output       = "../lib/db/postgres/generated"')
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace(/^/, "// Made from schema.prisma by bin/make-migration.mjs; not edited by hand.\n\n");
}

/**
 * Adapts the engine's SQL to the schema of the connection. Text uses byte order, as in SQLite, regardless of the
 * server's locale, so that sorting and paging match the code.
 */
export function withByteOrder(sql) {
  const schemaless = sql.replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', "");
  return schemaless.replaceAll(/^(\s+"\w+" TEXT|.* ADD COLUMN\s+"\w+" TEXT)/gm, '$1 COLLATE "C"');
}
