import type { DirectRoute } from "@/lib/http/direct/match-direct";
import * as authorizationServer from "../.well-known/oauth-authorization-server/route";
import * as protectedResource from "../.well-known/oauth-protected-resource/route";
import * as mcp from "../mcp/route";
import * as runEvents from "./runs/[id]/events/route";
import * as run from "./runs/[id]/route";
import * as skillRuns from "./skills/[id]/runs/route";
import * as exchange from "./worker/exchange/route";

/** The routes that the listener serves without the framework: each run, or step of an agent, costs a few of these requests. */
export const DIRECT_ROUTES: readonly DirectRoute[] = [
  { method: "POST", path: "/api/worker/exchange", handler: exchange.POST },
  { method: "POST", path: "/api/skills/[id]/runs", handler: skillRuns.POST },
  { method: "GET", path: "/api/runs/[id]", besides: ["/api/runs/cancel", "/api/runs/summary"], handler: run.GET },
  // Many are opened at once, when a page or a server comes back.
  { method: "GET", path: "/api/runs/[id]/events", handler: runEvents.GET },
  { method: "POST", path: "/mcp", handler: mcp.POST },
  { method: "GET", path: "/mcp", handler: mcp.GET },
  { method: "DELETE", path: "/mcp", handler: mcp.DELETE },
  // Whether the framework serves folders that begin with a dot differs between its versions.
  { method: "GET", path: "/.well-known/oauth-authorization-server", handler: authorizationServer.GET },
  { method: "GET", path: "/.well-known/oauth-protected-resource", handler: protectedResource.GET },
  { method: "GET", path: "/.well-known/oauth-protected-resource/mcp", handler: protectedResource.GET },
];
