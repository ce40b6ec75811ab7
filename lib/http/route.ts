import { z } from "zod";
import { recordAgentRead, recordRefusal } from "@/lib/audit/record-refusal";
import type { RefusedRun } from "@/lib/audit/record-run-event";
import { hasAdmin } from "@/lib/auth/people/setup";
import { authenticateRequest } from "@/lib/auth/sessions/authenticate-request";
import { isAgent, isPerson } from "@/lib/core/actor";
import { getEnv, leastFree } from "@/lib/core/env";
import { AppError, type AskedRun, type ErrorCode } from "@/lib/core/errors";
import { requireSpace } from "@/lib/core/free-space";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { metrics } from "@/lib/core/metrics";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type Access, assertAccess } from "@/lib/policy/require-scope";
import { forgetCachedSettings } from "@/lib/settings/settings";
import { asBearer, assertSameOrigin, createRequestCtx, limitRequests } from "./admit-request";
import { answerIdempotently } from "./idempotency";
import { answerText, jsonAnswer } from "./json-answer";
import { noteActor, REQUEST_ID } from "./observe/observe-request";
import { errorResponse, type PlainErrors, toAppError } from "./problem";
import { parseWith, readBytes, readJson } from "./read-body";
import { repeatAnswer } from "./repeat-answer";

/** Conflicts (409) that are policy decisions, so they are audited as refusals. */
const REFUSED_BY_POLICY = new Set<ErrorCode>([
  "not_approved",
  "confirmation_required",
  "no_isolation",
  "worker_does_not_allow",
  "credential_missing",
  "not_offered",
]);
const READ_METHODS = new Set(["GET", "HEAD"]);
const DEFAULT_BODY_BYTES = 1024 * 1024;
const NOTHING = z.object({});

type RouteDefinition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  /** Access policy; mandatory. */
  access: Access;
  /** `open` allows agents (tokens that act under a persona); closed by default. */
  agents?: "open";
  /** `distribution`: reads count against the limit of distribution (`limitReads`), not the person's. */
  limits?: "distribution";
  /** Format of errors; problem documents by default. */
  errors?: PlainErrors;
  /** One line for the API description. */
  summary: string;
  hidden?: boolean;
  params?: P;
  query?: Q;
  /** JSON body; without it, no body is read. */
  body?: B;
  /** Reads the body as bytes for the handler to parse. `schema` is for the API description. */
  rawBody?: { contentType: string; schema?: z.ZodType };
  maxBodyBytes?: number;
  answer?: z.ZodType;
  /** For GET: the answer depends on stored rows, the caller and the address only, so `repeatAnswer` may repeat it. */
  answersFrom?: "rows";
  /** Media types of other answers, for the API description. */
  media?: readonly string[];
  /** Defaults to 200. */
  status?: number;
  /** Other success statuses for the API description; null means no body. */
  also?: Readonly<Record<number, { description: string; answer?: z.ZodType | null }>>;
  /** Supports `Idempotency-Key`: the same key and body returns the first answer. */
  idempotent?: boolean;
  /** Builds the answer for the run of a request that died with its process. */
  recover?(input: { ctx: Ctx; runId: string }): Promise<unknown>;
  /** Describes a refused run for the audit log; for routes that start runs (`lib/runner/describe-refused-run.ts`). */
  describeRun?(ctx: Ctx, asked: AskedRun): Promise<RefusedRun>;
  /** The requested run, for requests that are refused before their verb. */
  asksForRun?(input: { params: z.output<P>; json: unknown }): AskedRun;
  /** Identity of a body for `Idempotency-Key`; defaults to all bytes. */
  identify?(input: { bytes: Uint8Array<ArrayBuffer>; request: Request }): Promise<unknown>;
  /** Answer of GET at the same address; enables `If-Match` for writes, which answer `stale` (412). */
  ifMatch?(input: { ctx: Ctx; params: z.output<P> }): Promise<unknown>;
  handle(input: {
    ctx: Ctx;
    params: z.output<P>;
    query: z.output<Q>;
    body: z.output<B>;
    bytes: Uint8Array<ArrayBuffer>;
    request: Request;
  }): Promise<unknown>;
};

/** The framework passes undefined to routes without parameters. */
type NextContext = { params: Promise<Record<string, string | string[]> | undefined> };
export type RouteHandler = ((request: Request, context: NextContext) => Promise<Response>) & {
  definition: RouteDefinition<z.ZodType, z.ZodType, z.ZodType>;
};

/**
 * Makes a route handler: authenticates, checks access, parses, calls one verb, answers. Every failure becomes a problem
 * answer.
 */
export function route<
  P extends z.ZodType = z.ZodObject,
  Q extends z.ZodType = z.ZodObject,
  B extends z.ZodType = z.ZodObject,
