import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { z } from "zod";
import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { SyncFailure } from "../sync-failure";
import { describeErrorStatus, describeNetworkError, NOT_ALLOWED_STATUS } from "./describe-github-error";
import { guardedFetch } from "./guarded-fetch";
import { apiEndpoint, type GitHubHosts } from "./hosts";
import { type RateLimit, type RateLimitGuard, rateLimitGuardOf, readRateLimit } from "./rate-limit";

export type GitHubOptions = {
  hosts: GitHubHosts;
  token: string | null;
  rateLimitGuard?: RateLimitGuard | undefined;
  now?: (() => Date) | undefined;
  signal?: AbortSignal | undefined;
  /** Limit for one complete answer; 15 s by default. */
  timeoutMs?: number | undefined;
  /** Delay before the first retry after a 5xx or a broken connection; the second retry waits four times as long. */
  retryDelayMs?: number | undefined;
};

export type ApiRequest<S extends z.ZodType> = {
  what: string;
  /** A path of the REST API with one `{placeholder}` for each of `values`; a value without one would go into the query. */
  path: string;
  values: Record<string, string>;
  schema: S;
  etag?: string | null;
};

export type ApiResponse<T> =
  | { kind: "found"; data: T; etag: string | null }
  | { kind: "unchanged" }
  | { kind: "redirect"; location: string };

export type GitHubApi = {
  get<S extends z.ZodType>(question: ApiRequest<S>): Promise<ApiResponse<z.output<S>>>;
  usage(): { requests: number; rate: RateLimit | null };
};

const MAX_BYTES = 64 * 1024 * 1024;
/** GitHub itself ends a request after ten seconds. */
export const MAX_ANSWER_MS = 15_000;
/** Statuses that a retry cannot change; a 429 is repeated at the time that it names. */
const FINAL = [400, 401, 403, 404, 409, 410, 413, NOT_ALLOWED_STATUS, 422, 429, 451];
const SyncOctokit = Octokit.plugin(retry, throttling);
const silent = () => undefined;
const RequestError = z.object({
  status: z.number(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.coerce.string()) }),
});

/**
 * Client of GitHub's REST API. Limits the size and time of each answer, follows no redirect, tries 5xx and broken connections
 * three times, and fails immediately on a rate limit. Throws only `SyncFailure`s.
 */
export function createGitHubApi(options: GitHubOptions): GitHubApi {
  const { hosts, token, now = () => new Date(), timeoutMs = MAX_ANSWER_MS, retryDelayMs = 1_000 } = options;
  const guard = options.rateLimitGuard ?? rateLimitGuardOf(hosts.apiUrl);
  const endpoint = apiEndpoint(hosts);
  let requests = 0;
  let rate: RateLimit | null = null;
  const guarded = guardedFetch({ timeoutMs, maxBytes: MAX_BYTES, signal: options.signal });
  const countingFetch: typeof fetch = async (input, init) => {
    requests += 1;
    const response = await guarded(input, init).catch(responseForRefusedAddress);
    rate = readRateLimit(response.headers) ?? rate;
    return response;
  };
  const octokit = new SyncOctokit({
    baseUrl: hosts.apiUrl,
    ...(token === null ? {} : { auth: token }),
    userAgent: "skillgate",
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: { fetch: countingFetch, parseSuccessResponseBody: false },
    retry: { doNotRetry: FINAL, retries: 2, retryAfterBaseValue: retryDelayMs },
    throttle: {
      id: hosts.apiUrl,
      retryAfterBaseValue: retryDelayMs,
      // Waiting inside a request would look like a hanging sync: it fails with the time of the reset and is repeated then.
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  });

  async function get<S extends z.ZodType>(question: ApiRequest<S>): Promise<ApiResponse<z.output<S>>> {
    const { what, path, values, etag = null } = question;
    guard.assertAllowed(now());
    try {
      const headers = { accept: "application/vnd.github+json", ...(etag === null ? {} : { "if-none-match": etag }) };
      const { status, headers: got, data } = await octokit.request(`GET ${path}`, { ...values, headers });
      guard.clear();
      // Octokit's types only know success; a redirect counts as one.
      if ((status as number) >= 300) return { kind: "redirect", location: got.location ?? "" };
      const text = await new Response(data as ReadableStream).text();
      return { kind: "found", data: readJson(question.schema, text, what), etag: got.etag ?? null };
    } catch (error) {
      options.signal?.throwIfAborted();
      const refusal = RequestError.safeParse(error);
      if (!refusal.success) {
        throw describeNetworkError(error instanceof Error ? (error.cause ?? error) : error, { what, endpoint });
      }
      const { status, message, response } = refusal.data;
      if (status === 304) {
        guard.clear();
        return { kind: "unchanged" };
      }
      const headers = new Headers(response.headers);
      const context = { what, endpoint, hasToken: token !== null, now: now() };
      const failure = describeErrorStatus({ status, headers, message }, context);
      if (failure.code === "rate_limited" && failure.retryAt !== null) guard.limitUntil(failure.retryAt);
      throw failure;
    }
  }

  return { get, usage: () => ({ requests, rate }) };
}

/** Turns a refused address into a status that Octokit does not retry. */
function responseForRefusedAddress(error: unknown): Response {
  const refusal = refusalIn(error);
  if (refusal === null) throw error;
  return Response.json({ message: refusal.message }, { status: NOT_ALLOWED_STATUS });
}

function readJson<S extends z.ZodType>(schema: S, text: string, what: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const got = /^\s*</.test(text) ? "a web page instead of JSON" : "an answer of an unknown format";
  throw new SyncFailure(
    "malformed_answer",
    `GitHub sent ${got} for ${what}. Check GITHUB_API_URL, or try again later.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema refuses it.
  }
}
