import { z } from "zod";
import { recordAgentRead, recordRefusal } from "@/lib/audit/record-refusal";
import type { RefusedRun } from "@/lib/audit/record-run-event";
import { authenticateRequest } from "@/lib/auth/sessions/authenticate-request";
import { isPerson } from "@/lib/core/actor";
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

import { answerIdempotently } from "./idempotency";
import { answerText, jsonAnswer } from "./json-answer";
import { limitRequests } from "./limit-requests";
import { noteActor, REQUEST_ID } from "./observe/observe-request";
import { problemResponse, toAppError } from "./problem";
import { parseWith, readBytes, readJson } from "./read-body";
import { createRequestCtx } from "./request-context";
import { assertSameOrigin } from "./same-origin";

/** Conflicts that are a policy's answer, not an accident of timing. */
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

export type RouteDefinition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  /** The policy of the route; there is no route without one. */
  access: Access;
  /** `open`: also for agents, which are tokens that act under a persona; left out, the route is closed to them. */
  agents?: "open";
  /** `door`: what is read through it counts against the limit of doors (`limitDoor`) and not against the person's. */
  limits?: "distribution";
  /** One line for the API description. */
  summary: string;
  /** Left out of the API description. */
  hidden?: boolean;
  params?: P;
  query?: Q;
  /** JSON body; left out, a body is not read. */
  body?: B;
  /** Reads the body as bytes instead, up to the limit; the handler parses it. `schema`: for the API description. */
  rawBody?: { contentType: string; schema?: z.ZodType };
  maxBodyBytes?: number;
  /** Schema of the answer, for the API description. */
  answer?: z.ZodType;
  /** Media types of the answers that are no JSON of `answer`, for the API description. */
  media?: readonly string[];
  /** Status of a plain answer; 200 when left out. */
  status?: number;
  /** Other statuses of success that a handler answers with, for the API description; null: without a body. */
  also?: Readonly<Record<number, { description: string; answer?: z.ZodType | null }>>;
  /** Honours `Idempotency-Key`: the same key and body answers what the first request answered. */
  idempotent?: boolean;
  /** The answer about a run whose first request died with the process, before its answer was kept. */
  recover?(input: { ctx: Ctx; runId: string }): Promise<unknown>;
  /** Describes a refused run for the audit; declared by routes that start runs (`lib/runner/describe-refused-run.ts`). */
  describeRun?(ctx: Ctx, asked: AskedRun): Promise<RefusedRun>;
  /** The run that a request asks for, when it is refused before its verb has named one. */
  asksForRun?(input: { params: z.output<P>; json: unknown }): AskedRun;
  /** What two bodies have in common when they are the same request; left out, every byte counts. */
  identify?(input: { bytes: Uint8Array<ArrayBuffer>; request: Request }): Promise<unknown>;
  /** What a GET of the same address answers; with it, a write honours `If-Match` and answers `stale` (412). */
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

/** The framework passes no parameters to routes without any. */
type NextContext = { params: Promise<Record<string, string | string[]> | undefined> };
export type RouteHandler = ((request: Request, context: NextContext) => Promise<Response>) & {
  definition: RouteDefinition<z.ZodType, z.ZodType, z.ZodType>;
};

/** Makes a route handler: who calls, may they, parse, call one verb, answer; every failure becomes a problem answer. */
export function route<
  P extends z.ZodType = z.ZodObject,
  Q extends z.ZodType = z.ZodObject,
  B extends z.ZodType = z.ZodObject,
>(definition: RouteDefinition<P, Q, B>): RouteHandler {
  const paramsSchema = definition.params ?? NOTHING;
  const querySchema = definition.query ?? NOTHING;
  const bodySchema = definition.body ?? NOTHING;
  const handler = async (request: Request, context: NextContext): Promise<Response> => {
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
          ? await work()
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
      if (!isWrite && response.ok) await recordAgentRead(ctx, { path: shownPath(url), query: url.search });
      return finish(request, response, requestId, limits);
    } catch (thrown) {
      const error = toAppError(thrown);
      metrics().refusals.inc({ code: error.code });
      // A disk that is kept from filling is refused many times a second, and says so to whoever asks.
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
      return finish(request, problemResponse(error, requestId), requestId, limits);
    }
  };
  return Object.assign(handler, { definition: definition as unknown as RouteHandler["definition"] });
}

