import { getEnv } from "@/lib/core/env";
import { describeApi } from "@/lib/http/describe-api";
import { type RouteHandler, route } from "@/lib/http/route";
import { ROUTE_TABLE } from "../route-table";

export const GET: RouteHandler = route({
  access: "public",
  agents: "open",
  summary: "This description",
  handle: async () => describeApi([...ROUTE_TABLE, ["/api/openapi.json", { GET }]], getEnv().publicUrl),
});
