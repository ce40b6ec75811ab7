import { LRUCache } from "lru-cache";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { InstallProgress } from "./schema";

/** Kept in memory only: it says how far this process is, and a process that died does nothing more. */
export type ProgressTracker = {
  expect(files: number): void;
  read(path: string): void;
  end(error: string | null): void;
};

const KEPT = 500;
const SILENT: ProgressTracker = { expect: () => undefined, read: () => undefined, end: () => undefined };

/** Follows one install under an id that its caller chose; without an id, nothing is kept. */
export function trackProgress(userId: string, id: string | undefined): ProgressTracker {
  if (id === undefined) return SILENT;
  const all = store();
  const progress: InstallProgress = { id, state: "running", done: 0, total: 0, current: null, error: null };
  all.set(keyOf(userId, id), progress);
  return {
    expect: (files) => {
      progress.total += files;
    },
    read: (path) => {
      progress.done += 1;
      progress.current = path;
    },
    end: (error) => {
      progress.state = error === null ? "done" : "failed";
      progress.current = null;
      progress.error = error;
    },
  };
}

export function findProgress(userId: string, id: string): InstallProgress | null {
  return store().get(keyOf(userId, id)) ?? null;
}

function store(): LRUCache<string, InstallProgress> {
  return processStore("install-progress", () => new LRUCache({ max: KEPT }));
}

function keyOf(userId: string, id: string): string {
  return `${userId} ${id}`;
}

/** How far an install of the caller is; `not_found` before it began and a while after it ended. */
export async function getInstallProgress(ctx: Ctx, id: string): Promise<InstallProgress> {
  const actor = requireScope(ctx.actor, "write");
  const progress = findProgress(actor.userId, id);
  if (progress === null) throw new AppError("not_found", `There is no install ${id.slice(0, 100)} of yours under way.`);
  return progress;
}
