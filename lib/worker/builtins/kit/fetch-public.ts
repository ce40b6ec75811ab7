import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { createAgents } from "@/lib/core/outgoing/connect-outgoing";
import { type OutgoingPolicy, refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { BuiltinError } from "./builtin";

const MAX_REDIRECTS = 5;

type Limits = { maxBytes: number; timeoutMs: number; policy: OutgoingPolicy };
export type Fetched = {
  url: string;
  redirects: string[];
  status: number;
  contentType: string;
  bytes: Buffer;
  truncated: boolean;
};

/**
 * Fetches an address by GET, following at most five redirects, each of which is judged by the policy like the first. Of the
 * body at most `maxBytes` are kept, counted after decompression. Throws BuiltinError and `address_not_allowed`.
 */
export async function fetchPublic(given: string, limits: Limits): Promise<Fetched> {
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const redirects: string[] = [];
  let url = readUrl(given);
  for (;;) {
    const answer = await open(url, limits, deadline);
    const status = answer.statusCode ?? 0;
    const target = answer.headers.location;
    if (status >= 300 && status < 400 && target !== undefined) {
      answer.destroy();
      if (redirects.length === MAX_REDIRECTS) throw new BuiltinError(`There are more than ${MAX_REDIRECTS} redirects.`);
      redirects.push(url.href);
      url = readUrl(URL.canParse(target, url) ? new URL(target, url).href : target);
      continue;
    }
    const { bytes, truncated } = await readBody(answer, limits.maxBytes, deadline);
    return { url: url.href, redirects, status, contentType: answer.headers["content-type"] ?? "", bytes, truncated };
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new BuiltinError(`${JSON.stringify(text.slice(0, 200))} is not an http or https address.`);
  if (url.username || url.password) throw new BuiltinError("An address with a user name or a password is not fetched.");
  return url;
}

function open(url: URL, limits: Limits, deadline: AbortSignal): Promise<IncomingMessage> {
  const isTls = url.protocol === "https:";
  const agents = createAgents(() => limits.policy);
  return new Promise((resolve, reject) => {
    const outgoing = (isTls ? requestTls : requestPlain)(url, {
      agent: isTls ? agents.https : agents.http,
      timeout: limits.timeoutMs,
      signal: deadline,
      headers: {
        "user-agent": "skillgate-web-fetch",
        accept: "text/html, text/*, application/json, application/xml;q=0.9, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
      },
    });
    outgoing.once("response", resolve);
    outgoing.once("error", (cause: NodeJS.ErrnoException) => reject(refusalIn(cause) ?? explain(cause, url, limits)));
    outgoing.end();
  });
}

function explain(cause: NodeJS.ErrnoException, url: URL, { timeoutMs }: Limits): BuiltinError {
  if (cause.code === "ENOTFOUND") return new BuiltinError(`There is no host ${url.hostname}.`, { cause });
  if (cause.name === "AbortError" || cause.name === "TimeoutError") {
    return new BuiltinError(`${url.host} did not answer within ${timeoutMs} ms.`, { cause });
  }
  return new BuiltinError(`${url.host} cannot be reached: ${cause.code ?? cause.message}.`, { cause });
}

async function readBody(answer: IncomingMessage, maxBytes: number, deadline: AbortSignal) {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decompress(answer)) {
      const part = (chunk as Buffer).subarray(0, maxBytes - size);
      chunks.push(part);
      size += part.length;
      if (part.length < (chunk as Buffer).length) return { bytes: Buffer.concat(chunks), truncated: true };
    }
    return { bytes: Buffer.concat(chunks), truncated: false };
  } catch (cause) {
    if (deadline.aborted) throw new BuiltinError("The answer took too long.", { cause });
    throw new BuiltinError("The answer broke off, or is not compressed as it says.", { cause });
  } finally {
    answer.destroy();
  }
}

function decompress(answer: IncomingMessage): AsyncIterable<unknown> {
  const encoding = answer.headers["content-encoding"]?.toLowerCase();
  const decoder =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "br"
        ? createBrotliDecompress()
        : encoding === "deflate"
          ? createInflate()
          : null;
  if (decoder === null) return answer;
  answer.once("error", (cause) => decoder.destroy(cause));
  return answer.pipe(decoder);
}
