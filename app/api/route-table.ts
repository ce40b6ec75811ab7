// Written by bin/make-route-table.mjs; do not edit.
import * as route0 from "./admin/personas/[id]/route";
import * as route1 from "./admin/personas/route";
import * as route2 from "./admin/settings/route";
import * as route3 from "./admin/users/[id]/invite/route";
import * as route4 from "./admin/users/[id]/route";
import * as route5 from "./admin/users/route";
import * as route6 from "./admin/workers/[id]/route";
import * as route7 from "./admin/workers/route";
import * as route8 from "./audit/facets/route";
import * as route9 from "./audit/route";
import * as route10 from "./auth/[...nextauth]/route";
import * as route11 from "./auth/sign-out-everywhere/route";
import * as route12 from "./health/route";
import * as route13 from "./invites/[token]/route";
import * as route14 from "./me/route";
import * as route15 from "./reviews/route";
import * as route16 from "./runs/[id]/cancel/route";
import * as route17 from "./runs/[id]/events/route";
import * as route18 from "./runs/[id]/route";
import * as route19 from "./runs/route";
import * as route20 from "./sessions/[id]/route";
import * as route21 from "./sessions/route";
import * as route22 from "./setup/route";
import * as route23 from "./skills/[id]/export/route";
import * as route24 from "./skills/[id]/instructions/route";
import * as route25 from "./skills/[id]/route";
import * as route26 from "./skills/[id]/runs/route";
import * as route27 from "./skills/[id]/versions/[digest]/decisions/route";
import * as route28 from "./skills/[id]/versions/[digest]/diff/route";
import * as route29 from "./skills/[id]/versions/[digest]/files/[...path]/route";
import * as route30 from "./skills/[id]/versions/[digest]/route";
import * as route31 from "./skills/[id]/versions/[digest]/submit/route";
import * as route32 from "./skills/[id]/versions/route";
import * as route33 from "./skills/import/route";
import * as route34 from "./skills/route";
import * as route35 from "./tokens/[id]/route";
import * as route36 from "./tokens/route";
import * as route37 from "./worker/blobs/[sha256]/route";
import * as route38 from "./worker/exchange/route";
import * as route39 from "./worker/register/route";

/** Every route module by its path. The module that serves the description itself is left out. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [
  ["/api/admin/personas/[id]", route0],
  ["/api/admin/personas", route1],
  ["/api/admin/settings", route2],
  ["/api/admin/users/[id]/invite", route3],
  ["/api/admin/users/[id]", route4],
  ["/api/admin/users", route5],
  ["/api/admin/workers/[id]", route6],
  ["/api/admin/workers", route7],
  ["/api/audit/facets", route8],
  ["/api/audit", route9],
  ["/api/auth/[...nextauth]", route10],
  ["/api/auth/sign-out-everywhere", route11],
  ["/api/health", route12],
  ["/api/invites/[token]", route13],
  ["/api/me", route14],
  ["/api/reviews", route15],
  ["/api/runs/[id]/cancel", route16],
  ["/api/runs/[id]/events", route17],
  ["/api/runs/[id]", route18],
  ["/api/runs", route19],
  ["/api/sessions/[id]", route20],
  ["/api/sessions", route21],
  ["/api/setup", route22],
  ["/api/skills/[id]/export", route23],
  ["/api/skills/[id]/instructions", route24],
  ["/api/skills/[id]", route25],
  ["/api/skills/[id]/runs", route26],
  ["/api/skills/[id]/versions/[digest]/decisions", route27],
  ["/api/skills/[id]/versions/[digest]/diff", route28],
  ["/api/skills/[id]/versions/[digest]/files/[...path]", route29],
  ["/api/skills/[id]/versions/[digest]", route30],
  ["/api/skills/[id]/versions/[digest]/submit", route31],
  ["/api/skills/[id]/versions", route32],
  ["/api/skills/import", route33],
  ["/api/skills", route34],
  ["/api/tokens/[id]", route35],
  ["/api/tokens", route36],
  ["/api/worker/blobs/[sha256]", route37],
  ["/api/worker/exchange", route38],
  ["/api/worker/register", route39],
];
