import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { expect, it } from "vitest";
import { root } from "../root.mjs";
import { clientConfig, writeClient } from "./write-client.mjs";

it.each([
  ["schema.prisma", "generated"],
  ["schema.postgresql.prisma", "postgres/generated"],
])("makes of %s what `prisma generate` makes of it", (schema, folder) => {
  // The command line formats the model, which changes no meaning: its own text leads to the same.
  const { inlineSchema: formatted, ...expected } = readGenerated(folder);
  for (const text of [readFileSync(path.join(root, "prisma", schema), "utf8"), formatted]) {
    const { inlineSchema, ...config } = clientConfig(text);
    expect(inlineSchema).toBe(text);
    expect(JSON.stringify(config)).toBe(JSON.stringify(expected));
  }
});

it("writes a client that reads and writes rows", async () => {
  mkdirSync(path.join(root, ".build"), { recursive: true });
  // Inside the checkout, where its imports are found.
  const folder = mkdtempSync(path.join(root, ".build", "client-"));
  try {
    writeClient(path.join(root, "prisma", "schema.prisma"), folder);
    const { Prisma, PrismaClient } = await import(path.join(folder, "client.ts"));
    const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: ":memory:" }) });
    await client.$executeRaw`CREATE TABLE Setting (key TEXT PRIMARY KEY, value TEXT, updatedAt TEXT, updatedBy TEXT)`;
    await client.setting.create({ data: { key: "a", value: "1", updatedAt: new Date(0) } });
    expect(await client.setting.findUnique({ where: { key: "a" } })).toMatchObject({ value: "1", updatedBy: null });
    const keys = Prisma.join(["a", "b"]);
    expect(await client.$queryRaw(Prisma.sql`SELECT value FROM Setting WHERE key IN (${keys})`)).toEqual([
      { value: "1" },
    ]);
    await client.$disconnect();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The options in a client with types, which the packages for development have generated. */
function readGenerated(folder) {
  const file = path.join(root, "lib", "db", folder, "internal", "class.ts");
  const source = readFileSync(file, "utf8").replace(/^const config: [\w.]+/m, "config");
  const statements = source.slice(source.indexOf("config ="), source.indexOf("async function decodeBase64AsWasm"));
  return JSON.parse(vm.runInNewContext(`var ${statements}; JSON.stringify(config)`));
}
