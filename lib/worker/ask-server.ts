import { randomUUID } from "node:crypto";
import type { Worker } from "./create-worker";
import type { ExchangeRequest, ExchangeResponse } from "./protocol";

const MAX_UNANSWERED = 100;

/**
 * One exchange. When its answer never comes, the next one says so: leases that stood in it can then go back to the queue,
 * since this worker starts only what it was told. Throws ServerError.
 */
export async function askServer(
  { server, unanswered }: Pick<Worker, "server" | "unanswered">,
  request: ExchangeRequest,
  signal?: AbortSignal,
): Promise<ExchangeResponse> {
  const ask = randomUUID();
  const told = [...unanswered].slice(0, MAX_UNANSWERED);
  try {
    const answer = await server.exchange(
      { ...request, ask, acknowledges: true, ...(told.length > 0 ? { unanswered: told } : {}) },
      signal,
    );
    for (const one of told) unanswered.delete(one);
    return answer;
  } catch (error) {
    // Only a request that asked for leases can have been given any.
    if (request.slots > 0) unanswered.add(ask);
    throw error;
  }
}
