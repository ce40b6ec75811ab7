import { parseArgs } from "node:util";
import { CommandEnd, commandEnv, messageOf, placeOf, runCommand } from "@/lib/core/command-line";
import { mebibytes } from "@/lib/core/free-space";
import { existingDatabase } from "@/lib/db/database";
import { type Instance, instanceOf } from "../instance";
import { writeBackup } from "../write-backup";

const USAGE = "usage: npm run backup [-- --to FOLDER] [--data DIR]";

/** Exit code 0 after a verified backup, 1 when it failed or its audit is invalid, 2 when there is no instance. */
await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: { to: { type: "string" }, data: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) throw new CommandEnd(USAGE, 0);
  const env = commandEnv(values.data, { dotEnv: true });
  existingDatabase(env);
  const instance = instanceOf(env);
  const audit = await backUp(instance, values.to === undefined ? instance.backups : placeOf(values.to)).catch(
    (error) => {
      throw new CommandEnd(`No backup was made. ${messageOf(error)}`, 1);
    },
  );
  if (audit.problem === null) return 0;
  throw new CommandEnd(`The audit log of the instance, and so of the backup, is invalid: ${audit.problem}`, 1);
});

async function backUp(instance: Instance, to: string) {
  const clock = performance.now();
  const { path, manifest } = await writeBackup(instance, { to, at: new Date() });
  const { files, audit, database } = manifest;
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  const rows = Object.values(database.tables).reduce((sum, count) => sum + count, 0);
  const seconds = ((performance.now() - clock) / 1000).toFixed(1);
  console.log(`Backup: ${path}`);
  console.log(`  ${files.length} files, ${mebibytes(bytes)}, ${rows} rows, read back and checked, in ${seconds} s.`);
  console.log(`  Audit up to event ${audit.seq}: ${audit.problem === null ? "valid" : "INVALID"}.`);
  console.log("  The backup contains the keys of the instance: protect it like the data directory.");
  return audit;
}
