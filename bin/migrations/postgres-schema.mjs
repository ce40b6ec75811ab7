/** The data model for PostgreSQL, made out of the one for SQLite: another provider, another folder for its client. */
export function toPostgres(schema) {
  return schema
    .replace('output       = "../lib/db/generated"', 'output       = "../lib/db/postgres/generated"')
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace(/^/, "// Made from schema.prisma by bin/make-migration.mjs; not edited by hand.\n\n");
}

/**
 * The engine's SQL for whatever schema the connection is in. Texts are compared byte by byte, as SQLite does it, whatever language the server was set up for: what is sorted and
 * paged in the database stays in step with what is sorted here.
 */
export function withByteOrder(sql) {
  const schemaless = sql.replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', "");
  return schemaless.replaceAll(/^(\s+"\w+" TEXT|.* ADD COLUMN\s+"\w+" TEXT)/gm, '$1 COLLATE "C"');
}
