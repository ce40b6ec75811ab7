import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { fileProblem, hostPath, shownId } from "./kit/host-path";

const schema = () =>
  z.strictObject({
    path: z.string().min(1).max(1000).describe("Absolute path of a directory below /etc, /opt, /srv or /var."),
    sort: z
      .enum(["name", "size", "modified"])
      .default("name")
      .describe("Sort order: by name, largest first, or newest first."),
    depth: z.int().min(1).max(5).default(1).describe("Number of directory levels to list."),
    limit: z.int().min(1).max(500).default(100).describe("Maximum number of entries."),
  });

export const metadata: BuiltinMetadata = {
  name: "host_files",
  label: "Files of a host",
  description:
    "List what is in a directory of a host with size, owner, mode and time of change; never contents. Below /etc, /opt, /srv and /var.",
  class: "safe",
  category: "host",
  schema,
  resultPreview: "entries with path, type, size, mode, owner and time of change",
  grants: {
    paths: [
      { path: "/etc", mode: "ro" },
      { path: "/opt", mode: "ro" },
      { path: "/srv", mode: "ro" },
      { path: "/var", mode: "ro" },
    ],
  },
};

const MAX_SEEN = 20_000;

type Entry = {
  path: string;
  type: string;
  size: number;
  mode: string;
  uid: number | null;
  gid: number | null;
  modifiedAt: string;
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const root = hostPath(io, args.path);
  const names = list(root);
  if (names instanceof Error) throw new BuiltinError(`${args.path} ${fileProblem(names)}.`, { cause: names });
  const entries: Entry[] = [];
  let unreadable = 0;
  const waiting = [{ dir: root, names, level: 1 }];
  for (let next = waiting.shift(); next && entries.length < MAX_SEEN; next = waiting.shift()) {
    for (const name of next.names.slice(0, MAX_SEEN - entries.length)) {
      const path = join(next.dir, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats) continue;
      entries.push(entryOf(path, stats));
      if (!stats.isDirectory() || next.level >= args.depth) continue;
      const inside = list(path);
      if (inside instanceof Error) unreadable += 1;
      else waiting.push({ dir: path, names: inside, level: next.level + 1 });
    }
  }
  entries.sort(ORDERS[args.sort]);
  const truncated = entries.length >= MAX_SEEN || entries.length > args.limit;
  return { path: root, total: entries.length, unreadable, truncated, entries: entries.slice(0, args.limit) };
}

const ORDERS: Record<"name" | "size" | "modified", (a: Entry, b: Entry) => number> = {
  name: (a, b) => (a.path < b.path ? -1 : 1),
  size: (a, b) => b.size - a.size || (a.path < b.path ? -1 : 1),
  modified: (a, b) => (a.modifiedAt > b.modifiedAt ? -1 : 1),
};

function list(dir: string): string[] | Error {
  try {
    return readdirSync(dir);
  } catch (cause) {
    return cause as Error;
  }
}

function entryOf(path: string, stats: Stats): Entry {
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
  const { size } = stats;
  return {
    path,
    type: typeOf(stats),
    size,
    mode,
    uid: shownId(stats.uid),
    gid: shownId(stats.gid),
    modifiedAt: stats.mtime.toISOString(),
  };
}

function typeOf(stats: Stats): string {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "other";
}
