// Written by bin/make-route-table.mjs; do not edit.
import * as route0 from "./[...unknown]/route";
import * as route1 from "./admin/catalog-sources/[id]/confirm/route";
import * as route2 from "./admin/catalog-sources/[id]/route";
import * as route3 from "./admin/catalog-sources/[id]/sync/route";
import * as route4 from "./admin/catalog-sources/preview/route";
import * as route5 from "./admin/catalog-sources/route";
import * as route6 from "./admin/catalog-sources/token/route";
import * as route7 from "./admin/credentials/[id]/route";
import * as route8 from "./admin/credentials/route";
import * as route9 from "./admin/eligibility/route";
import * as route10 from "./admin/jobs/[name]/run/route";
import * as route11 from "./admin/jobs/route";
import * as route12 from "./admin/personas/[id]/route";
import * as route13 from "./admin/personas/route";
import * as route14 from "./admin/settings/route";
import * as route15 from "./admin/sop-keys/[id]/route";
import * as route16 from "./admin/sop-keys/route";
import * as route17 from "./admin/sops/[id]/route";
import * as route18 from "./admin/sops/route";
import * as route19 from "./admin/users/[id]/invite/route";
import * as route20 from "./admin/users/[id]/route";
import * as route21 from "./admin/users/route";
import * as route22 from "./admin/workers/[id]/inventory/route";
import * as route23 from "./admin/workers/[id]/rescan/route";
import * as route24 from "./admin/workers/[id]/route";
import * as route25 from "./admin/workers/route";
import * as route26 from "./approvals/route";
import * as route27 from "./audit/facets/route";
import * as route28 from "./audit/route";
import * as route29 from "./auth/[...nextauth]/route";
import * as route30 from "./auth/sign-out-everywhere/route";
import * as route31 from "./catalog/[id]/files/route";
import * as route32 from "./catalog/[id]/route";
import * as route33 from "./catalog/install/[progressId]/route";
import * as route34 from "./catalog/install/route";
import * as route35 from "./catalog/packs/route";
import * as route36 from "./catalog/route";
import * as route37 from "./catalog/updates/route";
import * as route38 from "./credentials/route";
import * as route39 from "./edges/route";
import * as route40 from "./health/route";
import * as route41 from "./integrations/[domain]/setup/route";
import * as route42 from "./integrations/route";
import * as route43 from "./invites/[token]/route";
import * as route44 from "./me/password/route";
import * as route45 from "./me/route";
import * as route46 from "./review-keys/route";
import * as route47 from "./reviews/route";
import * as route48 from "./runs/[id]/cancel/route";
import * as route49 from "./runs/[id]/decisions/route";
import * as route50 from "./runs/[id]/events/route";
import * as route51 from "./runs/[id]/route";
import * as route52 from "./runs/[id]/steps/route";
import * as route53 from "./runs/cancel/route";
import * as route54 from "./runs/route";
import * as route55 from "./runs/summary/route";
import * as route56 from "./schedules/[id]/route";
import * as route57 from "./schedules/[id]/run/route";
import * as route58 from "./schedules/preview/route";
import * as route59 from "./schedules/route";
import * as route60 from "./sessions/[id]/route";
import * as route61 from "./sessions/route";
import * as route62 from "./setup/route";
import * as route63 from "./skills/[id]/access/route";
import * as route64 from "./skills/[id]/adoption/route";
import * as route65 from "./skills/[id]/export/route";
import * as route66 from "./skills/[id]/instructions/route";
import * as route67 from "./skills/[id]/publish/route";
import * as route68 from "./skills/[id]/route";
import * as route69 from "./skills/[id]/runs/route";
import * as route70 from "./skills/[id]/update/route";
import * as route71 from "./skills/[id]/versions/[digest]/advice/route";
import * as route72 from "./skills/[id]/versions/[digest]/approval/route";
import * as route73 from "./skills/[id]/versions/[digest]/decisions/route";
import * as route74 from "./skills/[id]/versions/[digest]/diff/route";
import * as route75 from "./skills/[id]/versions/[digest]/entries/route";
import * as route76 from "./skills/[id]/versions/[digest]/files/[...path]/route";
import * as route77 from "./skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss/route";
import * as route78 from "./skills/[id]/versions/[digest]/pipeline/route";
import * as route79 from "./skills/[id]/versions/[digest]/route";
import * as route80 from "./skills/[id]/versions/[digest]/submit/route";
import * as route81 from "./skills/[id]/versions/[digest]/tools/route";
import * as route82 from "./skills/[id]/versions/route";
import * as route83 from "./skills/import/route";
import * as route84 from "./skills/route";
import * as route85 from "./sops/route";
import * as route86 from "./tokens/[id]/route";
import * as route87 from "./tokens/route";
import * as route88 from "./worker/blobs/[sha256]/route";
import * as route89 from "./worker/exchange/route";
import * as route90 from "./worker/inventory/route";
import * as route91 from "./worker/register/route";

