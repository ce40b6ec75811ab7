// Written by bin/make-route-table.mjs; do not edit.
import * as route0 from "./[...unknown]/route";
import * as route1 from "./admin/personas/[id]/route";
import * as route2 from "./admin/personas/route";
import * as route3 from "./admin/settings/route";
import * as route4 from "./admin/users/[id]/invite/route";
import * as route5 from "./admin/users/[id]/route";
import * as route6 from "./admin/users/route";
import * as route7 from "./admin/workers/[id]/route";
import * as route8 from "./admin/workers/route";
import * as route9 from "./audit/facets/route";
import * as route10 from "./audit/route";
import * as route11 from "./auth/[...nextauth]/route";
import * as route12 from "./auth/sign-out-everywhere/route";
import * as route13 from "./health/route";
import * as route14 from "./invites/[token]/route";
import * as route15 from "./me/password/route";
import * as route16 from "./me/route";
import * as route17 from "./reviews/route";
import * as route18 from "./runs/[id]/cancel/route";
import * as route19 from "./runs/[id]/events/route";
import * as route20 from "./runs/[id]/route";
import * as route21 from "./runs/route";
import * as route22 from "./sessions/[id]/route";
import * as route23 from "./sessions/route";
import * as route24 from "./setup/route";
import * as route25 from "./skills/[id]/export/route";
import * as route26 from "./skills/[id]/instructions/route";
import * as route27 from "./skills/[id]/route";
import * as route28 from "./skills/[id]/runs/route";
import * as route29 from "./skills/[id]/versions/[digest]/advice/route";
import * as route30 from "./skills/[id]/versions/[digest]/decisions/route";
import * as route31 from "./skills/[id]/versions/[digest]/diff/route";
import * as route32 from "./skills/[id]/versions/[digest]/files/[...path]/route";
import * as route33 from "./skills/[id]/versions/[digest]/route";
import * as route34 from "./skills/[id]/versions/[digest]/submit/route";
import * as route35 from "./skills/[id]/versions/route";
import * as route36 from "./skills/import/route";
import * as route37 from "./skills/route";
import * as route38 from "./tokens/[id]/route";
import * as route39 from "./tokens/route";
import * as route40 from "./worker/blobs/[sha256]/route";
import * as route41 from "./worker/exchange/route";
import * as route42 from "./worker/register/route";

/** Every route module by its path. The module that serves the description itself is left out. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [
  ["/api/[...unknown]", route0],
  ["/api/admin/personas/[id]", route1],
  ["/api/admin/personas", route2],
  ["/api/admin/settings", route3],
  ["/api/admin/users/[id]/invite", route4],
  ["/api/admin/users/[id]", route5],
  ["/api/admin/users", route6],
  ["/api/admin/workers/[id]", route7],
  ["/api/admin/workers", route8],
  ["/api/audit/facets", route9],
  ["/api/audit", route10],
  ["/api/auth/[...nextauth]", route11],
  ["/api/auth/sign-out-everywhere", route12],
  ["/api/health", route13],
  ["/api/invites/[token]", route14],
  ["/api/me/password", route15],
  ["/api/me", route16],
  ["/api/reviews", route17],
  ["/api/runs/[id]/cancel", route18],
  ["/api/runs/[id]/events", route19],
  ["/api/runs/[id]", route20],
  ["/api/runs", route21],
  ["/api/sessions/[id]", route22],
  ["/api/sessions", route23],
  ["/api/setup", route24],
  ["/api/skills/[id]/export", route25],
  ["/api/skills/[id]/instructions", route26],
  ["/api/skills/[id]", route27],
  ["/api/skills/[id]/runs", route28],
  ["/api/skills/[id]/versions/[digest]/advice", route29],
  ["/api/skills/[id]/versions/[digest]/decisions", route30],
  ["/api/skills/[id]/versions/[digest]/diff", route31],
  ["/api/skills/[id]/versions/[digest]/files/[...path]", route32],
  ["/api/skills/[id]/versions/[digest]", route33],
  ["/api/skills/[id]/versions/[digest]/submit", route34],
  ["/api/skills/[id]/versions", route35],
  ["/api/skills/import", route36],
  ["/api/skills", route37],
  ["/api/tokens/[id]", route38],
  ["/api/tokens", route39],
  ["/api/worker/blobs/[sha256]", route40],
  ["/api/worker/exchange", route41],
  ["/api/worker/register", route42],
];
