import type { AuthOptions } from "next-auth";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { recordEvent } from "@/lib/audit/record-event";
import { nextAuthLogger } from "@/lib/auth/providers/collect-errors";
import { SignInInput } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { SessionClaims } from "./authenticate-request";
import { pageAddress } from "./page-address";
import { SESSION_SECONDS } from "./session-cookie";
import { signIn } from "./sign-in";

type Config = {
  secret: string;
  isSecure: boolean;
  /** Whether people may sign in by password. */
  passwords: boolean;
  providers: AuthOptions["providers"];
  /** Whose session starts after a provider has said who it is, or the page that says why none does. */
  admit(): Promise<SessionClaims | { location: string }>;
  /** Gets what a callback threw; next-auth itself would swallow it. */
  onFailure(error: unknown): void;
};

/**
 * next-auth for one request, with a cookie that names the person and the session row. Everything else about them is read
 * from the database, so `ctx.actor` must be authenticated for the session and sign-out actions.
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

/** Ends the session the request came with. Somebody who is not signed in, or whose session has ended, changes nothing. */
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
