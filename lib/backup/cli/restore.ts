import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandEnd, commandEnv, messageOf, placeOf, runCommand } from "@/lib/core/command-line";
import { databaseAddress } from "@/lib/db/database";
import { instanceOf } from "../instance";
import { restoreBackup } from "../restore-backup";

const USAGE = "usage: npm run restore -- FOLDER [--data DIR] [--replace]";

/** Exit code 0 when it was restored, 1 when it failed without any change, 2 for wrong arguments. */
await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: "string" }, replace: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) throw new CommandEnd(USAGE, 0);
  if (positionals.length !== 1) throw new CommandEnd(USAGE, 2);
  const env = commandEnv(values.data, { dotEnv: true });
  const { dataDir } = env;
  const { database } = instanceOf(env);
  const address = databaseAddress(env);
  if (env.keyDir !== dataDir)
    throw new CommandEnd(
      "SKILLGATE_KEYS names a separate folder. Unset it, or use --data and copy the keys yourself.",
      2,
    );
  if ("file" in address && address.file !== join(dataDir, database.file))
    throw new CommandEnd(
      `DATABASE_URL names ${address.file}, not the database of ${dataDir}. Unset it, or use --data.`,
      2,
    );
  try {
    const { manifest, movedTo } = await restoreBackup({
      backup: placeOf(positionals[0] ?? ""),
      dataDir,
      replace: values.replace ?? false,
      database,
      migrations: readMigrations(database.provider),
      at: new Date(),
    });
    console.log(
      `Restored ${dataDir} to ${manifest.at}: release ${manifest.product.version}, audit up to event ${manifest.audit.seq}.`,
    );
    if (movedTo !== null) console.log(`The former data directory is now ${movedTo}.`);
    if (manifest.audit.problem !== null)
      console.log(`The audit log was already invalid when the backup was made: ${manifest.audit.problem}`);
    console.log("Start the server: npm start");
    return 0;
  } catch (error) {
    throw new CommandEnd(`Nothing was restored or changed. ${messageOf(error)}`, 1);
  }
});

function readMigrations(provider: string): string[] {
  return readdirSync(join(process.cwd(), "prisma", "migrations", provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
