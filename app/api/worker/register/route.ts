import { route } from "@/lib/http/route";
import { registerWorker } from "@/lib/runner/workers/register-worker";
import { RegisterRequest, RegisterResponse } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "A worker says what it is",
  body: RegisterRequest,
  answer: RegisterResponse,
  handle: ({ ctx, body }) => registerWorker(ctx, body),
});
