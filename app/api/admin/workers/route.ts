import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";
import { CreatedWorker, CreateWorkerInput, WorkerPage } from "@/lib/runner/schema";
import { createWorker, listWorkers } from "@/lib/runner/workers/workers";

export const GET = route({
  access: "admin",
  summary: "List workers with their online state",
  answer: WorkerPage,
  answersFrom: "rows",
  handle: ({ ctx }) => listWorkers(ctx),
});

export const POST = route({
  access: "admin",
  summary: "Add a worker; its token is shown once",
  body: CreateWorkerInput,
  answer: CreatedWorker,
  status: 201,
  handle: async ({ ctx, body }) => ({ ...(await createWorker(ctx, body)), url: getEnv().publicUrl }),
});
