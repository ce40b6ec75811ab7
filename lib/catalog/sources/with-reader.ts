import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ctx } from "@/lib/db/context";
import { readGitHubToken } from "../github/github-token";
import { githubHosts } from "../github/hosts";
import type { ReaderOptions } from "../sync/create-reader";
import type { ReaderPlace } from "../sync/source-reader";
import type { SourceCredential, SourceKind } from "./schema";
import { readCredential } from "./source-credential";

const PREFIX = "skillgate-source-";

/** What is stored of a source that its reader needs; `id` is null before it is stored. */
export type ReadSource = {
  id: string | null;
  kind: string;
  owner: string;
  repo: string;
  repoUrl: string;
  isPrivate: boolean;
  hostKeys: string | null;
};

/** Overrides for tests, and the signal that ends the work. */
type Given = Partial<Omit<ReaderOptions, "token" | "credential" | "scratch">> & {
  /** The credential of a source that is not stored yet. */
  credential?: SourceCredential | null | undefined;
  /** A public repository of GitHub is read without the token. */
  isAnonymous?: boolean;
};

/** Calls `work` with what opens the reader of a source: its credential, and a folder for git that is removed afterwards. */
export async function withReaderOptions<T>(
  ctx: Ctx,
  source: Pick<ReadSource, "id" | "kind">,
  given: Given,
  work: (options: ReaderOptions) => Promise<T>,
): Promise<T> {
  const { isAnonymous = false, credential: fresh = null, ...overrides } = given;
  const base = { hosts: githubHosts(), now: ctx.now, ...overrides };
  if (source.kind === "github") {
    const token = isAnonymous ? null : await readGitHubToken(ctx);
    return work({ ...base, token, credential: null, scratch: null });
  }
  const credential = source.id === null ? fresh : await readCredential(ctx, source.id);
  return withScratchFolder((scratch) => work({ ...base, token: null, credential, scratch }));
}

export function placeOf(source: Omit<ReadSource, "id">): ReaderPlace {
  const { owner, repo, repoUrl, isPrivate, hostKeys } = source;
  const kind = source.kind as SourceKind;
  return kind === "github" ? { kind, owner, repo, isPrivate } : { kind, owner, repo, repoUrl, hostKeys };
}

/**
 * Calls `work` with an empty folder that only this user may open, and removes it afterwards, also after an error. Folders of processes
 * that ended without removing theirs are removed first.
 */
async function withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    // A command that is being killed may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
