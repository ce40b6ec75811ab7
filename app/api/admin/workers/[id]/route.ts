import { z } from "zod";
import { route } from "@/lib/http/route";
import { revokeWorker } from "@/lib/runner/workers/workers";

export const DELETE = route({
  access: "admin",
  summary: "Take a worker’s token away",
  params: z.object({ id: z.string() }),
  status: 204,
  handle: ({ ctx, params }) => revokeWorker(ctx, params.id),
});
