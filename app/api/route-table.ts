// Written by bin/make-route-table.mjs; do not edit.
import * as route0 from "../.well-known/oauth-authorization-server/route";
import * as route1 from "../.well-known/oauth-protected-resource/mcp/route";
import * as route2 from "../.well-known/oauth-protected-resource/route";
import * as route3 from "../connect/claude-code/[file]/route";
import * as route4 from "../mcp/route";
import * as route5 from "./[...unknown]/route";
import * as route6 from "./admin/catalog-sources/[id]/confirm/route";
import * as route7 from "./admin/catalog-sources/[id]/route";
import * as route8 from "./admin/catalog-sources/[id]/sync/route";
import * as route9 from "./admin/catalog-sources/preview/route";
import * as route10 from "./admin/catalog-sources/route";
import * as route11 from "./admin/catalog-sources/token/route";
import * as route12 from "./admin/credentials/[id]/route";
import * as route13 from "./admin/credentials/route";
import * as route14 from "./admin/eligibility/route";
import * as route15 from "./admin/jobs/[name]/run/route";
import * as route16 from "./admin/jobs/route";
import * as route17 from "./admin/model-endpoints/[id]/probe/route";
import * as route18 from "./admin/model-endpoints/[id]/route";
import * as route19 from "./admin/model-endpoints/route";
import * as route20 from "./admin/personas/[id]/route";
import * as route21 from "./admin/personas/route";
import * as route22 from "./admin/reports/[id]/route";
import * as route23 from "./admin/reports/route";
import * as route24 from "./admin/settings/route";
import * as route25 from "./admin/sop-keys/[id]/route";
import * as route26 from "./admin/sop-keys/route";
import * as route27 from "./admin/sops/[id]/route";
import * as route28 from "./admin/sops/route";
import * as route29 from "./admin/users/[id]/invite/route";
import * as route30 from "./admin/users/[id]/route";
import * as route31 from "./admin/users/route";
import * as route32 from "./admin/workers/[id]/inventory/route";
import * as route33 from "./admin/workers/[id]/rescan/route";
import * as route34 from "./admin/workers/[id]/route";
import * as route35 from "./admin/workers/route";
import * as route36 from "./agent/authorize-tool/route";
import * as route37 from "./agent/openapi.json/route";
import * as route38 from "./agent/preamble/route";
import * as route39 from "./agent/sessions/[id]/route";
import * as route40 from "./agent/sessions/facets/route";
import * as route41 from "./agent/sessions/route";
import * as route42 from "./agent/tools/[tool]/route";
import * as route43 from "./agent/tools/route";
import * as route44 from "./agent/view/route";
import * as route45 from "./approvals/route";
import * as route46 from "./audit/[seq]/route";
import * as route47 from "./audit/export/route";
import * as route48 from "./audit/facets/route";
import * as route49 from "./audit/histogram/route";
import * as route50 from "./audit/route";
import * as route51 from "./audit/verify/route";
import * as route52 from "./audit/views/[id]/route";
import * as route53 from "./audit/views/route";
import * as route54 from "./auth/[...nextauth]/route";
import * as route55 from "./auth/sign-out-everywhere/route";
import * as route56 from "./capability-urls/[id]/route";
import * as route57 from "./capability-urls/route";
import * as route58 from "./catalog/[id]/files/route";
import * as route59 from "./catalog/[id]/route";
import * as route60 from "./catalog/install/[progressId]/route";
import * as route61 from "./catalog/install/route";
import * as route62 from "./catalog/packs/route";
import * as route63 from "./catalog/route";
import * as route64 from "./catalog/updates/route";
import * as route65 from "./cli/device/code/route";
import * as route66 from "./cli/device/token/route";
import * as route67 from "./cli/telemetry/install/route";
import * as route68 from "./collections/[slug]/route";
import * as route69 from "./collections/[slug]/skills/[skillId]/route";
import * as route70 from "./collections/[slug]/skills/route";
import * as route71 from "./collections/route";
import * as route72 from "./connect/route";
import * as route73 from "./credentials/route";
import * as route74 from "./device-logins/[userCode]/route";
import * as route75 from "./doors/artifacts/[scope]/[name]/[...path]/route";
import * as route76 from "./doors/clawhub/route";
import * as route77 from "./doors/git/[scope]/[...path]/route";
import * as route78 from "./doors/git-mine/[...path]/route";
import * as route79 from "./doors/marketplace/[scope]/route";
import * as route80 from "./doors/seen/route";
import * as route81 from "./doors/well-known/[scope]/[format]/[...path]/route";
import * as route82 from "./edges/route";
import * as route83 from "./evaluations/[id]/cancel/route";
import * as route84 from "./evaluations/[id]/route";
import * as route85 from "./export/route";
import * as route86 from "./health/route";
import * as route87 from "./integrations/[domain]/setup/route";
import * as route88 from "./integrations/route";
import * as route89 from "./invites/[token]/route";
import * as route90 from "./me/password/route";
import * as route91 from "./me/route";
import * as route92 from "./models/route";
import * as route93 from "./oauth/consent/route";
import * as route94 from "./oauth/register/route";
import * as route95 from "./oauth/token/route";
import * as route96 from "./overlays/[id]/decisions/route";
import * as route97 from "./overlays/[id]/optimized.toml/route";
import * as route98 from "./overlays/[id]/route";
import * as route99 from "./overlays/route";
import * as route100 from "./playground/conversations/[id]/messages/route";
import * as route101 from "./playground/conversations/[id]/route";
import * as route102 from "./playground/conversations/[id]/stop/route";
import * as route103 from "./playground/conversations/route";
import * as route104 from "./publishers/[handle]/route";
import * as route105 from "./publishers/[handle]/verification/route";
import * as route106 from "./publishers/route";
import * as route107 from "./review-keys/route";
import * as route108 from "./reviews/route";
import * as route109 from "./runs/[id]/cancel/route";
import * as route110 from "./runs/[id]/decisions/route";
import * as route111 from "./runs/[id]/events/route";
import * as route112 from "./runs/[id]/route";
import * as route113 from "./runs/[id]/steps/route";
import * as route114 from "./runs/cancel/route";
import * as route115 from "./runs/route";
import * as route116 from "./runs/summary/route";
import * as route117 from "./schedules/[id]/route";
import * as route118 from "./schedules/[id]/run/route";
import * as route119 from "./schedules/preview/route";
import * as route120 from "./schedules/route";
import * as route121 from "./search/route";
import * as route122 from "./sessions/[id]/route";
import * as route123 from "./sessions/route";
import * as route124 from "./setup/route";
import * as route125 from "./skills/[id]/access/route";
import * as route126 from "./skills/[id]/adoption/route";
import * as route127 from "./skills/[id]/deprecate/route";
import * as route128 from "./skills/[id]/evaluations/route";
import * as route129 from "./skills/[id]/export/route";
import * as route130 from "./skills/[id]/instructions/route";
import * as route131 from "./skills/[id]/optimize/route";
import * as route132 from "./skills/[id]/overlays/route";
import * as route133 from "./skills/[id]/publish/route";
import * as route134 from "./skills/[id]/reports/route";
import * as route135 from "./skills/[id]/route";
import * as route136 from "./skills/[id]/runs/route";
import * as route137 from "./skills/[id]/star/route";
import * as route138 from "./skills/[id]/update/route";
import * as route139 from "./skills/[id]/versions/[digest]/advice/route";
import * as route140 from "./skills/[id]/versions/[digest]/approval/route";
import * as route141 from "./skills/[id]/versions/[digest]/changelog/route";
import * as route142 from "./skills/[id]/versions/[digest]/decisions/route";
import * as route143 from "./skills/[id]/versions/[digest]/diff/route";
import * as route144 from "./skills/[id]/versions/[digest]/entries/route";
import * as route145 from "./skills/[id]/versions/[digest]/evals/route";
import * as route146 from "./skills/[id]/versions/[digest]/files/[...path]/route";
import * as route147 from "./skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss/route";
import * as route148 from "./skills/[id]/versions/[digest]/pipeline/route";
import * as route149 from "./skills/[id]/versions/[digest]/route";
import * as route150 from "./skills/[id]/versions/[digest]/submit/route";
import * as route151 from "./skills/[id]/versions/[digest]/tools/route";
import * as route152 from "./skills/[id]/versions/route";
import * as route153 from "./skills/import/route";
import * as route154 from "./skills/route";
import * as route155 from "./sops/route";
import * as route156 from "./tokens/[id]/route";
import * as route157 from "./tokens/route";
import * as route158 from "./traces/[id]/rating/route";
import * as route159 from "./traces/[id]/route";
import * as route160 from "./traces/figures/route";
import * as route161 from "./traces/route";
import * as route162 from "./updates.atom/route";
import * as route163 from "./updates.json/route";
import * as route164 from "./v1/download/route";
import * as route165 from "./v1/resolve/route";
import * as route166 from "./v1/search/route";
import * as route167 from "./v1/skills/-/security-verdicts/route";
import * as route168 from "./v1/skills/-/upload/route";
import * as route169 from "./v1/skills/-/upload-url/route";
import * as route170 from "./v1/skills/[slug]/file/route";
import * as route171 from "./v1/skills/[slug]/install/route";
import * as route172 from "./v1/skills/[slug]/moderation/route";
import * as route173 from "./v1/skills/[slug]/route";
import * as route174 from "./v1/skills/[slug]/verify/route";
import * as route175 from "./v1/skills/[slug]/versions/[version]/route";
import * as route176 from "./v1/skills/[slug]/versions/route";
import * as route177 from "./v1/skills/route";
import * as route178 from "./v1/stars/[slug]/route";
import * as route179 from "./v1/trending/route";
import * as route180 from "./v1/whoami/route";
import * as route181 from "./worker/blobs/[sha256]/route";
import * as route182 from "./worker/exchange/route";
import * as route183 from "./worker/inventory/route";
import * as route184 from "./worker/register/route";

