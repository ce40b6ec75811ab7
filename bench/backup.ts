import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { openManifest } from "@/lib/backup/check-files";
import { sqliteCopier } from "@/lib/backup/sqlite-copier";
import type { BenchOptions } from "./harness/bench-options";
import { openCaller } from "./harness/call-api";
import { root } from "./harness/product-processes";
import { liftLimits, must, publishSkill } from "./harness/publish-skill";
import { type Killable, prepareKillable } from "./harness/start-killable";

const WRITERS = 4;

type Round = {
  seconds: number;
  writes: number;
  missing: number;
  sameRows: boolean;
  auditHolds: boolean;
  refused: boolean;
};

/**
 * Backs up a server under writes, restores the backup to a new folder, and compares: the digest of the rows with the
 * backup's own, the audit log, and every write acknowledged before the backup began. Then starts the product on the last
 * restored folder. The control flips one byte of one file of each backup: the restore must refuse it.
 */
export async function benchBackup({ quick, json, rounds }: BenchOptions): Promise<void> {
  const times = rounds ?? (quick ? 2 : 10);
  const server = await prepareKillable({ database: null, withWorker: false });
  try {
    await server.start();
    const caller = openCaller(server.url, server.token);
    await liftLimits(caller);
    await publishSkill(caller, "kept");
    const load = startLoad(server);
    const done: Round[] = [];
    for (let turn = 1; turn <= times; turn++) done.push(await runRound(server.folder, turn, load));
    await load.end();
    caller.close();
    const starts = await startsOnRestored(server, join(server.folder, `fresh-${times}`));
    const fine = done.filter(({ missing, sameRows, auditHolds }) => missing === 0 && sameRows && auditHolds).length;
    const refused = done.filter((round) => round.refused).length;
    const { writes } = done.at(-1) ?? { writes: 0 };
    const slowest = Math.max(...done.map(({ seconds }) => seconds)).toFixed(1);
    console.log(
      `Backups restored with the same rows, a valid audit and every write acknowledged before: ${fine} of ${times}, under ${writes} writes, at most ${slowest} s each.`,
    );
    console.log(
      `The product ${starts ? "starts on the last one, and its token works" : "DOES NOT START on the last one"}.`,
    );
    console.log(`Control, one byte flipped: ${refused} of ${times} refused, and nothing was restored.`);
    if (json) console.log(JSON.stringify({ bench: "backup", times, fine, refused, writes, starts }));
    if (fine < times || refused < times || !starts || writes === 0) process.exitCode = 1;
  } finally {
    await server.stop();
  }
}

type Load = { acknowledged: string[]; end(): Promise<void> };

function startLoad({ url, token }: Killable): Load {
  const acknowledged: string[] = [];
  let isOver = false;
  const writer = async (number: number) => {
    const caller = openCaller(url, token);
    for (let turn = 0; !isOver; turn++) {
      const instanceName = `name-${number}-${turn}-end`;
      const json = { instanceName };
      const { status } = await caller.call("PATCH", "/api/admin/settings", { json }).catch(() => ({ status: 0 }));
      if (status === 0) break;
      if (status < 300) acknowledged.push(instanceName);
    }
    caller.close();
  };
  const writers = Array.from({ length: WRITERS }, (_, number) => writer(number));
  return {
    acknowledged,
    end: async () => {
      isOver = true;
      await Promise.all(writers);
    },
  };
}

async function runRound(folder: string, turn: number, { acknowledged }: Load): Promise<Round> {
  const [to, fresh] = [join(folder, `backups-${turn}`), join(folder, `fresh-${turn}`)];
  const before = acknowledged.slice();
  const clock = performance.now();
  const made = await command("back-up.ts", ["--data", join(folder, "data"), "--to", to]);
  const seconds = (performance.now() - clock) / 1000;
  const path = /^Backup: (.+)$/m.exec(made.text)?.[1];
  if (made.code !== 0 || path === undefined) throw new Error(`The backup failed: ${made.text}`);
  const restored = await command("restore.ts", [path, "--data", fresh]);
  if (restored.code !== 0) throw new Error(`The restore failed: ${restored.text}`);
  const manifest = await openManifest(path);
  const file = join(fresh, "skillgate.db");
  const { digest } = await sqliteCopier(file).place(file);
  const { firstBroken } = await verifyFolder(fresh, { file });
  const missing = countMissing(file, before);
  const refused = await refusesFlippedByte(path, `${fresh}-flipped`);
  rmSync(to, { recursive: true });
  return {
    ...{ seconds, missing, refused, writes: acknowledged.length },
    sameRows: digest === manifest.database.digest,
    auditHolds: firstBroken === null,
  };
}

function countMissing(file: string, names: string[]): number {
  const db = new Sqlite(file, { readonly: true });
  try {
    const rows = db.prepare<[], { data: string }>(`SELECT "data" FROM "AuditEvent" WHERE "action" = 'settings.update'`);
    const text = rows
      .all()
      .map(({ data }) => data)
      .join("\n");
    return names.filter((name) => !text.includes(`"after":{"instanceName":"${name}"}`)).length;
  } finally {
    db.close();
  }
}

async function refusesFlippedByte(path: string, dataDir: string): Promise<boolean> {
  const flipped = `${path}-flipped`;
  cpSync(path, flipped, { recursive: true });
  const { files } = await openManifest(path);
  const names = [...files.map((one) => one.path), "manifest.json"];
  const name = join(flipped, names[randomInt(names.length)] ?? "manifest.json");
  const bytes = readFileSync(name);
  const place = randomInt(bytes.length);
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << randomInt(8)), place);
  writeFileSync(name, bytes);
  const { code } = await command("restore.ts", [flipped, "--data", dataDir]);
  const isLeftAlone = (await command("back-up.ts", ["--data", dataDir])).code === 2;
  return code === 1 && isLeftAlone;
}

async function startsOnRestored({ token }: Killable, restored: string): Promise<boolean> {
  const other = await prepareKillable({
    database: null,
    withWorker: false,
    env: { SKILLGATE_DATA: restored, SKILLGATE_ADMIN_TOKEN: token },
  });
  try {
    await other.start();
    const caller = openCaller(other.url, token);
    const { items } = await must<{ items: { name: string; enabled: boolean }[] }>(caller, "GET", "/api/skills");
    const verified = await must<{ ok: boolean | null }>(caller, "GET", "/api/audit/verify");
    caller.close();
    return verified.ok === true && items.some(({ name, enabled }) => name === "kept" && enabled);
  } finally {
    await other.stop();
  }
}

function command(name: string, args: string[]): Promise<{ code: number; text: string }> {
  const file = join("lib", "backup", "cli", name);
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", "tsx", file, ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, text: stdout + stderr }),
    );
  });
}
