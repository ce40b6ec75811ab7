import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { SignInRules } from "@/lib/policy/admit-identity";
import { askNextAuth } from "./ask-next-auth";
import { authenticateRequest } from "./authenticate-request";
import { nextAuthOptions } from "./next-auth-options";
import { pageAddress } from "./page-address";
import { beginProviderSignIn } from "./providers/begin-provider-sign-in";
import { finishProviderSignIn } from "./providers/finish-provider-sign-in";
import { readProviders } from "./providers/read-providers";
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
  rules: SignInRules;
};

/** Answers a sign-in or sign-out request by next-auth; of its actions only those in use exist here. */
export async function runNextAuth(ctx: Ctx, { request, path, fields, rules }: AuthInput): Promise<Response> {
  const env = getEnv();
  if (env.NEXTAUTH_SECRET === undefined) throw new Error("NEXTAUTH_SECRET is not set.");
  const siteUrl = env.NEXTAUTH_URL ?? env.publicUrl;
  const site = { secret: env.NEXTAUTH_SECRET, isSecure: usesSecureCookies(env), url: siteUrl };
  const providers = readProviders(env);
  const action = `${request.method} ${path.join("/")}`;
  // next-auth forgets the status when it is asked for JSON itself.
  const { json, ...rest } = withoutForeignPage(fields, siteUrl);
  const wantsJson = json === "true";
  const provider = providers.find(({ id }) => action === `POST signin/${id}` || action === `GET callback/${id}`);
  if (provider !== undefined) {
    const trip = { request, path, rules, provider, env, site };
    if (request.method === "GET") return finishProviderSignIn(ctx, trip);
    return beginProviderSignIn(ctx, { ...trip, fields: rest, wantsJson });
  }
  if (!ACTIONS.has(action)) throw new AppError("not_found", "There is no such sign-in action.");
  if (action === "POST callback/credentials" && !rules.passwords) {
    throw new AppError("forbidden", "Nobody signs in with a password here.", { rule: "passwords-off" });
  }
  const needsActor = path[0] === "session" || path[0] === "signout";
  const actorCtx = needsActor ? { ...ctx, actor: await authenticateRequest(ctx, request) } : ctx;
  const failures: unknown[] = [];
  const options = nextAuthOptions(actorCtx, {
    ...site,
    passwords: rules.passwords,
    providers: providers.map(({ id, name }) => ({ id, name, type: "oauth", profile: () => ({ id: "" }) })),
    admit: () => Promise.reject(new Error("Nobody is admitted by this action.")),
    onFailure: (error) => failures.push(error),
  });
  const query = withoutForeignPage(Object.fromEntries(new URL(request.url).searchParams), siteUrl);
  const { response } = await askNextAuth({ request, path, query, fields: rest, options });
  return shapeAuthAnswer(response, { wantsJson, siteUrl, failure: failures[0] });
}

/** next-auth calls a page of another site an error of the server's configuration. */
function withoutForeignPage({ callbackUrl, ...rest }: Record<string, string>, siteUrl: string): Record<string, string> {
  return callbackUrl === undefined ? rest : { ...rest, callbackUrl: pageAddress(callbackUrl, new URL(siteUrl).origin) };
}
