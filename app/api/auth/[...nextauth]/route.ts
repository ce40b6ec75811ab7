import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authenticateRequest } from "@/lib/auth/authenticate-request";
import { nextAuthOptions } from "@/lib/auth/next-auth-options";
import { usesSecureCookies } from "@/lib/auth/session-cookie";
import { type Env, getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { createCtx } from "@/lib/db/context";
import { clientAddress } from "@/lib/http/client-address";
import { problemResponse, toAppError } from "@/lib/http/problem";
import { getDatabase } from "@/lib/http/server-database";
import { readForm } from "./read-form";
import { shapeAnswer } from "./shape-answer";

const MAX_BODY_BYTES = 16 * 1024;
const ACTIONS = new Set([
  "GET csrf",
  "GET error",
  "GET providers",
  "GET session",
  "GET signin",
  "GET signout",
  "POST callback/credentials",
  "POST signout",
]);

type Context = { params: Promise<{ nextauth: string[] }> };

/** Sign-in and sign-out by next-auth, behind our own limits; of its actions only those in use exist here. */
async function handle(request: Request, context: Context): Promise<Response> {
  const requestId = newId();
  try {
    const { nextauth } = await context.params;
    if (!ACTIONS.has(`${request.method} ${nextauth.join("/")}`)) {
      throw new AppError("not_found", "There is no such sign-in action.");
    }
    const response = await runNextAuth(request, { nextauth, requestId, env: getEnv() });
    response.headers.set("x-request-id", requestId);
    return response;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.status >= 500) logger.error({ requestId, err: error.cause ?? thrown }, "a sign-in request failed");
    return problemResponse(error, requestId);
  }
}

async function runNextAuth(
  request: Request,
  { nextauth, requestId, env }: { nextauth: string[]; requestId: string; env: Env },
): Promise<Response> {
  if (env.NEXTAUTH_SECRET === undefined) throw new Error("NEXTAUTH_SECRET is not set.");
  const info = {
    requestId,
    address: clientAddress(request.headers, env.SKILLGATE_TRUSTED_PROXIES),
    userAgent: request.headers.get("user-agent")?.slice(0, 300) ?? null,
  };
  const ctx = createCtx({ actor: { kind: "anonymous" }, database: await getDatabase(), request: info });
  if (nextauth[0] === "session" || nextauth[0] === "signout") ctx.actor = await authenticateRequest(ctx, request);
  const failures: unknown[] = [];
  const options = nextAuthOptions(ctx, {
    secret: env.NEXTAUTH_SECRET,
    isSecure: usesSecureCookies(env),
    onFailure: (error) => failures.push(error),
  });
  const { json, ...fields } = request.method === "POST" ? await readForm(request, MAX_BODY_BYTES) : {};
  const response: Response = await NextAuth(rebuild(request, fields), { params: { nextauth } }, options);
  return shapeAnswer(response, { wantsJson: json === "true", publicUrl: env.publicUrl, failure: failures[0] });
}

/** The request again, with the body that was read within the limit. */
function rebuild(request: Request, fields: Record<string, string>): NextRequest {
  const headers = new Headers(request.headers);
  if (request.method !== "POST") return new NextRequest(request.url, { headers });
  headers.delete("content-length");
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new NextRequest(request.url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}

const definition = { access: "public", summary: "Sign-in and sign-out (next-auth)" } as const;
export const GET = Object.assign((request: Request, context: Context) => handle(request, context), { definition });
export const POST = Object.assign((request: Request, context: Context) => handle(request, context), {
  definition: { ...definition, maxBodyBytes: MAX_BODY_BYTES },
});
