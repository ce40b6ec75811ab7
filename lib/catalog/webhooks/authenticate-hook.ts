import { createHmac, timingSafeEqual } from "node:crypto";
import { sha256Hex } from "@/lib/core/hash";
import type { SourceKind } from "../sources/schema";

/** How a host proves that it sent a notification: an HMAC of the body, the secret in a header, or Basic authentication. */
type Method = { hmac: readonly string[] } | { header: string } | { basic: true };

/** Of programs that are written for this server. */
const SIGNED = { hmac: ["x-hub-signature-256"] };

/**
 * - GitHub: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 * - GitLab: https://docs.gitlab.com/user/project/integrations/webhooks/
 * - Gitea and Forgejo: https://docs.gitea.com/usage/webhooks
 * - Bitbucket Cloud: https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/
 * - Azure DevOps: https://learn.microsoft.com/en-us/azure/devops/service-hooks/services/webhooks
 */
const METHODS: Record<SourceKind, Method> = {
  github: { hmac: ["x-hub-signature-256"] },
  gitlab: { header: "x-gitlab-token" },
  gitea: { hmac: ["x-gitea-signature", "x-forgejo-signature", "x-hub-signature-256"] },
  bitbucket: { hmac: ["x-hub-signature"] },
  azure: { basic: true },
  git: SIGNED,
  clawhub: SIGNED,
  index: SIGNED,
  marketplace: SIGNED,
  skillgate: SIGNED,
};

/** Whether a notification proves the secret of its source, in the way of the source's host. */
export function isAuthenticHook(
  kind: SourceKind,
  secret: string,
  { headers, bytes }: { headers: Headers; bytes: Uint8Array },
): boolean {
  const method = METHODS[kind];
  if ("header" in method) return isEqual(headers.get(method.header), secret);
  if ("basic" in method) return isEqual(passwordOf(headers.get("authorization")), secret);
  const expected = createHmac("sha256", secret).update(bytes).digest("hex");
  // Every signature that came must be right, so that a second header cannot replace a wrong first one.
  const given = method.hmac.map((name) => headers.get(name)).filter((value) => value !== null);
  return given.length > 0 && given.every((value) => isEqual(value.replace(/^sha256=/, ""), expected));
}

function passwordOf(authorization: string | null): string | null {
  const credentials = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "")?.[1];
  if (credentials === undefined) return null;
  const text = Buffer.from(credentials, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}

/** Compares in constant time, also texts of different lengths. */
function isEqual(given: string | null, expected: string): boolean {
  return given !== null && timingSafeEqual(Buffer.from(sha256Hex(given)), Buffer.from(sha256Hex(expected)));
}
