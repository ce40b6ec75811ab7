declare global {
  // `StartScript` sets it, on pages with data.
  var __earlyAnswers: Record<string, Promise<Response | null>> | undefined;
}

/** A problem in a request body; `path` is dotted, empty for the whole body. */
export type ApiFieldError = { path: string; message: string };

type ApiErrorFields = {
  status: number;
  code: string;
  detail: string;
  errors?: ApiFieldError[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
};

/**
 * A failed request. `status` is 0 (`code` `unreachable`) without an answer; `code` is `unexpected_answer` when the
 * answer has another shape.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: ApiFieldError[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(fields: ApiErrorFields) {
    super(fields.detail, { cause: fields.cause });
    this.name = "ApiError";
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.errors = fields.errors ?? [];
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }

  fieldError(path: string): string | undefined {
    return this.errors.find((error) => error.path === path)?.message;
  }
}

/**
 * Tells whether an answer has the outline of T. The server made it from the same types, and a full check would load their
 * schemas on every page.
 */
export type Shape<T> = (answer: unknown) => answer is T;

/** An answer that is one JSON object. */
export function answerOf<T extends object>(): Shape<T> {
  return (answer): answer is T => typeof answer === "object" && answer !== null && !Array.isArray(answer);
}

/** An answer with `items`, such as one page of a list. */
export function listOf<T extends { items: readonly unknown[] }>(): Shape<T> {
  return (answer): answer is T =>
    typeof answer === "object" && answer !== null && "items" in answer && Array.isArray(answer.items);
}

type ApiOptions<T> = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON, except FormData, Blob and URLSearchParams. */
  body?: unknown;
  shape?: Shape<T>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** False: a 401 does not redirect to the sign-in page. */
  signInOn401?: boolean;
};

/** Calls the API as the signed-in person and returns its JSON; `undefined` for an empty answer. */
export async function api<T = unknown>(path: string, options: ApiOptions<T> = {}): Promise<T> {
  const response = await apiResponse(path, options);
  return checkAnswer(await readJson(response), response, options.shape);
}

type Sending = <T>(path: string, shape: Shape<T>, body?: unknown) => Promise<T>;

export const sendPost: Sending = (path, shape, body) => api(path, { method: "POST", body, shape });
export const sendPut: Sending = (path, shape, body) => api(path, { method: "PUT", body, shape });
export const sendPatch: Sending = (path, shape, body) => api(path, { method: "PATCH", body, shape });
export const sendDelete = (path: string) => api<void>(path, { method: "DELETE" });

/** The raw answer, for text and bytes. Throws as `api` does. */
export async function apiResponse(path: string, options: Omit<ApiOptions<unknown>, "shape"> = {}): Promise<Response> {
  const response = await send(path, options);
  if (response.ok) return response;
  const error = await readProblem(response);
  if (error.status === 401 && options.signInOn401 !== false) goToSignIn();
  throw error;
}

export type QueryParams = Record<string, string | number | boolean | string[] | null | undefined>;

/** Builds `path?a=1&b=2`; omits empty values, repeats the key for arrays. */
export function withQuery(path: string, params: QueryParams): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === "") continue;
    for (const item of Array.isArray(value) ? value : [value]) search.append(key, String(item));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** 128 random bits as hex; `crypto.randomUUID` is missing on plain http from another machine. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send(path: string, options: ApiOptions<unknown>): Promise<Response> {
  const early = options.method === undefined ? takeEarlyAnswer(path) : undefined;
  const answer = early && (await early);
  if (answer) return answer;
  const { body } = options;
  const isRaw = body instanceof FormData || body instanceof Blob || body instanceof URLSearchParams;
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined && !isRaw) headers["content-type"] = "application/json";
  try {
    return await fetch(path, {
      method: options.method ?? "GET",
      headers: { ...headers, ...options.headers },
      body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
      credentials: "same-origin",
      signal: options.signal ?? null,
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError({ status: 0, code: "unreachable", detail: "The server cannot be reached.", cause });
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected(response, cause);
  }
}

function checkAnswer<T>(answer: unknown, response: Response, shape: Shape<T> | undefined): T {
  if (shape === undefined) return answer as T; // Without a shape the caller is responsible for T.
  if (!shape(answer)) throw unexpected(response, null);
  return answer;
}

function unexpected(response: Response, cause: unknown): ApiError {
  return new ApiError({
    status: response.status,
    code: "unexpected_answer",
    detail: "The page is older than the server and does not understand its answer. Reload the page.",
    requestId: response.headers.get("x-request-id"),
    cause,
  });
}

async function readProblem(response: Response): Promise<ApiError> {
  const problem = await readProblemBody(response);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: text(problem.code) ?? `http_${response.status}`,
    detail: text(problem.detail) ?? text(problem.title) ?? `The server answered with status ${response.status}.`,
    errors: Array.isArray(problem.errors) ? problem.errors.filter(isFieldError) : [],
    requestId: response.headers.get("x-request-id") ?? text(problem.requestId) ?? null,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

async function readProblemBody(response: Response): Promise<Record<string, unknown>> {
  const isProblem = response.headers.get("content-type")?.includes("json") ?? false;
  if (!isProblem) return {};
  const body: unknown = await response.json().catch(() => null); // An incomplete answer still has a status.
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isFieldError(value: unknown): value is ApiFieldError {
  if (typeof value !== "object" || value === null) return false;
  const { path, message } = value as Record<string, unknown>;
  return typeof path === "string" && typeof message === "string";
}

function goToSignIn(): void {
  const { pathname, search } = window.location;
  if (pathname === "/sign-in") return;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

/** A page that loads longer than this asks again: the answer may be out of date. */
const MAX_AGE_MS = 30_000;

/**
 * The answer to a GET that started before the scripts of the page were loaded (`components/shell/start-script.tsx`), once;
 * null when the server could not be reached.
 */
function takeEarlyAnswer(path: string): Promise<Response | null> | undefined {
  const answer = globalThis.__earlyAnswers?.[path];
  if (answer) delete globalThis.__earlyAnswers?.[path];
  return performance.now() < MAX_AGE_MS ? answer : undefined;
}
