import { getEnv } from "@/lib/core/env";
import { describeApi } from "@/lib/http/describe-api";
import { type RouteHandler, route } from "@/lib/http/route";
import { ROUTES } from "../generated/routes";

export const GET: RouteHandler = route({
  access: "public",
  agents: "open",
  summary: "This description",
  handle: async () => {
    const loading = Object.entries(ROUTES).map(async ([path, load]) => [path, await load()] as const);
    return describeApi(await Promise.all(loading), getEnv().publicUrl);
  },
});
