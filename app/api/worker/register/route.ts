import { route } from "@/lib/http/route";
import { registerWorker } from "@/lib/runner/workers/workers";
import { RegisterRequest, RegisterResponse } from "@/lib/worker/protocol";

export const POST = route({
  access: "worker",
  summary: "Register a worker",
  body: RegisterRequest,
  answer: RegisterResponse,
  handle: ({ ctx, body }) => registerWorker(ctx, body),
});
