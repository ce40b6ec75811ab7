import { route } from "@/lib/http/route";
import { stoppingSignal } from "@/lib/http/stopping-signal";
import { exchange } from "@/lib/runner/exchange";
import { ExchangeRequest, ExchangeResponse } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "A worker reports and gets leases and cancellations",
  body: ExchangeRequest,
  maxBodyBytes: 64 * 1024 * 1024,
  answer: ExchangeResponse,
  handle: ({ ctx, body, request }) => exchange(ctx, body, AbortSignal.any([request.signal, stoppingSignal()])),
});
