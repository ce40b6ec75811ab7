import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPrivateAddress } from "@/lib/worker/sandbox/allowed-hosts";
import { BuiltinError } from "./builtin";

const MAX_REDIRECTS = 5;

type Limits = { maxBytes: number; timeoutMs: number; allowPrivate: boolean };
export type Fetched = {
  url: string;
  redirects: string[];
  status: number;
  contentType: string;
  bytes: Buffer;
  truncated: boolean;
};

/**
 * Fetches an address by GET, following at most five redirects. A name is resolved here, each of its addresses is judged,
 * and the address that was judged is the one connected to, at every redirect anew. Of the body at most `maxBytes` are
 * kept, counted after decompression. Throws BuiltinError.
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

async function open(url: URL, limits: Limits, deadline: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const address = await judge(host, limits.allowPrivate);
  const request = url.protocol === "https:" ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent: false,
      signal: deadline,
      headers: {
        "user-agent": "skillgate-web-fetch",
        accept: "text/html, text/*, application/json, application/xml;q=0.9, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
      },
      lookup: (_name, options, done) => {
        if (options.all) done(null, [{ address, family: isIP(address) }]);
        else done(null, address, isIP(address));
      },
    });
    outgoing.once("response", resolve);
    outgoing.once("error", (cause: NodeJS.ErrnoException) => reject(explain(cause, url, limits)));
    outgoing.end();
  });
}

async function judge(host: string, allowPrivate: boolean): Promise<string> {
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true }).catch(() => [])).map((one) => one.address);
  const [first] = addresses;
  if (first === undefined) throw new BuiltinError(`There is no host ${host}.`);
  const fit = allowPrivate ? first : addresses.find((address) => !isPrivateAddress(address));
  if (fit === undefined) {
    const found = host === first ? host : `${host} (${first})`;
    throw new BuiltinError(`${found} is not an address of the internet, and is not fetched.`);
  }
  return fit;
}

function explain(cause: NodeJS.ErrnoException, url: URL, { timeoutMs }: Limits): BuiltinError {
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
