import type { DirectRoute } from "@/lib/http/direct/match-direct";
import * as run from "./runs/[id]/route";
import * as skillRuns from "./skills/[id]/runs/route";
import * as exchange from "./worker/exchange/route";

/** The routes that the listener serves without the framework: each run costs a few of these requests. */
export const DIRECT_ROUTES: readonly DirectRoute[] = [
  { method: "POST", path: "/api/worker/exchange", handler: exchange.POST },
  { method: "POST", path: "/api/skills/[id]/runs", handler: skillRuns.POST },
  { method: "GET", path: "/api/runs/[id]", besides: ["/api/runs/cancel", "/api/runs/summary"], handler: run.GET },
];
