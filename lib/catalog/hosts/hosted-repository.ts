import type { SourceCredential } from "../sources/schema";
import type { Commit } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import type { HostAnswer, HostApi } from "./host-api";

/** What a host’s API says of a repository; `full_name` begins with the host, like the owner of its source. */
export type RepositoryFacts = { id: string | number; full_name: string; private: boolean; default_branch: string };

/** What a host’s API tells with few requests: which repository has a name, and what a ref points at. */
export type RepositoryHost = {
  /** `isMoved`: the host redirected from the requested name. */
  repository(name: RepositoryName): Promise<{ repository: RepositoryFacts; isMoved: boolean }>;
  /** `moved`: the repository was renamed. */
  commit(name: RepositoryName, ref: string, etag: string | null): Promise<Commit | "unchanged" | "moved">;
};

export type RepositoryName = { owner: string; repo: string };

export type HostedPlace = {
  /** Scheme, host and port. */
  origin: string;
  host: string;
  /** The groups and the repository, as in the address, without the host. */
  path: string;
};

/** How a kind of host is read: the base and headers of its API, its address for git, and its two questions. */
export type HostKind = {
  apiUrl(place: HostedPlace): string;
  auth(token: Extract<SourceCredential, { kind: "token" }>): Record<string, string>;
  cloneUrl(repoUrl: string): string;
  open(api: HostApi, place: HostedPlace): RepositoryHost;
};

/** Reads an answer, or that of a redirect within the same API, which means that the repository was renamed. */
export async function followRename<T>(
  answer: HostAnswer<T>,
  { apiUrl, what }: { apiUrl: string; what: string },
  again: (path: string) => Promise<HostAnswer<T>>,
): Promise<{ data: T; isMoved: boolean }> {
  if (answer.kind === "found") return { data: answer.data, isMoved: false };
  const location = answer.kind === "redirect" && URL.canParse(answer.location, apiUrl) ? answer.location : null;
  const target = location === null ? null : new URL(location, apiUrl).href;
  const moved = target?.startsWith(`${apiUrl}/`) ? await again(target.slice(apiUrl.length)) : null;
  if (moved?.kind === "found") return { data: moved.data, isMoved: true };
  throw new SyncFailure(
    "redirect_refused",
    `The host redirected ${what} to another address; redirects are not followed.`,
  );
}

/** A commit of an answer; a redirect means that the repository was renamed. */
export function commitIn<T>(
  answer: HostAnswer<T>,
  read: (data: T) => Omit<Commit, "etag">,
): Commit | "unchanged" | "moved" {
  if (answer.kind === "unchanged") return "unchanged";
  return answer.kind === "redirect" ? "moved" : { ...read(answer.data), etag: answer.etag };
}

export function emptyRepository(what: string): SyncFailure {
  return new SyncFailure("empty", `The repository ${what} has no default branch yet. Push a commit first.`);
}

export function refNotFound(ref: string): SyncFailure {
  return new SyncFailure("ref_not_found", `The repository has no branch, tag or commit “${ref}”. Correct the ref.`);
}
