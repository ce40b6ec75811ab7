import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { CommandEnd, commandEnv, messageOf, placeOf, runCommand } from "@/lib/core/command-line";
import { AppError } from "@/lib/core/errors";
import { mebibytes } from "@/lib/core/free-space";
import { lockDataDirectory } from "@/lib/core/lock-data-directory";
import { type Ctx, createCtx } from "@/lib/db/context";
import { type Database, existingDatabase } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { importBundle } from "./import-bundle";
import { countTrusted } from "./instances";
import { withBundle } from "./read-bundle";
import { writeBundle } from "./write-bundle";

const USAGE = `usage: npm run bundle -- export FILE (SKILL… | --all) [--as EMAIL] [--data DIR]
       npm run bundle -- import FILE --as EMAIL [--owner org|me] [--data DIR]
       npm run bundle -- check FILE

export: writes skills with all versions, files, decisions, signatures, dry runs and audited events, signed by this instance.
import: checks every byte of a bundle and stores its versions as pending ones. With SQLite, stop the server first.
check:  checks every byte of a bundle and stores nothing.
--as:   the admin who exports or imports; default for exports: the first admin.
--owner: who owns new skills: the organisation (default) or that admin.`;

/** Exit code 0 when it was written or imported, 1 when it was refused without any change, 2 for wrong arguments. */
await runCommand(USAGE, async () => {
  const given = readArguments();
  try {
    if (given.command === "check") return await check(given.file);
    return given.command === "export" ? await runExport(given) : await runImport(given);
  } catch (error) {
    throw error instanceof AppError ? new CommandEnd(error.message, 1) : error;
  }
});

type Given = ReturnType<typeof readArguments>;

function readArguments() {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: "boolean" }, as: text, owner: text, data: text, help: { type: "boolean", short: "h" } },
  });
  if (values.help) throw new CommandEnd(USAGE, 0);
  const [command, file, ...skills] = positionals;
  const { all = false, as, owner = "org", data } = values;
  const isExport = command === "export" && all === (skills.length === 0) && values.owner === undefined;
  const isImport = command === "import" && skills.length === 0 && !all && as !== undefined;
  const isCheck = command === "check" && skills.length === 0 && !all;
  if (file === undefined || !(isExport || isImport || isCheck)) throw new CommandEnd(USAGE, 2);
  if (owner !== "org" && owner !== "me") throw new CommandEnd(USAGE, 2);
  return { command, file: placeOf(file), skills: all ? null : skills, as, owner, data } as const;
}

async function runExport({ file, skills, as, data }: Given): Promise<number> {
  const database = await openDatabase(existingDatabase(commandEnv(data, { dotEnv: true })));
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    if ((await stat(file).catch(() => null)) !== null)
      throw new CommandEnd(`${file} exists already. Choose another name or remove it.`, 2);
    const { manifest, chunks } = await writeBundle(await actAs(database, as), { skills });
    await pipeline(Readable.from(chunks), createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }));
    await withBundle(draft, async () => {});
    await rename(draft, file);
    const { size } = await stat(file);
    console.log(`Bundle: ${file}`);
    console.log(
      `  ${countSkills(manifest.versions)} skills, ${manifest.versions.length} versions, ${manifest.files.length} files, ${mebibytes(size)}, read back and checked.`,
    );
    console.log(`  Signed with the key ${manifest.instance.keyId} of ${manifest.instance.name}.`);
    return 0;
  } finally {
    await rm(draft, { force: true });
    await database.close();
  }
}

async function runImport({ file, as, owner, data }: Given): Promise<number> {
  const env = commandEnv(data, { dotEnv: true });
  const address = existingDatabase(env);
  await requireFile(file);
  const lock = "file" in address ? lockForImport(env.dataDir) : null;
  try {
    const database = await openDatabase(address);
    try {
      const ctx = await actAs(database, as);
      const { instance, keyId, versions } = await importBundle(ctx, { file, owner });
      const known = versions.filter(({ effect }) => effect === "known").length;
      console.log(`Imported ${versions.length - known} versions of ${countSkills(versions)} skills from ${instance}.`);
      if (known > 0) console.log(`  ${known} versions were here already and keep their state.`);
      console.log(`  The bundle is signed with the key ${keyId}.`);
      const counted = await countTrusted(ctx, keyId);
      console.log(
        counted === null
          ? "  This instance does not trust that key: its approvals are shown and count for nothing."
          : `  This instance trusts that key: ${counted} of its approvals count; the others are shown.`,
      );
      return 0;
    } finally {
      await database.close();
    }
  } finally {
    lock?.close();
  }
}

async function check(file: string): Promise<number> {
  await requireFile(file);
  return withBundle(file, async ({ manifest, digest }) => {
    const { instance, exportedAt, exportedBy, versions, files } = manifest;
    console.log(
      `The bundle ${digest} is whole: ${versions.length} versions of ${countSkills(versions)} skills, ${files.length} files.`,
    );
    console.log(`  Exported at ${exportedAt} by ${exportedBy.name} from ${instance.name}.`);
    console.log(`  Signed with the key ${instance.keyId}. Compare it with GET /api/review-keys of that instance.`);
    return 0;
  });
}

async function requireFile(file: string): Promise<void> {
  if ((await stat(file).catch(() => null)) === null) throw new CommandEnd(`The file ${file} does not exist.`, 2);
}

function lockForImport(dataDir: string): { close(): void } {
  try {
    return lockDataDirectory(dataDir);
  } catch (error) {
    throw new CommandEnd(`Nothing was imported. ${messageOf(error)}`, 1);
  }
}

function countSkills(versions: readonly { name: string }[]): number {
  return new Set(versions.map(({ name }) => name.slice(0, name.lastIndexOf("@")))).size;
}

async function actAs(database: Database, as: string | undefined): Promise<Ctx> {
  const user = await database.reader.user.findFirst({
    where: { state: "active", role: "admin", ...(as === undefined ? {} : { email: as.toLowerCase() }) },
    orderBy: { createdAt: "asc" },
  });
  if (!user) {
    throw new CommandEnd(as === undefined ? "There is no active admin." : `There is no active admin “${as}”.`, 2);
  }
  const { id: userId, name, email } = user;
  const actor = { kind: "user", userId, name, email, role: "admin", sessionId: "command line" } as const;
  return createCtx({ actor, database });
}
