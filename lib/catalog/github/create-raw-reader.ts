import { setTimeout as wait } from "node:timers/promises";
import { SyncFailure } from "../sync-failure";
import { type GitHubOptions, MAX_ANSWER_MS } from "./create-api";
import { describeErrorStatus, describeNetworkError } from "./describe-github-error";
import { guardedFetch } from "./guarded-fetch";
import { rawEndpoint } from "./hosts";
import { isGitSha, isOwner, isRepository, isRepositoryPath } from "./names";

export type RawFile = { owner: string; repo: string; commit: string; path: string; isPrivate: boolean };
export type RawReader = { read(file: RawFile): Promise<Uint8Array>; count(): number };

const ATTEMPTS = 3;

/**
 * Reads files at a commit from the raw host, which costs no API quota: at most `maxBytes` each, three attempts after a 5xx
 * or a broken connection, no redirects. Only private repositories get the token.
 */
export function createRawReader(options: GitHubOptions, maxBytes: number): RawReader {
  const { hosts, token, now = () => new Date(), timeoutMs = MAX_ANSWER_MS, retryDelayMs = 1_000, signal } = options;
  const guarded = guardedFetch({ timeoutMs, maxBytes, signal });
  const endpoint = rawEndpoint(hosts);
  let count = 0;

  async function attempt(file: RawFile): Promise<Uint8Array> {
    const what = `${file.path} at ${file.commit.slice(0, 7)}`;
    count += 1;
    const auth = file.isPrivate && token !== null ? { authorization: `Bearer ${token}` } : undefined;
    const response = await guarded(addressOf(hosts.rawUrl, file), auth ? { headers: auth } : {}).catch((error) => {
      signal?.throwIfAborted();
      throw describeNetworkError(error, { what, endpoint });
    });
    if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
    if (response.status >= 300 && response.status < 400) {
      throw new SyncFailure(
        "redirect_refused",
        `The raw host ${endpoint.host} redirected ${what}; redirects are not followed. Check GITHUB_RAW_URL.`,
      );
    }
    throw describeErrorStatus(
      { status: response.status, headers: response.headers, message: "" },
      { what, endpoint, hasToken: token !== null, now: now() },
    );
  }

  async function read(file: RawFile): Promise<Uint8Array> {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt(file);
      } catch (error) {
        if (!(error instanceof SyncFailure) || !TRANSIENT.has(error.code) || tried === ATTEMPTS) throw error;
        await wait(retryDelayMs * tried ** 2, undefined, { signal });
      }
    }
  }

  return { read, count: () => count };
}

const TRANSIENT = new Set<SyncFailure["code"]>(["connection", "timeout", "upstream_unavailable"]);

function addressOf(rawUrl: string, { owner, repo, commit, path }: RawFile): string {
  if (!isOwner(owner) || !isRepository(repo) || !isGitSha(commit) || !isRepositoryPath(path)) {
    throw new Error("a name in a raw address was not checked");
  }
  const segments = [owner, repo, commit, ...path.split("/")];
  return `${rawUrl}/${segments.map(encodeURIComponent).join("/")}`;
}
