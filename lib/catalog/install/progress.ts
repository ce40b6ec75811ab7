import { LRUCache } from "lru-cache";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { InstallProgress } from "./schema";

/** In memory only: the install ends with this process. */
export type ProgressTracker = {
  expect(files: number): void;
  read(path: string): void;
  end(error: string | null): void;
};

const CACHE_SIZE = 500;
const SILENT: ProgressTracker = { expect: () => undefined, read: () => undefined, end: () => undefined };

/** Tracks an install under the id that its caller chose; without an id it tracks nothing. */
export function trackProgress(userId: string, id: string | undefined): ProgressTracker {
  if (id === undefined) return SILENT;
  const progress: InstallProgress = { id, state: "running", done: 0, total: 0, current: null, error: null };
  store().set(`${userId} ${id}`, progress);
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

function store(): LRUCache<string, InstallProgress> {
  return processStore("install-progress", () => new LRUCache({ max: CACHE_SIZE }));
}

/** Progress of the caller's install; `not_found` before it began and some time after it ended. */
export async function getInstallProgress(ctx: Ctx, id: string): Promise<InstallProgress> {
  const actor = requireScope(ctx.actor, "write");
  const progress = store().get(`${actor.userId} ${id}`);
  if (progress === undefined) throw new AppError("not_found", `You have no running install ${id.slice(0, 100)}.`);
  return progress;
}