type Refused = {
  definition: Pick<RouteHandler["definition"], "asksForRun" | "describeRun" | "maxBodyBytes" | "params">;
  request: Request;
  context: NextContext;
  error: AppError;
};

/** The run that was refused; null for requests that asked for none, and for callers who are not signed in. */
async function refusedRunOf(ctx: Ctx, { definition, request, context, error }: Refused): Promise<RefusedRun | null> {
  if (!isPerson(ctx.actor)) return null;
  const { asksForRun, describeRun } = definition;
  if (!describeRun) return null;
  if (error.askedRun) return describeRun(ctx, error.askedRun);
  const params = asksForRun && definition.params?.safeParse(decodeParams((await context.params) ?? {}));
  if (!asksForRun || !params?.success) return null;
  // Before its verb a request is mostly refused unread.
  const limit = definition.maxBodyBytes ?? DEFAULT_BODY_BYTES;
  const json = request.bodyUsed ? null : await readJson(request, limit).catch(() => null);
  return describeRun(ctx, asksForRun({ params: params.data, json }));
}

/** What workers report of runs under way may use what is kept free; without it these would be given up as lost. */
function requireSpaceFor({ access, rawBody }: Pick<RouteHandler["definition"], "access" | "rawBody">): void {
  if (access === "worker" && !rawBody) return;
  requireSpace(getEnv().dataDir, leastFree());
}

function recoverWith(recover: RouteHandler["definition"]["recover"], { ctx }: { ctx: Ctx }) {
  return recover ? async (runId: string) => toResponse(await recover({ ctx, runId }), 201) : null;
}

async function identityOf(
  definition: Pick<RouteHandler["definition"], "identify">,
  input: { bytes: Uint8Array<ArrayBuffer>; request: Request },
  json: unknown,
): Promise<unknown> {
  if (definition.identify) return definition.identify(input);
  return input.bytes.length > 0 ? sha256Hex(input.bytes) : json;
}

function isRefusal(error: AppError): boolean {
  return error.status === 401 || error.status === 403 || error.status === 429 || REFUSED_BY_POLICY.has(error.code);
}

/** The path for log and audit, without the secrets that are part of addresses: of invitations and capability URLs. */
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

type Handled = Parameters<RouteHandler["definition"]["handle"]>[0];

/**
 * With `If-Match`, the check and the change are one transaction: of several who read the same, one changes it and the
 * others are `stale`. Checked before as well, so that those who are late anyway wait for nobody.
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
    throw new AppError("stale", "This was changed since you read it. Read it again and repeat your change.");
  };
  await assertFresh(input);
  const answer = await inTransaction(input.ctx, async (_tx, ctx) => {
    await assertFresh({ ...input, ctx });
    return handle({ ...input, ctx });
  });
  // What was read between the change and its commit was still the old.
  forgetCachedSettings(input.ctx);
  return answer;
}

function etagOf(body: string): string {
  return `"${sha256Hex(body).slice(0, 32)}"`;
}

/** Adds what every answer carries, and answers conditional reads of JSON with 304. */
async function finish(request: Request, response: Response, requestId: string, limits: Headers): Promise<Response> {
  response.headers.set("x-request-id", requestId);
  // A limit that was reached is told before the one of all requests, which was not.
  const isTold = response.headers.has("ratelimit-limit");
  if (!isTold) for (const [name, value] of limits) response.headers.set(name, value);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-cache");
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  if (request.method !== "GET" || response.status !== 200 || !isJson || response.headers.has("etag")) return response;
  const body = answerText(response) ?? (await response.text());
  const etag = etagOf(body);
  response.headers.set("etag", etag);
  const wanted = request.headers.get("if-none-match") ?? "";
  const matches = wanted.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  if (matches) return new Response(null, { status: 304, headers: response.headers });
  return answerText(response) === undefined ? jsonAnswer(body, { status: 200, headers: response.headers }) : response;
}
