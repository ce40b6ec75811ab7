import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { z } from "zod";
import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { SyncFailure } from "../sync-failure";
import { describeErrorStatus, describeNetworkError, NOT_ALLOWED_STATUS } from "./describe-github-error";
import { guardedFetch } from "./guarded-fetch";
import type { GitHubHosts } from "./hosts";
import { type RateLimit, type RateLimitGuard, rateLimitGuardOf, readRateLimit } from "./rate-limit";

export type GitHubOptions = {
  hosts: GitHubHosts;
  token: string | null;
  rateLimitGuard?: RateLimitGuard | undefined;
  now?: (() => Date) | undefined;
  signal?: AbortSignal | undefined;
  /** For one answer, to its last byte; 15 s when left out. */
  timeoutMs?: number | undefined;
  /** Before the first retry of an answer 5xx or a broken connection; the second waits four times as long. */
  retryDelayMs?: number | undefined;
};

export type ApiRequest<S extends z.ZodType> = {
  /** For messages: “the repository acme/skills”. */
  what: string;
  /**
   * A path of the REST API with `{placeholders}`, which are escaped when they are filled in. A value without a placeholder
   * would become a part of the query: `values` must hold nothing else.
   */
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
/** GitHub gives up on a request of its own after ten seconds. */
export const MAX_ANSWER_MS = 15_000;
/** Answers that another try does not better; 429 has its own time. */
const FINAL = [400, 401, 403, 404, 409, 410, 413, NOT_ALLOWED_STATUS, 422, 429, 451];
const SyncOctokit = Octokit.plugin(retry, throttling);
const silent = () => undefined;
const RequestError = z.object({
  status: z.number(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.coerce.string()) }),
});

/**
 * GitHub's REST API by @octokit/rest with its retry and throttling plugins. Each answer is capped in size and time, no
 * redirect is followed, 5xx and broken connections are tried three times, and a rate limit ends the request at once with
 * the time at which it is over. All failures are `SyncFailure`s.
 */
export function createGitHubApi(options: GitHubOptions): GitHubApi {
  const { hosts, token, now = () => new Date(), timeoutMs = MAX_ANSWER_MS, retryDelayMs = 1_000 } = options;
  const gate = options.rateLimitGuard ?? rateLimitGuardOf(hosts.apiUrl);
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
      // Waiting inside a request would look like a sync that hangs: it fails, says until when, and is repeated then.
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  });

  async function get<S extends z.ZodType>(question: ApiRequest<S>): Promise<ApiResponse<z.output<S>>> {
    const { what, path, values, etag = null } = question;
    gate.assertAllowed(now());
    try {
      const headers = { accept: "application/vnd.github+json", ...(etag === null ? {} : { "if-none-match": etag }) };
      const { status, headers: got, data } = await octokit.request(`GET ${path}`, { ...values, headers });
      gate.clear();
      // Widened: the types know of success only, and redirects count as that.
      if ((status as number) >= 300) return { kind: "redirect", location: got.location ?? "" };
      const text = await new Response(data as ReadableStream).text();
      return { kind: "found", data: readJson(question.schema, text, what), etag: got.etag ?? null };
    } catch (error) {
      options.signal?.throwIfAborted();
      const refusal = RequestError.safeParse(error);
      if (!refusal.success) throw describeNetworkError(error instanceof Error ? (error.cause ?? error) : error, what);
      const { status, message, response } = refusal.data;
      if (status === 304) {
        gate.clear();
        return { kind: "unchanged" };
      }
      const headers = new Headers(response.headers);
      const failure = describeErrorStatus({ status, headers, message }, { what, hasToken: token !== null, now: now() });
      if (failure.code === "rate_limited" && failure.retryAt !== null) gate.limitUntil(failure.retryAt);
      throw failure;
    }
  }

  return { get, usage: () => ({ requests, rate }) };
}

/** Octokit would ask again and again for a broken connection; this status it takes for final. */
function responseForRefusedAddress(error: unknown): Response {
  const refusal = refusalIn(error);
  if (refusal === null) throw error;
  return Response.json({ message: refusal.message }, { status: NOT_ALLOWED_STATUS });
}

function readJson<S extends z.ZodType>(schema: S, text: string, what: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const got = /^\s*</.test(text) ? "a web page instead of JSON" : "something else than its API describes";
  throw new SyncFailure("malformed_answer", `For ${what} GitHub sent ${got}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema then refuses it with the same message.
  }
}
