import type { AppError } from "@/lib/core/errors";
import type { EndpointAnswer } from "../answer-endpoint";
import { publicAddress } from "../public-address";

/** An answer of the registry, with the headers of the specification. */
export type RegistryAnswer = EndpointAnswer & { headers?: Record<string, string> };

/** Error codes of the OCI distribution specification 1.1 that a registry to pull from uses. */
const CODES = new Set([
  ...["BLOB_UNKNOWN", "DIGEST_INVALID", "MANIFEST_INVALID", "MANIFEST_UNKNOWN", "NAME_INVALID", "NAME_UNKNOWN"],
  ...["UNAUTHORIZED", "DENIED", "UNSUPPORTED", "TOOMANYREQUESTS"],
]);
const CODE_OF_STATUS: Record<number, string> = {
  400: "UNSUPPORTED",
  401: "UNAUTHORIZED",
  404: "NAME_UNKNOWN",
  405: "UNSUPPORTED",
  410: "MANIFEST_UNKNOWN",
  429: "TOOMANYREQUESTS",
};

/** The body of an error in the specification’s form. An error’s `rule` is its code there, when it is one. */
function describeRegistryError({ status, rule = "", message }: Described): string {
  const code = CODES.has(rule) ? rule : (CODE_OF_STATUS[status] ?? (status < 500 ? "DENIED" : "UNKNOWN"));
  return JSON.stringify({ errors: [{ code, message }] });
}

type Described = { status: number; rule?: string | undefined; message: string };

/** Header of answers, by which docker recognises the protocol. */
export const API_VERSION = { "docker-distribution-api-version": "registry/2.0" };

/** `WWW-Authenticate` of a 401: clients ask the token endpoint with the person’s token as the password, or without one. */
function challengeHeader(): string {
  const service = new URL(publicAddress("/")).host;
  return `Bearer realm="${publicAddress("/v2/token")}",service="${service}"`;
}

/** The answer to a caller that has sent no credentials: not a refusal, but how clients learn where to sign in. */
export function challengeResponse(): Response {
  const message = "Sign in with a token of Skillgate as the password, or ask for an anonymous token.";
  return new Response(describeRegistryError({ status: 401, message }), {
    status: 401,
    headers: {
      ...API_VERSION,
      "content-type": "application/json",
      "cache-control": "no-store",
      "www-authenticate": challengeHeader(),
    },
  });
}

/** What the token endpoint answers to callers without credentials. */
export const ANONYMOUS_TOKEN = "anonymous";

/** The error of `route()` in the specification’s form, with the headers of the problem document. */
export function registryErrorResponse(error: AppError, headers: Headers): Response {
  const { status, rule, message } = error;
  for (const [name, value] of Object.entries(API_VERSION)) headers.set(name, value);
  headers.set("content-type", "application/json");
  if (status === 401) headers.set("www-authenticate", challengeHeader());
  return new Response(describeRegistryError({ status, rule, message }), { status, headers });
}
