// Written by bin/make-route-table.mjs; do not edit.
import * as route0 from "./[...unknown]/route";
import * as route1 from "./admin/catalog-sources/[id]/confirm/route";
import * as route2 from "./admin/catalog-sources/[id]/route";
import * as route3 from "./admin/catalog-sources/[id]/sync/route";
import * as route4 from "./admin/catalog-sources/preview/route";
import * as route5 from "./admin/catalog-sources/route";
import * as route6 from "./admin/catalog-sources/token/route";
import * as route7 from "./admin/eligibility/route";
import * as route8 from "./admin/jobs/[name]/run/route";
import * as route9 from "./admin/jobs/route";
import * as route10 from "./admin/personas/[id]/route";
import * as route11 from "./admin/personas/route";
import * as route12 from "./admin/settings/route";
import * as route13 from "./admin/sop-keys/[id]/route";
import * as route14 from "./admin/sop-keys/route";
import * as route15 from "./admin/sops/[id]/route";
import * as route16 from "./admin/sops/route";
import * as route17 from "./admin/users/[id]/invite/route";
import * as route18 from "./admin/users/[id]/route";
import * as route19 from "./admin/users/route";
import * as route20 from "./admin/workers/[id]/route";
import * as route21 from "./admin/workers/route";
import * as route22 from "./approvals/route";
import * as route23 from "./audit/facets/route";
import * as route24 from "./audit/route";
import * as route25 from "./auth/[...nextauth]/route";
import * as route26 from "./auth/sign-out-everywhere/route";
import * as route27 from "./catalog/[id]/files/route";
import * as route28 from "./catalog/[id]/route";
import * as route29 from "./catalog/install/[progressId]/route";
import * as route30 from "./catalog/install/route";
import * as route31 from "./catalog/packs/route";
import * as route32 from "./catalog/route";
import * as route33 from "./catalog/updates/route";
import * as route34 from "./health/route";
import * as route35 from "./integrations/[domain]/setup/route";
import * as route36 from "./integrations/route";
import * as route37 from "./invites/[token]/route";
import * as route38 from "./me/password/route";
import * as route39 from "./me/route";
import * as route40 from "./review-keys/route";
import * as route41 from "./reviews/route";
import * as route42 from "./runs/[id]/cancel/route";
import * as route43 from "./runs/[id]/decisions/route";
import * as route44 from "./runs/[id]/events/route";
import * as route45 from "./runs/[id]/route";
import * as route46 from "./runs/route";
import * as route47 from "./sessions/[id]/route";
import * as route48 from "./sessions/route";
import * as route49 from "./setup/route";
import * as route50 from "./skills/[id]/access/route";
import * as route51 from "./skills/[id]/adoption/route";
import * as route52 from "./skills/[id]/export/route";
import * as route53 from "./skills/[id]/instructions/route";
import * as route54 from "./skills/[id]/publish/route";
import * as route55 from "./skills/[id]/route";
import * as route56 from "./skills/[id]/runs/route";
import * as route57 from "./skills/[id]/update/route";
import * as route58 from "./skills/[id]/versions/[digest]/advice/route";
import * as route59 from "./skills/[id]/versions/[digest]/approval/route";
import * as route60 from "./skills/[id]/versions/[digest]/decisions/route";
import * as route61 from "./skills/[id]/versions/[digest]/diff/route";
import * as route62 from "./skills/[id]/versions/[digest]/files/[...path]/route";
import * as route63 from "./skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss/route";
import * as route64 from "./skills/[id]/versions/[digest]/route";
import * as route65 from "./skills/[id]/versions/[digest]/submit/route";
import * as route66 from "./skills/[id]/versions/route";
import * as route67 from "./skills/import/route";
import * as route68 from "./skills/route";
import * as route69 from "./sops/route";
import * as route70 from "./tokens/[id]/route";
import * as route71 from "./tokens/route";
import * as route72 from "./worker/blobs/[sha256]/route";
import * as route73 from "./worker/exchange/route";
import * as route74 from "./worker/register/route";

/** Every route module by its path. The module that serves the description itself is left out. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [
  ["/api/[...unknown]", route0],
  ["/api/admin/catalog-sources/[id]/confirm", route1],
  ["/api/admin/catalog-sources/[id]", route2],
  ["/api/admin/catalog-sources/[id]/sync", route3],
  ["/api/admin/catalog-sources/preview", route4],
  ["/api/admin/catalog-sources", route5],
  ["/api/admin/catalog-sources/token", route6],
  ["/api/admin/eligibility", route7],
  ["/api/admin/jobs/[name]/run", route8],
  ["/api/admin/jobs", route9],
  ["/api/admin/personas/[id]", route10],
  ["/api/admin/personas", route11],
  ["/api/admin/settings", route12],
  ["/api/admin/sop-keys/[id]", route13],
  ["/api/admin/sop-keys", route14],
  ["/api/admin/sops/[id]", route15],
  ["/api/admin/sops", route16],
  ["/api/admin/users/[id]/invite", route17],
  ["/api/admin/users/[id]", route18],
  ["/api/admin/users", route19],
  ["/api/admin/workers/[id]", route20],
  ["/api/admin/workers", route21],
  ["/api/approvals", route22],
  ["/api/audit/facets", route23],
  ["/api/audit", route24],
  ["/api/auth/[...nextauth]", route25],
  ["/api/auth/sign-out-everywhere", route26],
  ["/api/catalog/[id]/files", route27],
  ["/api/catalog/[id]", route28],
  ["/api/catalog/install/[progressId]", route29],
  ["/api/catalog/install", route30],
  ["/api/catalog/packs", route31],
  ["/api/catalog", route32],
  ["/api/catalog/updates", route33],
  ["/api/health", route34],
  ["/api/integrations/[domain]/setup", route35],
  ["/api/integrations", route36],
  ["/api/invites/[token]", route37],
  ["/api/me/password", route38],
  ["/api/me", route39],
  ["/api/review-keys", route40],
  ["/api/reviews", route41],
  ["/api/runs/[id]/cancel", route42],
  ["/api/runs/[id]/decisions", route43],
  ["/api/runs/[id]/events", route44],
  ["/api/runs/[id]", route45],
  ["/api/runs", route46],
  ["/api/sessions/[id]", route47],
  ["/api/sessions", route48],
  ["/api/setup", route49],
  ["/api/skills/[id]/access", route50],
  ["/api/skills/[id]/adoption", route51],
  ["/api/skills/[id]/export", route52],
  ["/api/skills/[id]/instructions", route53],
  ["/api/skills/[id]/publish", route54],
  ["/api/skills/[id]", route55],
  ["/api/skills/[id]/runs", route56],
  ["/api/skills/[id]/update", route57],
  ["/api/skills/[id]/versions/[digest]/advice", route58],
  ["/api/skills/[id]/versions/[digest]/approval", route59],
  ["/api/skills/[id]/versions/[digest]/decisions", route60],
  ["/api/skills/[id]/versions/[digest]/diff", route61],
  ["/api/skills/[id]/versions/[digest]/files/[...path]", route62],
  ["/api/skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss", route63],
  ["/api/skills/[id]/versions/[digest]", route64],
  ["/api/skills/[id]/versions/[digest]/submit", route65],
  ["/api/skills/[id]/versions", route66],
  ["/api/skills/import", route67],
  ["/api/skills", route68],
  ["/api/sops", route69],
  ["/api/tokens/[id]", route70],
  ["/api/tokens", route71],
  ["/api/worker/blobs/[sha256]", route72],
  ["/api/worker/exchange", route73],
  ["/api/worker/register", route74],
];
