import { z } from "zod";
import { route } from "@/lib/http/route";
import { requestRescan } from "@/lib/runner/workers/inventory";

export const POST = route({
  access: "admin",
  summary: "Make a worker scan its skill folders again",
  params: z.object({ id: z.string() }),
  status: 204,
  handle: ({ ctx, params }) => requestRescan(ctx, params.id),
});
