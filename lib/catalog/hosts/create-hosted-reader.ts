import { createGitReader } from "../git/create-git-reader";
import type { GitOptions } from "../git/git-remote";
import { isRef } from "../github/names";
import { resolveCommit } from "../github/resolve-commit";
import type { RegistryKind, SourceKind } from "../sources/schema";
import { addUsage, type ReaderPlace, type SourceReader } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import { AZURE } from "./azure";
import { BITBUCKET } from "./bitbucket";
import { GITEA } from "./gitea";
import { GITLAB } from "./gitlab";
import { createHostApi, type HostKind, type RepositoryHost } from "./host-api";

type HostedKind = Exclude<SourceKind, "github" | "git" | RegistryKind>;
type Place = Extract<ReaderPlace, { repoUrl: string }> & { kind: HostedKind };

const KINDS: Record<HostedKind, HostKind> = { gitlab: GITLAB, gitea: GITEA, bitbucket: BITBUCKET, azure: AZURE };

/**
 * Reads a repository on a host with an API: which repository has the name, whether it is private and what a ref points at come from the
 * API, with conditional requests. Trees and files come by git, which needs fewer requests than any of these APIs.
 */
export function createHostedReader(place: Place, options: GitOptions): SourceReader {
  const kind = KINDS[place.kind];
  const { origin, host, pathname } = new URL(place.repoUrl);
  const hosted = { origin, host, path: pathname.slice(1) };
  const { credential, now, signal, timeoutMs } = options;
  const auth = credential?.kind === "token" ? kind.auth(credential) : null;
  const api = createHostApi({ baseUrl: kind.apiUrl(hosted), auth, now, signal, timeoutMs });
  const git = createGitReader({ repoUrl: kind.cloneUrl(place.repoUrl), hostKeys: null }, options);
  const client = withCheckedRefs(kind.open(api, hosted));
  return {
    ...git,
    changedSince: (known, at) => resolveCommit(client, known, at),
    usage: () => addUsage({ requests: api.requests(), rawReads: 0, rate: null }, git.usage()),
  };
}

function withCheckedRefs(client: RepositoryHost): RepositoryHost {
  return {
    ...client,
    commit: (name, ref, etag) => {
      if (isRef(ref)) return client.commit(name, ref, etag);
      throw new SyncFailure("ref_not_found", `“${ref}” is not a valid branch, tag or commit name.`);
    },
  };
}
