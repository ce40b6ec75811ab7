import { z } from "zod";
import { Email } from "@/lib/auth/schema";
import { outgoingFetch } from "@/lib/core/outgoing/server-features";
import type { Identity } from "@/lib/policy/admit-identity";
import { PROVIDER_TIMEOUT_MS } from "./provider-timeout";
import type { Provider } from "./read-providers";

const GitHubUser = z.object({ id: z.number().int(), login: z.string().min(1), name: z.string().nullish() });
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const Membership = z.object({ state: z.string() });

/**
 * Whom an access token of GitHub speaks of (REST API 2022-11-28). The address is the primary one of `/user/emails`, and only
 * when it is verified: what a profile shows is whatever its owner typed. Of `organisations`, those with an active membership.
 */
export async function readGitHubIdentity(
  provider: Provider,
  given: { apiUrl: string; accessToken: string; organisations: string[] },
): Promise<Identity> {
  const ask = (path: string) => askGitHub(`${given.apiUrl.replace(/\/+$/, "")}${path}`, given.accessToken);
  const user = GitHubUser.parse(await readOk(await ask("/user")));
  const emails = Emails.parse(await readOk(await ask("/user/emails?per_page=100")));
  const primary = emails.find((address) => address.primary && address.verified)?.email;
  const email = Email.safeParse(primary).data ?? null;
  const memberships = await Promise.all(
    given.organisations.map(async (name) => {
      const response = await ask(`/user/memberships/orgs/${encodeURIComponent(name)}`);
      // 404: not a member; 403: the organisation keeps this app out.
      if (response.status === 404 || response.status === 403) return [];
      return Membership.parse(await readOk(response)).state === "active" ? [name] : [];
    }),
  );
  return {
    provider: provider.id,
    issuer: provider.issuer,
    subject: String(user.id),
    label: user.login,
    name: user.name || user.login,
    email,
    domain: email?.slice(email.lastIndexOf("@") + 1) ?? null,
    organisations: memberships.flat(),
    groups: [],
  };
}

function askGitHub(url: string, accessToken: string): Promise<Response> {
  return outgoingFetch("signIn")(url, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${accessToken}`,
      "user-agent": "skillgate",
      "x-github-api-version": "2022-11-28",
    },
    signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
  });
}

async function readOk(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`expected 200 OK, got: ${response.status}`);
  return response.json();
}
