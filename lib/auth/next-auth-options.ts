import type { AuthOptions } from "next-auth";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import type { SessionClaims } from "./authenticate-session";
import { SignInInput } from "./schema";
import { SESSION_SECONDS } from "./session-cookie";
import { signIn } from "./sign-in";
import { signOut } from "./sign-out";

type Config = {
  secret: string;
  isSecure: boolean;
  /** Gets what a callback threw; next-auth itself would swallow it. */
  onFailure(error: unknown): void;
};

/**
 * next-auth for one request: credentials only, and a cookie that names the person and the session row. Everything else
 * about them is read from the database, so `ctx.actor` must be authenticated for the session and sign-out actions.
 */
export function nextAuthOptions(ctx: Ctx, config: Config): AuthOptions {
  let signedIn: SessionClaims | null = null;
  const credentials: CredentialsConfig = {
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
        signedIn = { uid: person.userId, sid: person.sessionId };
        return { id: person.userId };
      } catch (error) {
        config.onFailure(error);
        throw new Error(error instanceof AppError && error.code === "rate_limited" ? "Throttled" : "Unavailable");
      }
    },
  };
  return {
    providers: [credentials],
    secret: config.secret,
    useSecureCookies: config.isSecure,
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    jwt: { maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    callbacks: {
      jwt() {
        const { actor } = ctx;
        const claims = signedIn ?? (actor.kind === "user" ? { uid: actor.userId, sid: actor.sessionId } : null);
        if (claims === null) throw new Error("The session has ended."); // next-auth then clears the cookie.
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
    logger: {
      error: (code, detail) => logger.debug({ code, err: detail }, "next-auth"),
      warn: (code) => logger.debug({ code }, "next-auth"),
      debug: () => undefined,
    },
  };
}
