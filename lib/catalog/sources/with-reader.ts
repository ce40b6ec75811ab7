import type { Ctx } from "@/lib/db/context";
import { withScratchFolder } from "../git/scratch-folder";
import { readGitHubToken } from "../github/github-token";
import { githubHosts } from "../github/hosts";
import type { ReaderOptions } from "../sync/create-reader";
import type { ReaderPlace } from "../sync/source-reader";
import type { SourceCredential, SourceKind } from "./schema";
import { readCredential } from "./source-credential";

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
