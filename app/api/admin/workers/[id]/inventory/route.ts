import { z } from "zod";
import { route } from "@/lib/http/route";
import { getInventory } from "@/lib/runner/workers/inventory";
import { Inventory } from "@/lib/runner/workers/schema";

export const GET = route({
  access: "admin",
  summary: "Skills on a worker, and those it could not use",
  params: z.object({ id: z.string() }),
  answer: Inventory,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getInventory(ctx, params.id),
});
