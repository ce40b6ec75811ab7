import { createHash } from "node:crypto";
import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { MAX_PACKED_BYTES } from "@/lib/skill-format/archive/limits";
import { readArchive } from "@/lib/skill-format/archive/read-archive";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { guardedFetch } from "../github/guarded-fetch";
import { describeHostError, describeHostStatus } from "../hosts/describe-host-error";
import { SyncFailure } from "../sync-failure";
import type { RegistryOptions } from "./registry";

type Answer<T> = { data: T; etag: string | null };

/** Reads from a registry over HTTP. The credential goes to the origin of the registry only. Throws only `SyncFailure`s. */
export type RegistryClient = {
  /** JSON of the registry; follows no redirect. */
  json<S extends z.ZodType>(
    url: string,
    options: { what: string; schema: S; etag?: string | null },
  ): Promise<Answer<z.output<S>> | "unchanged">;
  /** Bytes from any host that the registry names, after at most three redirects. */
  bytes(url: string, what: string): Promise<Uint8Array>;
  requests(): number;
};

const MAX_LIST_BYTES = 16 * 1024 * 1024;
const ANSWER_MS = 30_000;
const MAX_REDIRECTS = 3;

/** Opens the client of the registry at an address. */
export function createRegistryClient(address: string, options: RegistryOptions): RegistryClient {
  const { credential, signal, timeoutMs = ANSWER_MS, now = () => new Date() } = options;
  const { origin } = new URL(address);
  const auth: Record<string, string> =
    credential?.kind === "token" ? { authorization: `Bearer ${credential.token}` } : {};
  let requests = 0;

  async function ask(url: string, what: string, headers: Record<string, string>, maxBytes: number): Promise<Response> {
    requests += 1;
    const { host, protocol, origin: asked } = new URL(url);
    if (protocol !== "https:" && protocol !== "http:") {
      throw new SyncFailure("address_not_allowed", `The registry names an address of ${what} that is not of the web.`);
    }
    const isOwn = asked === origin;
    const sent = { headers: { ...headers, ...(isOwn ? auth : {}) } };
    const response = await guardedFetch({ timeoutMs, maxBytes, signal })(url, sent).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw describeHostError(error, { what, host });
    });
    if (response.status < 400) return response;
    throw describeHostStatus(response, { what, host, hasCredential: isOwn && credential !== null, now: now() });
  }

  return {
    requests: () => requests,
    json: async (url, { what, schema, etag = null }) => {
      const headers = { accept: "application/json", ...(etag === null ? {} : { "if-none-match": etag }) };
      const response = await ask(url, what, headers, MAX_LIST_BYTES);
      if (response.status === 304) return "unchanged";
      const parsed = response.status === 200 ? schema.safeParse(parseJson(await response.text())) : null;
      if (parsed?.success) return { data: parsed.data, etag: response.headers.get("etag") };
      throw new SyncFailure(
        "malformed_answer",
        `${new URL(url).host} sent an answer of an unknown format for ${what}. Check the address and the kind of the source.`,
      );
    },
    bytes: async (given, what) => {
      let url = given;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const response = await ask(url, what, {}, MAX_PACKED_BYTES);
        if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
        const location = response.headers.get("location") ?? "";
        if (response.status < 300 || !URL.canParse(location, url)) break;
        url = new URL(location, url).href;
      }
      throw new SyncFailure("redirect_refused", `${new URL(url).host} led to no file for ${what}.`);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema refuses it.
  }
}

/** Unpacks an archive; `isPackage` removes the first folder of each path, as npm does. */
export async function unpack(bytes: Uint8Array, what: string, { isPackage = false } = {}): Promise<SkillFile[]> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const { files } = await readArchive({ bytes, filename: isZip ? "release.zip" : "release.tgz" }).catch(
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new SyncFailure("malformed_answer", `The archive of ${what} cannot be read: ${error.message}`);
    },
  );
  if (!isPackage) return files;
  return files.flatMap((file) => {
    const at = file.path.indexOf("/");
    return at === -1 ? [] : { ...file, path: file.path.slice(at + 1) };
  });
}

/** Throws `integrity` unless the bytes have the digest, which is `sha256:<hex>` or an SRI value such as `sha512-<Base64>`. */
export function assertDigest(bytes: Uint8Array, digest: string, what: string): void {
  const [, algorithm = "", hex] = /^(sha256|sha384|sha512):([0-9a-f]+)$/i.exec(digest) ?? [];
  const isHex = hex !== undefined;
  const [, sri = "", base64 = ""] = /^(sha256|sha384|sha512)-([A-Za-z0-9+/]+={0,2})/.exec(digest.trim()) ?? [];
  const name = isHex ? algorithm.toLowerCase() : sri;
  if (name === "")
    throw new SyncFailure(
      "integrity",
      `The registry states a digest of ${what} that is not known: ${digest.slice(0, 80)}`,
    );
  const found = createHash(name)
    .update(bytes)
    .digest(isHex ? "hex" : "base64");
  if (found === (isHex ? hex.toLowerCase() : base64)) return;
  throw new SyncFailure(
    "integrity",
    `${what} has the digest ${name} ${found}, but the registry states ${digest.slice(0, 200)}.`,
  );
}
