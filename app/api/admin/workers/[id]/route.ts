import { z } from "zod";
import { route } from "@/lib/http/route";
import { revokeWorker } from "@/lib/runner/workers/workers";

export const DELETE = route({
  access: "admin",
  summary: "Revoke a worker’s token",
  params: z.object({ id: z.string() }),
  status: 204,
  handle: ({ ctx, params }) => revokeWorker(ctx, params.id),
});
