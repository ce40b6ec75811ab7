import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { fileProblem } from "./kit/host-path";
import { workspacePath } from "./kit/workspace-path";

const schema = () =>
  z.strictObject({
    path: z.string().min(1).max(1000).default(".").describe("Directory in the workspace, relative to it."),
    depth: z.int().min(1).max(10).default(1).describe("Number of directory levels to list."),
    limit: z.int().min(1).max(1000).default(200).describe("Maximum number of entries."),
  });

export const metadata: BuiltinMetadata = {
  name: "list_dir",
  label: "List a directory",
  description: "List files and directories in the session's workspace, level by level, with sizes.",
  class: "safe",
  scope: "manager",
  category: "workspace",
  schema,
  resultPreview: "entries with path, type and size; truncated when there are more",
  grants: { workspace: true },
};

type Entry = { path: string; type: "file" | "directory" | "link" | "other"; size: number | null };

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { path, name } = workspacePath(io, args.path);
  const entries: Entry[] = [];
  const waiting = [{ dir: path, prefix: "", level: 1 }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const inside of list(next.dir, next.prefix || name)) {
      if (entries.length === args.limit) return { path: name, entries, truncated: true };
      const entry = entryOf(join(next.dir, inside), `${next.prefix}${inside}`);
      entries.push(entry);
      if (entry.type === "directory" && next.level < args.depth) {
        waiting.push({ dir: join(next.dir, inside), prefix: `${entry.path}/`, level: next.level + 1 });
      }
    }
  }
  return { path: name, entries, truncated: false };
}

function list(dir: string, name: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch (cause) {
    throw new BuiltinError(`${name} ${fileProblem(cause)}.`, { cause });
  }
}

function entryOf(path: string, name: string): Entry {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return { path: name, type: "file", size: stats.size };
  if (stats?.isDirectory()) return { path: name, type: "directory", size: null };
  return { path: name, type: stats?.isSymbolicLink() ? "link" : "other", size: null };
}
