import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type AuthOptions } from "next-auth";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { recordEvent } from "@/lib/audit/record-event";
import { type CollectedError, collectErrors, nextAuthLogger } from "@/lib/auth/providers/provider-failures";
import { SignInInput } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { SessionClaims } from "./authenticate-request";
import { parseCookies, SESSION_SECONDS } from "./session-cookie";
import { signIn } from "./sign-in";

type Config = {
  secret: string;
  isSecure: boolean;
  passwords: boolean;
  providers: AuthOptions["providers"];
  /** Returns the session for the provider's identity, or the page with the reason of a refusal. */
  admit(): Promise<SessionClaims | { location: string }>;
  /** Receives errors of callbacks, which next-auth would swallow. */
  onFailure(error: unknown): void;
};

/**
 * Options of next-auth for one request. The cookie names only the person and the session row, so `ctx.actor` must be
 * authenticated for the session and sign-out actions.
 */
export function nextAuthOptions(ctx: Ctx, config: Config): AuthOptions {
  let signedIn: SessionClaims | null = null;
  const credentials = passwordProvider(ctx, config, (claims) => {
    signedIn = claims;
  });
  return {
    providers: [...(config.passwords ? [credentials] : []), ...config.providers],
    secret: config.secret,
    useSecureCookies: config.isSecure,
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    jwt: { maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    callbacks: {
      async signIn({ account }) {
        if (account?.type === "credentials") return true;
        try {
          const admitted = await config.admit();
          if ("location" in admitted) return admitted.location;
          signedIn = admitted;
          return true;
        } catch (error) {
          config.onFailure(error);
          throw new Error("Unavailable");
        }
      },
      redirect: ({ url, baseUrl }) => pageAddress(url, baseUrl),
      jwt() {
        const { actor } = ctx;
        const claims = signedIn ?? (actor.kind === "user" ? { uid: actor.userId, sid: actor.sessionId } : null);
        if (claims === null) throw new Error("The session has ended."); // Makes next-auth clear the cookie.
        return claims;
      },
      session({ session }) {
        const { actor } = ctx;
        return actor.kind === "user" ? { ...session, user: { name: actor.name, email: actor.email } } : session;
      },
    },
    events: {
      async signOut() {
        await signOut(ctx).catch((error: unknown) => config.onFailure(error));
      },
    },
    logger: nextAuthLogger,
  };
}

function passwordProvider(
  ctx: Ctx,
  config: Config,
  onSignedIn: (claims: SessionClaims) => void,
): CredentialsConfig<Record<"email" | "password", { type: string }>> {
  return {
    id: "credentials",
    name: "Email and password",
    type: "credentials",
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given) {
      const input = SignInInput.safeParse(given);
      if (!input.success) return null;
      try {
        const person = await signIn(ctx, input.data);
        if (person?.kind !== "user") return null;
        onSignedIn({ uid: person.userId, sid: person.sessionId });
        return { id: person.userId };
      } catch (error) {
        config.onFailure(error);
        throw new Error(error instanceof AppError && error.code === "rate_limited" ? "Throttled" : "Unavailable");
      }
    },
  };
}

/** Ends the session of the request, if it is live. */
export async function signOut(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user") return;
  await inTransaction(ctx, async (tx, txCtx) => {
    const ended = await tx.session.updateMany({
      where: { id: actor.sessionId, revokedAt: null },
      data: { revokedAt: ctx.now() },
    });
    if (ended.count === 0) return;
    await recordEvent(tx, txCtx, {
      action: "session.end",
      summary: "signed out",
      target: { kind: "session", id: actor.sessionId, name: actor.name },
    });
  });
}

type NextAuthCall = {
  request: Request;
  path: string[];
  /** Query parameters to pass on; next-auth trusts all of them. */
  query: Record<string, string>;
  fields: Record<string, string>;
  options: AuthOptions;
};

/** Calls next-auth; returns its answer and logged errors. `malformed` for a cookie that was not set by this server. */
export async function callNextAuth(call: NextAuthCall): Promise<{ response: Response; errors: CollectedError[] }> {
  const { result: response, errors } = await collectErrors(() => runHandler(call));
  if (errors.some(({ code }) => code === "INVALID_CALLBACK_URL_ERROR")) {
    throw new AppError("malformed", "The cookie with the page to return to was not set by this server. Delete it.");
  }
  return { response, errors };
}

/** Calls next-auth's handler for Node's requests. Its handler for web requests works only inside the framework. */
async function runHandler({ request, path, query, fields, options }: NextAuthCall): Promise<Response> {
  const headers = new Headers();
  let [status, body]: [number, string | null] = [200, null];
  const answer = {
    getHeader: (name: string) => (name === "Set-Cookie" ? headers.getSetCookie() : headers.get(name)),
    setHeader: (name: string, value: string | string[]) => {
      headers.delete(name);
      for (const one of [value].flat()) headers.append(name, one);
      return answer;
    },
    status: (code: number) => {
      status = code;
      return answer;
    },
    json: (value: unknown) => answer.setHeader("Content-Type", "application/json").send(value),
    send: (value: unknown) => {
      body = value === undefined || typeof value === "string" ? (value ?? null) : JSON.stringify(value);
    },
    end: () => undefined,
  };
  const asked = {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    cookies: Object.fromEntries(
      [...parseCookies(request.headers.get("cookie") ?? "")]
        // next-auth makes numbers of the ends of names, and fails with others.
        .filter(([name]) => /^[\w-]+(?:\.[\w-]+)*$/.test(name))
        .map(([name, value]) => [name, decoded(value)]),
    ),
    query: { ...query, nextauth: path },
    ...(request.method === "POST" ? { body: fields } : {}),
  };
  await NextAuth(asked as unknown as NextApiRequest, answer as unknown as NextApiResponse, options);
  return new Response(body, { status, headers });
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // Not a cookie of this server.
  }
}

/** The address to redirect to after signing in or out; the first page for other sites. */
export function pageAddress(url: string, baseUrl: string): string {
  if (!URL.canParse(url, baseUrl)) return baseUrl;
  const { origin, pathname, search, hash } = new URL(url, baseUrl);
  const isPage = origin === new URL(baseUrl).origin && !pathname.startsWith("//") && !/^\/api(\/|$)/.test(pathname);
  return isPage ? `${origin}${pathname}${search}${hash}` : baseUrl;
}
