import { closeSync, fstatSync, lstatSync, openSync, readdirSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { DECOY_HOME } from "./decoys";
import { pathText } from "./read-trace";

/** What became of the home by the end of a step, by path. `beyond` counts what could not be compared. */
export type PlantedChanges = { read: string[]; changed: string[]; made: string[]; beyond: number };

export type PlantedFiles = { compare(): PlantedChanges; close(): void };

const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 50;
const POLL_MS = 1;
const DEADLINE_MS = 5_000;

/**
 * Holds the planted files of a home open before the program starts, and compares them when it has ended. The kernel notes the
 * first read of a file in its time of access, and each change of its contents, name, mode or times in its time of change,
 * which no program can set: this does not depend on what the tracer could read of a call. `inside` is a process of the world,
 * which may still be making it. Null where this worker may not look into it.
 */
export async function holdPlanted(inside: number, paths: string[]): Promise<PlantedFiles | null> {
  const root = `/proc/${inside}/root`;
  const planted = paths.filter((path) => path.startsWith(`${DECOY_HOME}/`));
  const opened: number[] = [];
  const close = () => {
    for (const descriptor of opened.splice(0)) closeSync(descriptor);
  };
  try {
    await waitForWorld(root);
    const hold = (path: string) => {
      const descriptor = openSync(root + path, "r");
      opened.push(descriptor);
      return descriptor;
    };
    const home = hold(DECOY_HOME);
    const before = planted.map((path) => ({ path, descriptor: hold(path) })).map(withTimes);
    const own = new Set(listHome(home).paths);
    return { compare: () => compare(home, before, own), close };
  } catch {
    close();
    return null;
  }
}

/** A root of its own with the home: bubblewrap enters it when everything in it is made. Throws when it may not be seen. */
async function waitForWorld(root: string): Promise<void> {
  const host = statSync("/", { bigint: true }).dev;
  const isMade = () =>
    statSync(root, { bigint: true }).dev !== host &&
    statSync(root + DECOY_HOME, { throwIfNoEntry: false }) !== undefined;
  for (const end = performance.now() + DEADLINE_MS; !isMade(); await delay(POLL_MS))
    if (performance.now() > end) throw new Error("the world was not made in time");
}

type Held = { path: string; descriptor: number };

const timesOf = (descriptor: number) => fstatSync(descriptor, { bigint: true });
const withTimes = (held: Held) => ({ ...held, times: timesOf(held.descriptor) });

function compare(home: number, before: ReturnType<typeof withTimes>[], own: Set<string>): PlantedChanges {
  const isInPlace = (path: string, inode: bigint) => {
    try {
      return lstatSync(`/proc/self/fd/${home}${path.slice(DECOY_HOME.length)}`, { bigint: true }).ino === inode;
    } catch {
      return false;
    }
  };
  const after = before.map((held) => ({ ...held, now: timesOf(held.descriptor) }));
  const { paths, beyond } = listHome(home);
  return {
    read: after.filter(({ times, now }) => now.atimeNs !== times.atimeNs).map(({ path }) => path),
    changed: after
      .filter(({ path, times, now }) => now.ctimeNs !== times.ctimeNs || !isInPlace(path, times.ino))
      .map(({ path }) => path),
    made: paths.filter((path) => !own.has(path)),
    beyond,
  };
}

/**
 * All paths of the home, links not followed. `beyond` counts the folders that this worker may not read or whose path is too long;
 * after 5,000 entries and 50 folders in each other the rest is counted as one.
 */
function listHome(home: number): { paths: string[]; beyond: number } {
  const paths: string[] = [];
  const folders: { bytes: Buffer; depth: number }[] = [{ bytes: Buffer.alloc(0), depth: 0 }];
  let beyond = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = readFolder(Buffer.concat([Buffer.from(`/proc/self/fd/${home}/`), folder.bytes]));
    if (entries === null) beyond += 1;
    for (const entry of entries ?? []) {
      const bytes = Buffer.concat([folder.bytes, ...(folder.depth > 0 ? [SLASH] : []), entry.name]);
      if (paths.length >= MAX_ENTRIES || folder.depth >= MAX_DEPTH) return { paths, beyond: beyond + 1 };
      paths.push(`${DECOY_HOME}/${pathText(bytes)}`);
      if (entry.isDirectory()) folders.push({ bytes, depth: folder.depth + 1 });
    }
  }
  return { paths, beyond };
}

function readFolder(place: Buffer) {
  try {
    return readdirSync(place, { withFileTypes: true, encoding: "buffer" });
  } catch {
    return null;
  }
}

const SLASH = Buffer.from("/");
