import { route } from "@/lib/http/route";
import { untilShutdown } from "@/lib/http/shutdown";
import { exchange } from "@/lib/runner/leases/exchange";
import { ExchangeRequest, ExchangeResponse } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "Report to the server and get leases and cancellations",
  body: ExchangeRequest,
  maxBodyBytes: 64 * 1024 * 1024,
  answer: ExchangeResponse,
  handle: ({ ctx, body, request }) => untilShutdown(request.signal, (signal) => exchange(ctx, body, signal)),
});
