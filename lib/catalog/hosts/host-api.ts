import type { z } from "zod";
import { guardedFetch } from "../github/guarded-fetch";
import { SyncFailure } from "../sync-failure";
import { describeHostError, describeHostStatus } from "./describe-host-error";

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
