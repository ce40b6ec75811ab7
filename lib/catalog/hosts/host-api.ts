import type { z } from "zod";
import { guardedFetch } from "../github/guarded-fetch";
import type { SourceCredential } from "../sources/schema";
import type { Commit } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import { describeHostError, describeHostStatus } from "./describe-host-error";

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

export type HostRequest<S extends z.ZodType> = {
  /** What was asked for: “the repository gitlab.com/group/skills”. */
  what: string;
  /** Below the base of the API, each value escaped. */
  path: string;
  schema: S;
  etag?: string | null;
};

export type HostAnswer<T> =
  | { kind: "found"; data: T; etag: string | null }
  | { kind: "unchanged" }
  | { kind: "redirect"; location: string };

/** The HTTP API of one host: conditional GET requests for JSON. */
export type HostApi = {
  get<S extends z.ZodType>(request: HostRequest<S>): Promise<HostAnswer<z.output<S>>>;
  requests(): number;
};

export type HostApiOptions = {
  /** Without a slash at the end. */
  baseUrl: string;
  /** Headers that carry the credential; null without one. */
  auth: Record<string, string> | null;
  now?: (() => Date) | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
};

const MAX_BYTES = 4 * 1024 * 1024;
const ANSWER_MS = 15_000;

/** Opens the API of a host. It follows no redirect and limits time and size of an answer. Throws only `SyncFailure`s. */
export function createHostApi(options: HostApiOptions): HostApi {
  const { baseUrl, auth, now = () => new Date(), signal, timeoutMs = ANSWER_MS } = options;
  const host = new URL(baseUrl).host;
  const guarded = guardedFetch({ timeoutMs, maxBytes: MAX_BYTES, signal });
  let requests = 0;

  return {
    requests: () => requests,
    get: async ({ what, path, schema, etag = null }) => {
      requests += 1;
      const headers = {
        accept: "application/json",
        ...auth,
        ...(etag === null ? {} : { "if-none-match": etag }),
      };
      const response = await guarded(`${baseUrl}${path}`, { headers }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw describeHostError(error, { what, host });
      });
      const { status } = response;
      if (status === 304) return { kind: "unchanged" };
      if (status >= 300 && status < 400) return { kind: "redirect", location: response.headers.get("location") ?? "" };
      // Azure DevOps answers 203 with its sign-in page.
      if (status !== 200) {
        throw describeHostStatus(response, { what, host, hasCredential: auth !== null, now: now() });
      }
      const parsed = schema.safeParse(parseJson(await response.text()));
      if (parsed.success) return { kind: "found", data: parsed.data, etag: response.headers.get("etag") };
      throw new SyncFailure(
        "malformed_answer",
        `${host} sent an answer of an unknown format for ${what}. Check the address and the kind of the source.`,
      );
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema refuses it.
  }
}

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