>(definition: RouteDefinition<P, Q, B>): RouteHandler {
  const paramsSchema = definition.params ?? NOTHING;
  const querySchema = definition.query ?? NOTHING;
  const bodySchema = definition.body ?? NOTHING;
  const handler = async (given: Request, context: NextContext): Promise<Response> => {
    const request = asBearer(given, definition.errors);
    const requestId = requestIdOf(request);
    const url = new URL(request.url);
    let ctx: Ctx | null = null;
    const limits = new Headers();
    try {
      ctx = await createRequestCtx(request, requestId);
      ctx.actor = await authenticateRequest(ctx, request);
      noteActor(request.headers, ctx.actor);
      if (definition.limits !== "distribution") await limitRequests(ctx, limits);
      assertAccess(definition, ctx.actor);
      const isWrite = !READ_METHODS.has(request.method);
      if (isWrite && ctx.actor.kind === "user") assertSameOrigin(request, getEnv().publicUrl);
      if (isWrite) requireSpaceFor(definition);
      const params = parseWith(paramsSchema, decodeParams((await context.params) ?? {}), "malformed", "address");
      const query = parseWith(
        querySchema,
        url.search === "" ? {} : Object.fromEntries(url.searchParams),
        "malformed",
        "query",
      );
      const limit = definition.maxBodyBytes ?? DEFAULT_BODY_BYTES;
      const bytes = isWrite && definition.rawBody ? await readBytes(request, limit) : new Uint8Array();
      const json = isWrite && definition.body ? await readJson(request, limit) : {};
      const body = parseWith(bodySchema, json, "invalid", "body");
      const input = { ctx, params, query, body, bytes, request } as Parameters<typeof definition.handle>[0];
      const work = async () => toResponse(await handleFresh(definition, input), definition.status ?? 200);
      const key = definition.idempotent ? request.headers.get("idempotency-key") : null;
      const response =
        key === null
          ? definition.answersFrom === "rows" && !isWrite
            ? await answerFromRows(definition, input, url)
            : await work()
          : await answerIdempotently(
              ctx,
              {
                key,
                address: url.pathname + url.search,
                body: await identityOf(definition, input, json),
                recover: recoverWith(definition.recover, input),
              },
              work,
            );
      if (!isWrite && response.ok && isAgent(ctx.actor))
        await recordAgentRead(ctx, { path: shownPath(url), query: url.search });
      return finish(request, response, requestId, limits);
    } catch (thrown) {
      const error = await explainMissingSetup(toAppError(thrown), ctx);
      metrics().refusals.inc({ code: error.code });
      // A full disk refuses many writes a second, and callers are informed.
      const isDiskFull = error.code === "storage_full" && error.cause !== undefined;
      if (error.code === "internal" || error.code === "unavailable" || isDiskFull) {
        logger.error(
          {
            requestId,
            traceId: ctx?.request.traceId,
            path: shownPath(url),
            method: request.method,
            err: error.cause ?? thrown,
          },
          "request failed",
        );
      }
      if (ctx && isRefusal(error)) {
        const within = ctx;
        const describeRun = () => refusedRunOf(within, { definition, request, context, error });
        const refusal = { method: request.method, path: shownPath(url), error, describeRun };
        await recordRefusal(ctx, refusal).catch((cause: unknown) =>
          logger.error({ requestId, err: cause }, "a refusal could not be recorded"),
        );
      }
      return finish(request, errorResponse(error, requestId, definition.errors), requestId, limits);
    }
  };
  return Object.assign(handler, { definition: definition as unknown as RouteHandler["definition"] });
}

/** Callers cannot sign in before the first admin exists. */
async function explainMissingSetup(error: AppError, ctx: Ctx | null): Promise<AppError> {
  if (error.code !== "unauthenticated" || ctx === null || (await hasAdmin(ctx).catch(() => true))) return error;
  return new AppError("unauthenticated", "This server is not set up yet. Open the set-up link in its log.");
}

type Refused = {
  definition: Pick<RouteHandler["definition"], "asksForRun" | "describeRun" | "maxBodyBytes" | "params">;
  request: Request;
  context: NextContext;
  error: AppError;
};

/** The refused run; null for other requests and anonymous callers. */
async function refusedRunOf(ctx: Ctx, { definition, request, context, error }: Refused): Promise<RefusedRun | null> {
  if (!isPerson(ctx.actor)) return null;
  const { asksForRun, describeRun } = definition;
  if (!describeRun) return null;
  if (error.askedRun) return describeRun(ctx, error.askedRun);
  const params = asksForRun && definition.params?.safeParse(decodeParams((await context.params) ?? {}));
  if (!asksForRun || !params?.success) return null;
  // Requests refused before their verb are mostly unread.
  const limit = definition.maxBodyBytes ?? DEFAULT_BODY_BYTES;
  const json = request.bodyUsed ? null : await readJson(request, limit).catch(() => null);
  return describeRun(ctx, asksForRun({ params: params.data, json }));
}

