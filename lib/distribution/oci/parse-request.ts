import { AppError } from "@/lib/core/errors";

/** Components of names, and tags, of the OCI distribution specification 1.1. */
const PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const NAME = new RegExp(`^${PART}(?:/${PART})*$`);
const MAX_NAME = 255;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
/** Digests as the image specification 1.1 has them; `sha256` has 64 lower-case hex digits. */
const DIGEST = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[A-Za-z0-9=_-]+$/;
const SHA256 = /^sha256:[0-9a-f]{64}$/;

const OF_REFERENCE = /^(.+)\/(manifests|blobs|referrers)\/([^/]+)$/;
const OF_TAGS = /^(.+)\/tags\/list$/;

/** A repository holds the approved versions of one skill. */
export type RepositoryName = { publisher: string; skill: string };

type RegistryRequest =
  | { kind: "catalog" }
  | { kind: "token" }
  | { kind: "tags"; repository: RepositoryName }
  | { kind: "manifests"; repository: RepositoryName; reference: { tag: string } | { digest: string } }
  | { kind: "blobs"; repository: RepositoryName; digest: string }
  | { kind: "referrers"; repository: RepositoryName; digest: string };

/**
 * Parses the part of an address after `/v2/`. Throws with the specification's code as `rule`: `NAME_INVALID`,
 * `DIGEST_INVALID`, `MANIFEST_INVALID`, and `NAME_UNKNOWN` for a name that is not `publisher/skill`.
 */
export function parseRequest(path: string): RegistryRequest {
  if (path === "_catalog") return { kind: "catalog" };
  if (path === "token") return { kind: "token" };
  const name = OF_TAGS.exec(path)?.[1];
  if (name !== undefined) return { kind: "tags", repository: parseName(name) };
  const [, repository, kind, reference] = OF_REFERENCE.exec(path) ?? [];
  if (repository === undefined || reference === undefined) {
    throw new AppError("not_found", "This registry has nothing at this address.", { rule: "NAME_UNKNOWN" });
  }
  if (kind === "manifests") {
    return { kind, repository: parseName(repository), reference: parseReference(reference) };
  }
  const of = kind === "blobs" ? "blobs" : "referrers";
  return { kind: of, repository: parseName(repository), digest: parseDigest(reference) };
}

function parseName(name: string): RepositoryName {
  if (name.length > MAX_NAME || !NAME.test(name)) {
    throw new AppError("malformed", "A repository’s name has lower-case letters, digits, and . _ - between them.", {
      rule: "NAME_INVALID",
    });
  }
  const [publisher, skill, ...more] = name.split("/");
  if (publisher === undefined || skill === undefined || more.length > 0) throw noRepository();
  return { publisher, skill };
}

function parseReference(text: string): { tag: string } | { digest: string } {
  if (text.includes(":")) return { digest: parseDigest(text) };
  if (TAG.test(text)) return { tag: text };
  throw new AppError("malformed", "A tag has at most 128 letters, digits and . _ -.", { rule: "MANIFEST_INVALID" });
}

function parseDigest(text: string): string {
  if (DIGEST.test(text) && (SHA256.test(text) || !text.startsWith("sha256:"))) return text;
  throw new AppError("malformed", "A digest has the form sha256:<64 hex digits>.", { rule: "DIGEST_INVALID" });
}

/** For an unknown repository, one that the viewer may not see, and one without an approved version alike. */
export function noRepository(): AppError {
  return new AppError("not_found", "There is no such skill that you can see; a name is <publisher>/<skill>.", {
    rule: "NAME_UNKNOWN",
  });
}
