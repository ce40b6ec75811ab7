import { createAgents } from "@/lib/core/outgoing/connect-outgoing";
import { createFetch } from "@/lib/core/outgoing/create-fetch";
import { destinationOf, type OutgoingPolicy, refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { BuiltinError, type BuiltinIo, cutText } from "./builtin";
import { runPolicy } from "./run-policy";

const MAX_BYTES = 8 * 1024 * 1024;

/** A service that the operator configured by a variable of the worker, such as `PROMETHEUS_URL` and `PROMETHEUS_TOKEN`. */
export type Service = { name: string; prefix: string };

/**
 * Sends a query to a configured service, with its token if there is one, and returns the JSON answer. Throws BuiltinError
 * naming the missing variable or the service's answer, also beyond 8 MiB and after the time limit. It may reach the
 * configured host and port even on a private address, but not the server's own ports; redirects are not followed.
 */
export async function readJson(
  io: Pick<BuiltinIo, "env">,
  { name, prefix }: Service,
  { path, query, timeoutMs }: { path: string; query: Record<string, string | number | undefined>; timeoutMs: number },
): Promise<unknown> {
  const { env } = io;
  const base = env[`${prefix}_URL`]?.trim();
  if (!base) throw new BuiltinError(`${name} is not configured: the worker has no variable ${prefix}_URL.`);
  if (!URL.canParse(base) || !/^https?:/i.test(base))
    throw new BuiltinError(`${prefix}_URL is not an http or https address.`);
  const url = new URL(`${base.replace(/\/+$/, "")}${path}`);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  const token = env[`${prefix}_TOKEN`]?.trim();
  const headers = { accept: "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const policy = { ...runPolicy(io, name), endpoints: [destinationOf(base)] };
  const { status, body } = await ask(url, { name, policy, headers, timeoutMs });
  if (status < 200 || status > 299) throw new BuiltinError(`${name} answered ${status}: ${cutText(body.trim(), 500)}`);
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new BuiltinError(`${name} did not answer with JSON: ${cutText(body.trim(), 200)}`, { cause });
  }
}

type Question = { name: string; policy: OutgoingPolicy; headers: Record<string, string>; timeoutMs: number };

async function ask(url: URL, { name, policy, headers, timeoutMs }: Question) {
  try {
    const fetchFromService = createFetch(createAgents(() => policy));
    const answer = await fetchFromService(url, { headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    return { status: answer.status, body: await readBody(name, answer) };
  } catch (cause) {
    if (cause instanceof BuiltinError || refusalIn(cause) !== null) throw cause;
    if (cause instanceof Error && cause.name === "TimeoutError") {
      throw new BuiltinError(`${name} did not answer within ${timeoutMs} ms.`, { cause });
    }
    const reason = (cause as { cause?: NodeJS.ErrnoException }).cause;
    throw new BuiltinError(`${name} cannot be reached at ${url.host}: ${reason?.code ?? reason?.message ?? cause}.`, {
      cause,
    });
  }
}

async function readBody(name: string, answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new BuiltinError(`${name} answered with more than 8 MiB; ask for less.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
