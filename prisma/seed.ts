import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { assertAcceptablePassword } from "@/lib/auth/people/passwords";
import { Password } from "@/lib/auth/schema";
import { getEnv } from "@/lib/core/env";
import { applyMigrations } from "@/lib/db/apply-migrations";
import type { Database } from "@/lib/db/database";
import { databaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { seedWorld } from "./seed/seed-world";
import { DEFAULT_PASSWORD, PEOPLE } from "./seed/world";

const root = join(import.meta.dirname, "..");

/** Fills the data directory with example data; see docs/operators.md. */
async function main(): Promise<void> {
  const envFile = join(root, ".env");
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const { dataDir } = getEnv();
  const password = readPassword(process.env.SKILLGATE_SEED_PASSWORD || DEFAULT_PASSWORD);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const address = databaseAddress(getEnv());
  await applyMigrations(address, join(root, "prisma", "migrations"));
  const database = await openDatabase(address);
  try {
    const outcome = await seedWorld(database, { now: new Date(), password });
    if (outcome === "already there")
      return console.log(`The example data is in ${dataDir} already; nothing was changed.`);
    await report(database, password, outcome === "beside an admin");
  } finally {
    await database.close();
  }
}

function readPassword(text: string): string {
  const password = Password.parse(text);
  for (const { email } of Object.values(PEOPLE)) assertAcceptablePassword(password, email);
  return password;
}

async function report({ reader }: Database, password: string, wasSetUp: boolean): Promise<void> {
  const counts = {
    people: await reader.user.count(),
    skills: await reader.skill.count(),
    versions: await reader.version.count(),
    runs: await reader.run.count(),
    "audit events": await reader.auditEvent.count(),
  };
  console.log(
    `Seeded: ${Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(", ")}.`,
  );
  if (wasSetUp) console.log("The server had an admin, who is kept. Solo mode is now off.");
  console.log("Sign in with one of these addresses:");
  for (const user of await reader.user.findMany({ orderBy: { id: "asc" } })) {
    const note = user.state === "active" ? "" : ` (${user.state})`;
    if (user.email.endsWith("@example.test"))
      console.log(`  ${user.email.padEnd(20)} ${user.role.padEnd(9)} ${user.name}${note}`);
  }
  console.log(`Their password: ${password}`);
}

await main();