/** Every route module by its path. The module that serves the description itself is left out. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [
  ["/.well-known/oauth-authorization-server", route0],
  ["/.well-known/oauth-protected-resource/mcp", route1],
  ["/.well-known/oauth-protected-resource", route2],
  ["/connect/claude-code/[file]", route3],
  ["/mcp", route4],
  ["/api/[...unknown]", route5],
  ["/api/admin/catalog-sources/[id]/confirm", route6],
  ["/api/admin/catalog-sources/[id]", route7],
  ["/api/admin/catalog-sources/[id]/sync", route8],
  ["/api/admin/catalog-sources/preview", route9],
  ["/api/admin/catalog-sources", route10],
  ["/api/admin/catalog-sources/token", route11],
  ["/api/admin/credentials/[id]", route12],
  ["/api/admin/credentials", route13],
  ["/api/admin/eligibility", route14],
  ["/api/admin/jobs/[name]/run", route15],
  ["/api/admin/jobs", route16],
  ["/api/admin/model-endpoints/[id]/probe", route17],
  ["/api/admin/model-endpoints/[id]", route18],
  ["/api/admin/model-endpoints", route19],
  ["/api/admin/personas/[id]", route20],
  ["/api/admin/personas", route21],
  ["/api/admin/reports/[id]", route22],
  ["/api/admin/reports", route23],
  ["/api/admin/settings", route24],
  ["/api/admin/sop-keys/[id]", route25],
  ["/api/admin/sop-keys", route26],
  ["/api/admin/sops/[id]", route27],
  ["/api/admin/sops", route28],
  ["/api/admin/users/[id]/invite", route29],
  ["/api/admin/users/[id]", route30],
  ["/api/admin/users", route31],
  ["/api/admin/workers/[id]/inventory", route32],
  ["/api/admin/workers/[id]/rescan", route33],
  ["/api/admin/workers/[id]", route34],
  ["/api/admin/workers", route35],
  ["/api/agent/authorize-tool", route36],
  ["/api/agent/openapi.json", route37],
  ["/api/agent/preamble", route38],
  ["/api/agent/sessions/[id]", route39],
  ["/api/agent/sessions/facets", route40],
  ["/api/agent/sessions", route41],
  ["/api/agent/tools/[tool]", route42],
  ["/api/agent/tools", route43],
  ["/api/agent/view", route44],
  ["/api/approvals", route45],
  ["/api/audit/[seq]", route46],
  ["/api/audit/export", route47],
  ["/api/audit/facets", route48],
  ["/api/audit/histogram", route49],
  ["/api/audit", route50],
  ["/api/audit/verify", route51],
  ["/api/audit/views/[id]", route52],
  ["/api/audit/views", route53],
  ["/api/auth/[...nextauth]", route54],
  ["/api/auth/sign-out-everywhere", route55],
  ["/api/capability-urls/[id]", route56],
  ["/api/capability-urls", route57],
  ["/api/catalog/[id]/files", route58],
  ["/api/catalog/[id]", route59],
  ["/api/catalog/install/[progressId]", route60],
  ["/api/catalog/install", route61],
  ["/api/catalog/packs", route62],
  ["/api/catalog", route63],
  ["/api/catalog/updates", route64],
  ["/api/cli/device/code", route65],
  ["/api/cli/device/token", route66],
  ["/api/cli/telemetry/install", route67],
  ["/api/collections/[slug]", route68],
  ["/api/collections/[slug]/skills/[skillId]", route69],
  ["/api/collections/[slug]/skills", route70],
  ["/api/collections", route71],
  ["/api/connect", route72],
  ["/api/credentials", route73],
  ["/api/device-logins/[userCode]", route74],
  ["/api/doors/artifacts/[scope]/[name]/[...path]", route75],
  ["/api/doors/clawhub", route76],
  ["/api/doors/git/[scope]/[...path]", route77],
  ["/api/doors/git-mine/[...path]", route78],
  ["/api/doors/marketplace/[scope]", route79],
  ["/api/doors/seen", route80],
  ["/api/doors/well-known/[scope]/[format]/[...path]", route81],
  ["/api/edges", route82],
  ["/api/evaluations/[id]/cancel", route83],
  ["/api/evaluations/[id]", route84],
  ["/api/export", route85],
  ["/api/health", route86],
  ["/api/integrations/[domain]/setup", route87],
  ["/api/integrations", route88],
  ["/api/invites/[token]", route89],
  ["/api/me/password", route90],
  ["/api/me", route91],
  ["/api/models", route92],
  ["/api/oauth/consent", route93],
  ["/api/oauth/register", route94],
  ["/api/oauth/token", route95],
  ["/api/overlays/[id]/decisions", route96],
  ["/api/overlays/[id]/optimized.toml", route97],
  ["/api/overlays/[id]", route98],
  ["/api/overlays", route99],
  ["/api/playground/conversations/[id]/messages", route100],
  ["/api/playground/conversations/[id]", route101],
  ["/api/playground/conversations/[id]/stop", route102],
  ["/api/playground/conversations", route103],
  ["/api/publishers/[handle]", route104],
  ["/api/publishers/[handle]/verification", route105],
  ["/api/publishers", route106],
  ["/api/review-keys", route107],
  ["/api/reviews", route108],
  ["/api/runs/[id]/cancel", route109],
  ["/api/runs/[id]/decisions", route110],
  ["/api/runs/[id]/events", route111],
  ["/api/runs/[id]", route112],
  ["/api/runs/[id]/steps", route113],
  ["/api/runs/cancel", route114],
  ["/api/runs", route115],
  ["/api/runs/summary", route116],
  ["/api/schedules/[id]", route117],
  ["/api/schedules/[id]/run", route118],
  ["/api/schedules/preview", route119],
  ["/api/schedules", route120],
  ["/api/search", route121],
  ["/api/sessions/[id]", route122],
  ["/api/sessions", route123],
  ["/api/setup", route124],
  ["/api/skills/[id]/access", route125],
  ["/api/skills/[id]/adoption", route126],
  ["/api/skills/[id]/deprecate", route127],
  ["/api/skills/[id]/evaluations", route128],
  ["/api/skills/[id]/export", route129],
  ["/api/skills/[id]/instructions", route130],
  ["/api/skills/[id]/optimize", route131],
  ["/api/skills/[id]/overlays", route132],
  ["/api/skills/[id]/publish", route133],
  ["/api/skills/[id]/reports", route134],
  ["/api/skills/[id]", route135],
  ["/api/skills/[id]/runs", route136],
  ["/api/skills/[id]/star", route137],
  ["/api/skills/[id]/update", route138],
  ["/api/skills/[id]/versions/[digest]/advice", route139],
  ["/api/skills/[id]/versions/[digest]/approval", route140],
  ["/api/skills/[id]/versions/[digest]/changelog", route141],
  ["/api/skills/[id]/versions/[digest]/decisions", route142],
  ["/api/skills/[id]/versions/[digest]/diff", route143],
  ["/api/skills/[id]/versions/[digest]/entries", route144],
  ["/api/skills/[id]/versions/[digest]/evals", route145],
  ["/api/skills/[id]/versions/[digest]/files/[...path]", route146],
  ["/api/skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss", route147],
  ["/api/skills/[id]/versions/[digest]/pipeline", route148],
  ["/api/skills/[id]/versions/[digest]", route149],
  ["/api/skills/[id]/versions/[digest]/submit", route150],
  ["/api/skills/[id]/versions/[digest]/tools", route151],
  ["/api/skills/[id]/versions", route152],
  ["/api/skills/import", route153],
  ["/api/skills", route154],
  ["/api/sops", route155],
  ["/api/tokens/[id]", route156],
  ["/api/tokens", route157],
  ["/api/traces/[id]/rating", route158],
  ["/api/traces/[id]", route159],
  ["/api/traces/figures", route160],
  ["/api/traces", route161],
  ["/api/updates.atom", route162],
  ["/api/updates.json", route163],
  ["/api/v1/download", route164],
  ["/api/v1/resolve", route165],
  ["/api/v1/search", route166],
  ["/api/v1/skills/-/security-verdicts", route167],
  ["/api/v1/skills/-/upload", route168],
  ["/api/v1/skills/-/upload-url", route169],
  ["/api/v1/skills/[slug]/file", route170],
  ["/api/v1/skills/[slug]/install", route171],
  ["/api/v1/skills/[slug]/moderation", route172],
  ["/api/v1/skills/[slug]", route173],
  ["/api/v1/skills/[slug]/verify", route174],
  ["/api/v1/skills/[slug]/versions/[version]", route175],
  ["/api/v1/skills/[slug]/versions", route176],
  ["/api/v1/skills", route177],
  ["/api/v1/stars/[slug]", route178],
  ["/api/v1/trending", route179],
  ["/api/v1/whoami", route180],
  ["/api/worker/blobs/[sha256]", route181],
  ["/api/worker/exchange", route182],
  ["/api/worker/inventory", route183],
  ["/api/worker/register", route184],
];
