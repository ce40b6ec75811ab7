/** One problem of a request; `path` is dotted (`args.path`), empty for the whole. */
export type FieldError = { path: string; message: string };

/** Stable error codes and the HTTP status each answers with. The codes are part of the API contract. */
export const ERROR_STATUS = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  cross_origin: 403,
  separation_of_duties: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  not_approved: 409,
  confirmation_required: 409,
  no_isolation: 409,
  worker_does_not_allow: 409,
  version_tampered: 409,
  not_offered: 409,
  credential_missing: 409,
  idempotency_mismatch: 409,
  gone: 410,
  stale: 412,
  too_large: 413,
  unsupported_type: 415,
  invalid: 422,
  schema_invalid: 422,
  archive_rejected: 422,
  unknown_edge: 422,
  address_not_allowed: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The run of a request, unvalidated: skill by id or name, arguments, and the worker if given. */
export type AskedRun = { idOrName: string; args: unknown; workerId?: unknown };

type AppErrorOptions = {
  errors?: FieldError[];
  rule?: string;
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * An error whose message may be shown to the caller: what happened, to which thing, and the limit. Any other error is
 * reported as `internal` and its message is not disclosed.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly rule: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Record<string, string>;
  /** The refused run, for the audit log; set by the verb that starts runs. */
  askedRun: AskedRun | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.errors = options.errors;
    this.rule = options.rule;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}
