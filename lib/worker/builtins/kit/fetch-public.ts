import { createAgents } from "@/lib/core/outgoing/connect-outgoing";
import { createFetch } from "@/lib/core/outgoing/create-fetch";
import { type OutgoingPolicy, refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { BuiltinError } from "./builtin";

const MAX_REDIRECTS = 5;

type Limits = { maxBytes: number; timeoutMs: number; policy: OutgoingPolicy };
type Fetched = {
  url: string;
  redirects: string[];
  status: number;
  contentType: string;
  bytes: Buffer;
  truncated: boolean;
};

/** Fetches an address by GET, with the policy for each of five redirects. Throws BuiltinError and `address_not_allowed`. */
export async function fetchPublic(given: string, limits: Limits): Promise<Fetched> {
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const redirects: string[] = [];
  let url = readUrl(given);
  for (;;) {
    const answer = await open(url, limits, deadline);
    const { status, headers } = answer;
    const target = headers.get("location");
    if (status >= 300 && status < 400 && target !== null) {
      await answer.body?.cancel();
      if (redirects.length === MAX_REDIRECTS) throw new BuiltinError(`There are more than ${MAX_REDIRECTS} redirects.`);
      redirects.push(url.href);
      url = readUrl(URL.canParse(target, url) ? new URL(target, url).href : target);
      continue;
    }
    const { bytes, truncated } = await readBody(answer, limits.maxBytes, deadline);
    return { url: url.href, redirects, status, contentType: headers.get("content-type") ?? "", bytes, truncated };
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new BuiltinError(`${JSON.stringify(text.slice(0, 200))} is not an http or https address.`);
  if (url.username || url.password) throw new BuiltinError("An address with a user name or a password is not fetched.");
  return url;
}

async function open(url: URL, limits: Limits, deadline: AbortSignal): Promise<Response> {
  const headers = {
    "user-agent": "skillgate-web-fetch",
    accept: "text/html, text/*, application/json, application/xml;q=0.9, */*;q=0.1",
  };
  try {
    const fetchAllowed = createFetch(createAgents(() => limits.policy));
    return await fetchAllowed(url, { headers, redirect: "manual", signal: deadline });
  } catch (cause) {
    throw refusalIn(cause) ?? explain(cause as Error, url, limits);
  }
}

function explain(failure: Error, url: URL, { timeoutMs }: Limits): BuiltinError {
  if (failure.name === "TimeoutError") {
    return new BuiltinError(`${url.host} did not answer within ${timeoutMs} ms.`, { cause: failure });
  }
  const cause = (failure.cause ?? failure) as NodeJS.ErrnoException;
  if (cause.code === "ENOTFOUND") return new BuiltinError(`There is no host ${url.hostname}.`, { cause });
  return new BuiltinError(`${url.host} cannot be reached: ${cause.code ?? cause.message}.`, { cause });
}

async function readBody({ body }: Response, maxBytes: number, deadline: AbortSignal) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      const part = chunk.subarray(0, maxBytes - size);
      chunks.push(part);
      size += part.length;
      if (part.length < chunk.length) return { bytes: Buffer.concat(chunks), truncated: true };
    }
    return { bytes: Buffer.concat(chunks), truncated: false };
  } catch (cause) {
    if (deadline.aborted) throw new BuiltinError("The answer took too long.", { cause });
    throw new BuiltinError("The answer ended early or is not compressed as it declares.", { cause });
  }
}