/** Every route module by its path. The module that serves the description itself is left out. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [
  ["/api/[...unknown]", route0],
  ["/api/admin/catalog-sources/[id]/confirm", route1],
  ["/api/admin/catalog-sources/[id]", route2],
  ["/api/admin/catalog-sources/[id]/sync", route3],
  ["/api/admin/catalog-sources/preview", route4],
  ["/api/admin/catalog-sources", route5],
  ["/api/admin/catalog-sources/token", route6],
  ["/api/admin/credentials/[id]", route7],
  ["/api/admin/credentials", route8],
  ["/api/admin/eligibility", route9],
  ["/api/admin/jobs/[name]/run", route10],
  ["/api/admin/jobs", route11],
  ["/api/admin/personas/[id]", route12],
  ["/api/admin/personas", route13],
  ["/api/admin/settings", route14],
  ["/api/admin/sop-keys/[id]", route15],
  ["/api/admin/sop-keys", route16],
  ["/api/admin/sops/[id]", route17],
  ["/api/admin/sops", route18],
  ["/api/admin/users/[id]/invite", route19],
  ["/api/admin/users/[id]", route20],
  ["/api/admin/users", route21],
  ["/api/admin/workers/[id]/inventory", route22],
  ["/api/admin/workers/[id]/rescan", route23],
  ["/api/admin/workers/[id]", route24],
  ["/api/admin/workers", route25],
  ["/api/approvals", route26],
  ["/api/audit/facets", route27],
  ["/api/audit", route28],
  ["/api/auth/[...nextauth]", route29],
  ["/api/auth/sign-out-everywhere", route30],
  ["/api/catalog/[id]/files", route31],
  ["/api/catalog/[id]", route32],
  ["/api/catalog/install/[progressId]", route33],
  ["/api/catalog/install", route34],
  ["/api/catalog/packs", route35],
  ["/api/catalog", route36],
  ["/api/catalog/updates", route37],
  ["/api/credentials", route38],
  ["/api/edges", route39],
  ["/api/health", route40],
  ["/api/integrations/[domain]/setup", route41],
  ["/api/integrations", route42],
  ["/api/invites/[token]", route43],
  ["/api/me/password", route44],
  ["/api/me", route45],
  ["/api/review-keys", route46],
  ["/api/reviews", route47],
  ["/api/runs/[id]/cancel", route48],
  ["/api/runs/[id]/decisions", route49],
  ["/api/runs/[id]/events", route50],
  ["/api/runs/[id]", route51],
  ["/api/runs/[id]/steps", route52],
  ["/api/runs/cancel", route53],
  ["/api/runs", route54],
  ["/api/runs/summary", route55],
  ["/api/schedules/[id]", route56],
  ["/api/schedules/[id]/run", route57],
  ["/api/schedules/preview", route58],
  ["/api/schedules", route59],
  ["/api/sessions/[id]", route60],
  ["/api/sessions", route61],
  ["/api/setup", route62],
  ["/api/skills/[id]/access", route63],
  ["/api/skills/[id]/adoption", route64],
  ["/api/skills/[id]/export", route65],
  ["/api/skills/[id]/instructions", route66],
  ["/api/skills/[id]/publish", route67],
  ["/api/skills/[id]", route68],
  ["/api/skills/[id]/runs", route69],
  ["/api/skills/[id]/update", route70],
  ["/api/skills/[id]/versions/[digest]/advice", route71],
  ["/api/skills/[id]/versions/[digest]/approval", route72],
  ["/api/skills/[id]/versions/[digest]/decisions", route73],
  ["/api/skills/[id]/versions/[digest]/diff", route74],
  ["/api/skills/[id]/versions/[digest]/entries", route75],
  ["/api/skills/[id]/versions/[digest]/files/[...path]", route76],
  ["/api/skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss", route77],
  ["/api/skills/[id]/versions/[digest]/pipeline", route78],
  ["/api/skills/[id]/versions/[digest]", route79],
  ["/api/skills/[id]/versions/[digest]/submit", route80],
  ["/api/skills/[id]/versions/[digest]/tools", route81],
  ["/api/skills/[id]/versions", route82],
  ["/api/skills/import", route83],
  ["/api/skills", route84],
  ["/api/sops", route85],
  ["/api/tokens/[id]", route86],
  ["/api/tokens", route87],
  ["/api/worker/blobs/[sha256]", route88],
  ["/api/worker/exchange", route89],
  ["/api/worker/inventory", route90],
  ["/api/worker/register", route91],
];
