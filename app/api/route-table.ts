// Written by bin/make-route-table.mjs; do not edit.
import * as route0 from "./admin/settings/route";
import * as route1 from "./admin/workers/[id]/route";
import * as route2 from "./admin/workers/route";
import * as route3 from "./audit/facets/route";
import * as route4 from "./audit/route";
import * as route5 from "./health/route";
import * as route6 from "./reviews/route";
import * as route7 from "./runs/[id]/cancel/route";
import * as route8 from "./runs/[id]/events/route";
import * as route9 from "./runs/[id]/route";
import * as route10 from "./runs/route";
import * as route11 from "./skills/[id]/export/route";
import * as route12 from "./skills/[id]/instructions/route";
import * as route13 from "./skills/[id]/route";
import * as route14 from "./skills/[id]/runs/route";
import * as route15 from "./skills/[id]/versions/[digest]/decisions/route";
import * as route16 from "./skills/[id]/versions/[digest]/diff/route";
import * as route17 from "./skills/[id]/versions/[digest]/files/[...path]/route";
import * as route18 from "./skills/[id]/versions/[digest]/route";
import * as route19 from "./skills/[id]/versions/[digest]/submit/route";
import * as route20 from "./skills/[id]/versions/route";
import * as route21 from "./skills/import/route";
import * as route22 from "./skills/route";
import * as route23 from "./worker/blobs/[sha256]/route";
import * as route24 from "./worker/exchange/route";
import * as route25 from "./worker/register/route";

/** Every route module by its path. The module that serves the description itself is left out. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [
  ["/api/admin/settings", route0],
  ["/api/admin/workers/[id]", route1],
  ["/api/admin/workers", route2],
  ["/api/audit/facets", route3],
  ["/api/audit", route4],
  ["/api/health", route5],
  ["/api/reviews", route6],
  ["/api/runs/[id]/cancel", route7],
  ["/api/runs/[id]/events", route8],
  ["/api/runs/[id]", route9],
  ["/api/runs", route10],
  ["/api/skills/[id]/export", route11],
  ["/api/skills/[id]/instructions", route12],
  ["/api/skills/[id]", route13],
  ["/api/skills/[id]/runs", route14],
  ["/api/skills/[id]/versions/[digest]/decisions", route15],
  ["/api/skills/[id]/versions/[digest]/diff", route16],
  ["/api/skills/[id]/versions/[digest]/files/[...path]", route17],
  ["/api/skills/[id]/versions/[digest]", route18],
  ["/api/skills/[id]/versions/[digest]/submit", route19],
  ["/api/skills/[id]/versions", route20],
  ["/api/skills/import", route21],
  ["/api/skills", route22],
  ["/api/worker/blobs/[sha256]", route23],
  ["/api/worker/exchange", route24],
  ["/api/worker/register", route25],
];
