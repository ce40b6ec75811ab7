import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, fileForm, openCaller } from "./harness/call-api";
import { liftLimits, must } from "./harness/publish-skill";
import type { Faults } from "./harness/start-killable";
import { type Killable, prepareKillable } from "./harness/start-killable";

const DISK_MIB = 64;
const MIB = 1024 * 1024;
/** Free space when the server begins to write: it fills the rest itself, so that the disk gets full during a write. */
const FREE_AT_FIRST = 3 * MIB;
const READS = ["/api/health", "/api/skills", "/api/audit?limit=5", "/api/admin/settings"];
const PACK_BYTES = 60_000;

type Figures = {
  acknowledged: number;
  lost: number;
  refused: number;
  halfWritten: number;
  otherAnswers: number;
  reads: number;
  readsAnswered: number;
  recovered: boolean;
  startedWhileFull: string;
  holds: boolean;
};

const BLOCK = Buffer.alloc(64 * 1024, 1);

/**
 * Fills a file system of 64 MiB under a server with writes, and counts: lost acknowledged writes, refusals other than 507,
 * refused writes that were stored in part, reads answered while the disk was full, whether the server recovered once there
 * was space, and what a start on the full disk does. Once with nothing reserved, so that the disk is really full, and once
 * as delivered, with the last 16 MiB reserved. The control acknowledges before it writes: losses must be reported. Needs
 * root to mount; without it the bench reports that and counts as not run.
 */
export async function benchDiskFull({ json, only }: BenchOptions): Promise<void> {
  const parts: Record<string, () => Promise<boolean>> = {
    full: () => runPart("Disk full, nothing reserved", { keepMib: 0, fillTo: 0 }, (found) => isSound(found)),
    kept: () => runPart("Last 16 MiB reserved", { keepMib: 16, fillTo: 8 * MIB }, (found) => isSound(found)),
    control: () =>
      runPart(
        "Control, acknowledged before it is written (must lose writes)",
        { keepMib: 0, fillTo: 0, faults: { acknowledgeEarlyMs: 5 } },
        (found) => found.lost > 0,
      ),
  };
  const results: boolean[] = [];
  for (const [name, run] of Object.entries(parts)) if (only === null || only.includes(name)) results.push(await run());
  if (json) console.log(JSON.stringify({ bench: "disk-full", ok: results.every(Boolean) }));
  if (!results.every(Boolean)) process.exitCode = 1;
}

function isSound({
  lost,
  halfWritten,
  otherAnswers,
  reads,
  readsAnswered,
  recovered,
  holds,
  refused,
}: Figures): boolean {
  return (
    lost + halfWritten + otherAnswers === 0 && reads === readsAnswered && reads > 0 && recovered && holds && refused > 0
  );
}

type Wanted = { keepMib: number; fillTo: number; faults?: Faults };

async function runPart(title: string, wanted: Wanted, isAsPromised: (found: Figures) => boolean): Promise<boolean> {
  const disk = mountSmallDisk(DISK_MIB);
  if (disk === null) {
    console.log(`${title}: NOT RUN, this process may not mount a file system.`);
    return true;
  }
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk.folder;
  const env = { SKILLGATE_MIN_FREE_MIB: String(wanted.keepMib) };
  const faultsFor = () => wanted.faults ?? {};
  const server = await prepareKillable({ database: null, withWorker: false, env, faultsFor }).finally(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  try {
    const found = await fillUp(server, disk, wanted);
    const isFine = isAsPromised(found);
    console.log(`${title}: ${summarize(found)} ${isFine ? "As expected." : "NOT AS EXPECTED."}`);
    return isFine;
  } finally {
    await server.stop();
    disk.unmount();
  }
}

function summarize(found: Figures): string {
  const { acknowledged, lost, refused, halfWritten, otherAnswers, reads, readsAnswered, recovered } = found;
  return [
    `${acknowledged} writes acknowledged, ${lost} lost; ${refused} answered 507, ${otherAnswers} otherwise,`,
    `${halfWritten} of them half-written; ${readsAnswered} of ${reads} reads answered meanwhile;`,
    `${recovered ? "recovered by itself" : "DID NOT RECOVER"} once there was space; a start on the full disk ${found.startedWhileFull};`,
    `database and audit ${found.holds ? "valid" : "INVALID"}.`,
  ].join(" ");
}

type Written = { names: Set<string>; packs: Set<string>; refusedNames: Set<string>; refusedPacks: Set<string> };

async function fillUp(server: Killable, disk: SmallDisk, { keepMib, fillTo }: Wanted): Promise<Figures> {
  await server.start();
  const caller = openCaller(server.url, server.token);
  await liftLimits(caller);
  const written: Written = { names: new Set(), packs: new Set(), refusedNames: new Set(), refusedPacks: new Set() };
  const counts = { otherAnswers: 0, reads: 0, readsAnswered: 0 };
  let turn = 0;
  const write = async (what: "name" | "pack") => {
    turn += 1;
    const status = what === "pack" ? await writePack(caller, turn, written) : await writeName(caller, turn, written);
    if (status !== 507 && status >= 300) counts.otherAnswers += 1;
    return status;
  };
  const writeOne = () => write(turn % 3 === 2 ? "pack" : "name");
  const readAll = async () => {
    for (const path of READS) {
      counts.reads += 1;
      const { status } = await caller.call("GET", path).catch(() => ({ status: 0 }));
      if (status === 200) counts.readsAnswered += 1;
    }
  };
  for (let count = 0; count < 12; count++) await writeOne();
  disk.fillTo(fillTo === 0 ? FREE_AT_FIRST : fillTo);
  // With reserved space the refusal is immediate; otherwise the remaining space has to be used up first.
  for (let refusals = 0, count = 0; refusals < 20 && count < 400; count++) {
    if ((await writeOne()) === 507) refusals += 1;
    else if (keepMib === 0 && count > 60) disk.fillTo(0);
    if (refusals > 0 && refusals % 5 === 0) await readAll();
  }
  for (let count = 0; count < 40; count++) {
    disk.fillTo(fillTo);
    await write("name");
  }
  await readAll();
  disk.empty();
  const recovered = await recovers(writeOne);

  disk.fillTo(fillTo);
  await server.killWeb();
  disk.fillTo(0);
  const startedWhileFull = await server.start().then(
    async () => ((await caller.call("GET", "/api/health")).status === 200 ? "reads" : "does not answer"),
    (error: Error) => `is refused (${/exit code \d+/.exec(error.message)?.[0] ?? error.message})`,
  );
  disk.empty();
  if (server.webPid() === 0) await server.start();
  const again = await recovers(writeOne);
  await must(caller, "GET", "/api/health");
  caller.close();
  await server.killWeb();
  return { ...counts, recovered: recovered && again, startedWhileFull, ...(await inspect(server, written)) };
}

async function recovers(writeOne: () => Promise<number>): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    if ((await writeOne()) < 300) return true;
    await delay(100);
  }
  return false;
}

