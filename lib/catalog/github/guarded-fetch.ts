import { outgoingFetch } from "@/lib/core/outgoing/server-features";

type Limits = {
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
};

/** Status that this client sets for an answer over the size limit. */
export const TOO_LARGE_STATUS = 413;
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

const fetchForCatalog = outgoingFetch("catalog");

/**
 * `fetch` that follows no redirects and limits time and size. It resolves after the whole body was read, so that a cut or
 * slow connection fails here. An answer over the limit becomes a 413.
 */
export function guardedFetch(limits: Limits): typeof fetch {
  return async (input, init) => {
    const signals = [AbortSignal.timeout(limits.timeoutMs), limits.signal, init?.signal].filter(
      (signal) => signal != null,
    );
    const response = await fetchForCatalog(input, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
    if (WITHOUT_BODY.has(response.status)) return response;
    const bytes = await readUpTo(response, limits.maxBytes);
    if (bytes !== null) return new Response(bytes, { status: response.status, headers: response.headers });
    const message = `The answer is larger than ${limits.maxBytes} bytes.`;
    return Response.json({ message }, { status: TOO_LARGE_STATUS });
  };
}

/**
 * `fetch` of a large answer, without redirects and without a limit for its whole time: its body is read while it arrives, and breaks
 * with a `TimeoutError` when nothing arrives for `idleMs`. The body must be read or cancelled.
 */
export async function openDownload(url: string, limits: { idleMs: number; signal?: AbortSignal | undefined }) {
  const stop = new AbortController();
  const signals = [stop.signal, limits.signal].filter((signal) => signal !== undefined);
  const timer = setTimeout(
    () => stop.abort(new DOMException("nothing arrived in time", "TimeoutError")),
    limits.idleMs,
  );
  const end = () => clearTimeout(timer);
  const response = await fetchForCatalog(url, {
    redirect: "manual",
    // A server that packs the archive once more would make its length and limits unclear.
    headers: { "accept-encoding": "identity" },
    signal: AbortSignal.any(signals),
  }).catch((error: unknown) => {
    end();
    throw error;
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        yield chunk;
      }
    } finally {
      end();
    }
  }
  return { status: response.status, headers: response.headers, chunks };
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBytes) return null;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
