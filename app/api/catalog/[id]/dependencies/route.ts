import { z } from "zod";
import { getDependencies } from "@/lib/catalog/install/plan-dependencies";
import { DependencyTree, InstallInput } from "@/lib/catalog/install/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "The skills that an entry of the catalog needs, before it is installed",
  params: z.object({ id: z.string() }),
  query: z.object({ owner: InstallInput.shape.owner }),
  answer: DependencyTree,
  handle: ({ ctx, params, query }) => getDependencies(ctx, { ...params, ...query }),
});