async function writeName(caller: Caller, turn: number, written: Written): Promise<number> {
  const instanceName = `name-${turn}-end`;
  const { status } = await caller
    .call("PATCH", "/api/admin/settings", { json: { instanceName } })
    .catch(() => ({ status: 599 }));
  if (status < 300) written.names.add(instanceName);
  else written.refusedNames.add(instanceName);
  return status;
}

async function writePack(caller: Caller, turn: number, written: Written): Promise<number> {
  const name = `pack-${turn}-end`;
  const encode = (text: string) => new TextEncoder().encode(text);
  const zip = await writeZip(name, [
    { path: "SKILL.md", mode: "644", bytes: encode(`---\nname: ${name}\ndescription: Takes space.\n---\nNothing.\n`) },
    { path: "space.txt", mode: "644", bytes: encode(randomBytes(PACK_BYTES / 2).toString("hex")) },
  ]);
  const form = await fileForm(`${name}.zip`, zip);
  const { status } = await caller.call("POST", "/api/skills/import", form).catch(() => ({ status: 599 }));
  if (status < 300) written.packs.add(name);
  else written.refusedPacks.add(name);
  return status;
}

async function inspect(server: Killable, { names, packs, refusedNames, refusedPacks }: Written) {
  const folder = join(server.folder, "data");
  const db = new Sqlite(join(folder, "skillgate.db"));
  try {
    const event = db.prepare(`SELECT 1 FROM "AuditEvent" WHERE "action" = 'settings.update' AND instr("data", ?) > 0`);
    const after = (name: string) => event.get(`"after":{"instanceName":"${name}"}`) !== undefined;
    const skill = db.prepare(`SELECT 1 FROM "Skill" WHERE "name" = ?`);
    const isSkill = (name: string) => skill.get(name) !== undefined;
    const count = (set: Set<string>, test: (name: string) => boolean) => [...set].filter(test).length;
    const pages = db.pragma("integrity_check", { simple: true });
    const { firstBroken } = await verifyFolder(folder, { file: join(folder, "skillgate.db") });
    return {
      acknowledged: names.size + packs.size,
      lost: count(names, (name) => !after(name)) + count(packs, (name) => !isSkill(name)),
      refused: refusedNames.size + refusedPacks.size,
      halfWritten: count(refusedNames, after) + count(refusedPacks, isSkill),
      holds: pages === "ok" && firstBroken === null,
    };
  } finally {
    db.close();
  }
}

type SmallDisk = {
  folder: string;
  free(): number;
  fillTo(bytes: number): void;
  empty(): void;
  unmount(): void;
};

/** A separate file system in memory, of so many MiB; null where this process may not mount one. */
function mountSmallDisk(mebibytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=755`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = openSync(join(folder, "filler"), "w");
  let taken = 0;
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    free,
    fillTo: (bytes) => {
      while (free() > bytes) {
        const length = Math.min(BLOCK.length, free() - bytes);
        try {
          taken += writeSync(filler, BLOCK, 0, length, taken);
        } catch {
          return; // Another process used the rest.
        }
      }
    },
    empty: () => {
      taken = 0;
      ftruncateSync(filler, 0);
    },
    unmount: () => {
      closeSync(filler);
      // Lazy unmount: a process that was just killed may still be ending.
      execFileSync("umount", ["-l", folder], { stdio: "pipe" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
