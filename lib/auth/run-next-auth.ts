import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { authenticateRequest } from "./authenticate-request";
import { nextAuthOptions } from "./next-auth-options";
import { usesSecureCookies } from "./session-cookie";
import { shapeAuthAnswer } from "./shape-auth-answer";

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

export type AuthInput = {
  request: Request;
  /** What follows `/api/auth/` in the address. */
  path: string[];
  /** The body, read already. */
  fields: Record<string, string>;
};

/** Answers a sign-in or sign-out request by next-auth; of its actions only those in use exist here. */
export async function runNextAuth(ctx: Ctx, { request, path, fields }: AuthInput): Promise<Response> {
  const action = path.join("/");
  if (!ACTIONS.has(`${request.method} ${action}`)) throw new AppError("not_found", "There is no such sign-in action.");
  const env = getEnv();
  if (env.NEXTAUTH_SECRET === undefined) throw new Error("NEXTAUTH_SECRET is not set.");
  const needsActor = action === "session" || action === "signout";
  const actorCtx = needsActor ? { ...ctx, actor: await authenticateRequest(ctx, request) } : ctx;
  const failures: unknown[] = [];
  const options = nextAuthOptions(actorCtx, {
    secret: env.NEXTAUTH_SECRET,
    isSecure: usesSecureCookies(env),
    onFailure: (error) => failures.push(error),
  });
  // next-auth forgets the status when it is asked for JSON itself.
  const { json, ...rest } = fields;
  const response: Response = await NextAuth(rebuild(request, rest), { params: { nextauth: path } }, options);
  return shapeAuthAnswer(response, { wantsJson: json === "true", publicUrl: env.publicUrl, failure: failures[0] });
}

/** The request again, with the body that was read. */
function rebuild(request: Request, fields: Record<string, string>): NextRequest {
  const headers = new Headers(request.headers);
  if (request.method !== "POST") return new NextRequest(request.url, { headers });
  headers.delete("content-length");
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new NextRequest(request.url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}