/** Reports of workers may use the reserved space; without it running runs would be lost. */
function requireSpaceFor({ access, rawBody }: Pick<RouteHandler["definition"], "access" | "rawBody">): void {
  if (access === "worker" && !rawBody) return;
  requireSpace(getEnv().dataDir, leastFree());
}

function recoverWith(recover: RouteHandler["definition"]["recover"], { ctx }: { ctx: Ctx }) {
  return recover ? async (runId: string) => toResponse(await recover({ ctx, runId }), 201) : null;
}

async function identityOf(
  { identify }: Pick<RouteHandler["definition"], "identify">,
  input: { bytes: Uint8Array<ArrayBuffer>; request: Request },
  json: unknown,
): Promise<unknown> {
  if (identify) return identify(input);
  return input.bytes.length > 0 ? sha256Hex(input.bytes) : json;
}

function isRefusal(error: AppError): boolean {
  return error.status === 401 || error.status === 403 || error.status === 429 || REFUSED_BY_POLICY.has(error.code);
}

/** Path for log and audit, without the secrets in invitations and capability URLs. */
function shownPath(url: URL): string {
  return url.pathname
    .replace(/^(\/api\/invites\/)[^/]+/, "$1…")
    .replace(/(sgc_[A-Za-z0-9_-]{6})[A-Za-z0-9_-]+/g, "$1…");
}

function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : newId();
}

function decodeParams(params: Record<string, string | string[]>): Record<string, string> {
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      throw new AppError("malformed", "The address has a broken percent escape.");
    }
  };
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map(decode).join("/") : decode(value),
    ]),
  );
}

function toResponse(value: unknown, status: number): Response {
  if (value instanceof Response) return value;
  if (status === 204 || value === undefined) return new Response(null, { status: 204 });
  return jsonAnswer(JSON.stringify(value), { status });
}

async function answerFromRows(
  { handle }: Pick<RouteHandler["definition"], "handle">,
  input: Handled,
  { pathname, search }: URL,
): Promise<Response> {
  const { text, etag } = await repeatAnswer(input.ctx, pathname + search, async () => {
    const fresh = JSON.stringify(await handle(input));
    return { text: fresh, etag: etagOf(fresh) };
  });
  return jsonAnswer(text, { status: 200, headers: { etag } });
}

type Handled = Parameters<RouteHandler["definition"]["handle"]>[0];

/**
 * With `If-Match`, check and change share a transaction, so one of several concurrent changes succeeds and the others
 * are `stale`. A first check outside avoids waiting for the transaction.
 */
async function handleFresh(
  { ifMatch, handle }: Pick<RouteHandler["definition"], "ifMatch" | "handle">,
  input: Handled,
): Promise<unknown> {
  const wanted = input.request.headers.get("if-match");
  if (wanted === null || wanted === "*" || !ifMatch) return handle(input);
  const assertFresh = async (at: Handled) => {
    const current = etagOf(JSON.stringify(await ifMatch(at)));
    if (wanted.split(",").some((tag) => tag.trim() === current)) return;
    throw new AppError("stale", "It has changed since you read it. Read it again and repeat your change.");
  };
  await assertFresh(input);
  const answer = await inTransaction(input.ctx, async (_tx, ctx) => {
    await assertFresh({ ...input, ctx });
    return handle({ ...input, ctx });
  });
  // Settings cached between change and commit are outdated.
  forgetCachedSettings(input.ctx);
  return answer;
}

function etagOf(body: string): string {
  return `"${sha256Hex(body).slice(0, 32)}"`;
}

/** Adds the common headers, and answers conditional reads of JSON with 304. */
async function finish(request: Request, response: Response, requestId: string, limits: Headers): Promise<Response> {
  response.headers.set("x-request-id", requestId);
  // A reached limit has set these headers already.
  const hasLimit = response.headers.has("ratelimit-limit");
  if (!hasLimit) for (const [name, value] of limits) response.headers.set(name, value);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-cache");
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const kept = answerText(response);
  const known = response.headers.get("etag");
  // Routes with entity tags of their own compare them themselves.
  const hasOwnTag = known !== null && kept === undefined;
  if (request.method !== "GET" || response.status !== 200 || !isJson || hasOwnTag) return response;
  const body = kept ?? (await response.text());
  const etag = known ?? etagOf(body);
  response.headers.set("etag", etag);
  const wanted = request.headers.get("if-none-match") ?? "";
  const matches = wanted.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  if (matches) return new Response(null, { status: 304, headers: response.headers });
  return kept === undefined ? jsonAnswer(body, { status: 200, headers: response.headers }) : response;
}
