// Written by bin/make-route-table.mjs; do not edit.
import * as route0 from "../.well-known/oauth-authorization-server/route";
import * as route1 from "../.well-known/oauth-protected-resource/mcp/route";
import * as route2 from "../.well-known/oauth-protected-resource/route";
import * as route3 from "../connect/claude-code/[file]/route";
import * as route4 from "../mcp/route";
import * as route5 from "../metrics/route";
import * as route6 from "./[...unknown]/route";
import * as route7 from "./admin/backups/route";
import * as route8 from "./admin/catalog-sources/[id]/confirm/route";
import * as route9 from "./admin/catalog-sources/[id]/route";
import * as route10 from "./admin/catalog-sources/[id]/sync/route";
import * as route11 from "./admin/catalog-sources/preview/route";
import * as route12 from "./admin/catalog-sources/route";
import * as route13 from "./admin/catalog-sources/token/route";
import * as route14 from "./admin/credentials/[id]/route";
import * as route15 from "./admin/credentials/route";
import * as route16 from "./admin/eligibility/route";
import * as route17 from "./admin/jobs/[name]/run/route";
import * as route18 from "./admin/jobs/route";
import * as route19 from "./admin/model-endpoints/[id]/probe/route";
import * as route20 from "./admin/model-endpoints/[id]/route";
import * as route21 from "./admin/model-endpoints/route";
import * as route22 from "./admin/personas/[id]/route";
import * as route23 from "./admin/personas/route";
import * as route24 from "./admin/reports/[id]/route";
import * as route25 from "./admin/reports/route";
import * as route26 from "./admin/settings/route";
import * as route27 from "./admin/sop-keys/[id]/route";
import * as route28 from "./admin/sop-keys/route";
import * as route29 from "./admin/sops/[id]/route";
import * as route30 from "./admin/sops/route";
import * as route31 from "./admin/system/route";
import * as route32 from "./admin/users/[id]/invite/route";
import * as route33 from "./admin/users/[id]/quotas/route";
import * as route34 from "./admin/users/[id]/route";
import * as route35 from "./admin/users/route";
import * as route36 from "./admin/workers/[id]/inventory/route";
import * as route37 from "./admin/workers/[id]/rescan/route";
import * as route38 from "./admin/workers/[id]/route";
import * as route39 from "./admin/workers/route";
import * as route40 from "./agent/authorize-tool/route";
import * as route41 from "./agent/openapi.json/route";
import * as route42 from "./agent/preamble/route";
import * as route43 from "./agent/sessions/[id]/route";
import * as route44 from "./agent/sessions/facets/route";
import * as route45 from "./agent/sessions/route";
import * as route46 from "./agent/tools/[tool]/route";
import * as route47 from "./agent/tools/route";
import * as route48 from "./agent/view/route";
import * as route49 from "./approvals/route";
import * as route50 from "./audit/[seq]/route";
import * as route51 from "./audit/export/route";
import * as route52 from "./audit/facets/route";
import * as route53 from "./audit/histogram/route";
import * as route54 from "./audit/route";
import * as route55 from "./audit/verify/route";
import * as route56 from "./audit/views/[id]/route";
import * as route57 from "./audit/views/route";
import * as route58 from "./auth/[...nextauth]/route";
import * as route59 from "./auth/sign-out-everywhere/route";
import * as route60 from "./capability-urls/[id]/route";
import * as route61 from "./capability-urls/route";
import * as route62 from "./catalog/[id]/files/route";
import * as route63 from "./catalog/[id]/route";
import * as route64 from "./catalog/install/[progressId]/route";
import * as route65 from "./catalog/install/route";
import * as route66 from "./catalog/packs/route";
import * as route67 from "./catalog/route";
import * as route68 from "./catalog/updates/route";
import * as route69 from "./cli/device/code/route";
import * as route70 from "./cli/device/token/route";
import * as route71 from "./cli/telemetry/install/route";
import * as route72 from "./collections/[slug]/route";
import * as route73 from "./collections/[slug]/skills/[skillId]/route";
import * as route74 from "./collections/[slug]/skills/route";
import * as route75 from "./collections/route";
import * as route76 from "./connect/route";
import * as route77 from "./credentials/route";
import * as route78 from "./device-logins/[userCode]/route";
import * as route79 from "./doors/artifacts/[scope]/[name]/[...path]/route";
import * as route80 from "./doors/clawhub/route";
import * as route81 from "./doors/git/[scope]/[...path]/route";
import * as route82 from "./doors/git-mine/[...path]/route";
import * as route83 from "./doors/marketplace/[scope]/route";
import * as route84 from "./doors/seen/route";
import * as route85 from "./doors/well-known/[scope]/[format]/[...path]/route";
import * as route86 from "./edges/route";
import * as route87 from "./evaluations/[id]/cancel/route";
import * as route88 from "./evaluations/[id]/route";
import * as route89 from "./export/route";
import * as route90 from "./health/route";
import * as route91 from "./integrations/[domain]/setup/route";
import * as route92 from "./integrations/route";
import * as route93 from "./invites/[token]/route";
import * as route94 from "./me/password/route";
import * as route95 from "./me/quotas/route";
import * as route96 from "./me/route";
import * as route97 from "./me/sign-ins/[id]/route";
import * as route98 from "./me/sign-ins/route";
import * as route99 from "./models/route";
import * as route100 from "./oauth/consent/route";
import * as route101 from "./oauth/register/route";
import * as route102 from "./oauth/token/route";
import * as route103 from "./overlays/[id]/decisions/route";
import * as route104 from "./overlays/[id]/optimized.toml/route";
import * as route105 from "./overlays/[id]/route";
import * as route106 from "./overlays/route";
import * as route107 from "./playground/conversations/[id]/messages/route";
import * as route108 from "./playground/conversations/[id]/route";
import * as route109 from "./playground/conversations/[id]/stop/route";
import * as route110 from "./playground/conversations/route";
import * as route111 from "./publishers/[handle]/route";
import * as route112 from "./publishers/[handle]/verification/route";
import * as route113 from "./publishers/route";
import * as route114 from "./ready/route";
import * as route115 from "./review-keys/route";
import * as route116 from "./reviews/route";
import * as route117 from "./runs/[id]/cancel/route";
import * as route118 from "./runs/[id]/decisions/route";
import * as route119 from "./runs/[id]/events/route";
import * as route120 from "./runs/[id]/route";
import * as route121 from "./runs/[id]/steps/route";
import * as route122 from "./runs/cancel/route";
import * as route123 from "./runs/route";
import * as route124 from "./runs/summary/route";
import * as route125 from "./schedules/[id]/route";
import * as route126 from "./schedules/[id]/run/route";
import * as route127 from "./schedules/preview/route";
import * as route128 from "./schedules/route";
import * as route129 from "./search/route";
import * as route130 from "./sessions/[id]/route";
import * as route131 from "./sessions/route";
import * as route132 from "./setup/route";
import * as route133 from "./skills/[id]/access/route";
import * as route134 from "./skills/[id]/adoption/route";
import * as route135 from "./skills/[id]/deprecate/route";
import * as route136 from "./skills/[id]/evaluations/route";
import * as route137 from "./skills/[id]/export/route";
import * as route138 from "./skills/[id]/instructions/route";
import * as route139 from "./skills/[id]/optimize/route";
import * as route140 from "./skills/[id]/overlays/route";
import * as route141 from "./skills/[id]/publish/route";
import * as route142 from "./skills/[id]/reports/route";
import * as route143 from "./skills/[id]/route";
import * as route144 from "./skills/[id]/runs/route";
import * as route145 from "./skills/[id]/star/route";
import * as route146 from "./skills/[id]/update/route";
import * as route147 from "./skills/[id]/versions/[digest]/activate/route";
import * as route148 from "./skills/[id]/versions/[digest]/advice/route";
import * as route149 from "./skills/[id]/versions/[digest]/approval/route";
import * as route150 from "./skills/[id]/versions/[digest]/changelog/route";
import * as route151 from "./skills/[id]/versions/[digest]/decisions/route";
import * as route152 from "./skills/[id]/versions/[digest]/diff/route";
import * as route153 from "./skills/[id]/versions/[digest]/entries/route";
import * as route154 from "./skills/[id]/versions/[digest]/evals/route";
import * as route155 from "./skills/[id]/versions/[digest]/files/[...path]/route";
import * as route156 from "./skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss/route";
import * as route157 from "./skills/[id]/versions/[digest]/pipeline/route";
import * as route158 from "./skills/[id]/versions/[digest]/route";
import * as route159 from "./skills/[id]/versions/[digest]/submit/route";
import * as route160 from "./skills/[id]/versions/[digest]/tools/route";
import * as route161 from "./skills/[id]/versions/route";
import * as route162 from "./skills/import/route";
import * as route163 from "./skills/route";
import * as route164 from "./sops/route";
import * as route165 from "./tokens/[id]/route";
import * as route166 from "./tokens/route";
import * as route167 from "./traces/[id]/rating/route";
import * as route168 from "./traces/[id]/route";
import * as route169 from "./traces/figures/route";
import * as route170 from "./traces/route";
import * as route171 from "./updates.atom/route";
import * as route172 from "./updates.json/route";
import * as route173 from "./v1/download/route";
import * as route174 from "./v1/resolve/route";
import * as route175 from "./v1/search/route";
import * as route176 from "./v1/skills/-/security-verdicts/route";
import * as route177 from "./v1/skills/-/upload/route";
import * as route178 from "./v1/skills/-/upload-url/route";
import * as route179 from "./v1/skills/[slug]/file/route";
import * as route180 from "./v1/skills/[slug]/install/route";
import * as route181 from "./v1/skills/[slug]/moderation/route";
import * as route182 from "./v1/skills/[slug]/route";
import * as route183 from "./v1/skills/[slug]/verify/route";
import * as route184 from "./v1/skills/[slug]/versions/[version]/route";
import * as route185 from "./v1/skills/[slug]/versions/route";
import * as route186 from "./v1/skills/route";
import * as route187 from "./v1/stars/[slug]/route";
import * as route188 from "./v1/trending/route";
import * as route189 from "./v1/whoami/route";
import * as route190 from "./worker/blobs/[sha256]/route";
import * as route191 from "./worker/exchange/route";
import * as route192 from "./worker/inventory/route";
import * as route193 from "./worker/register/route";
import * as route194 from "./worker-allowances/route";

/** Every route module by its path. The module that serves the description itself is left out. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = [
  ["/.well-known/oauth-authorization-server", route0],
  ["/.well-known/oauth-protected-resource/mcp", route1],
  ["/.well-known/oauth-protected-resource", route2],
  ["/connect/claude-code/[file]", route3],
  ["/mcp", route4],
  ["/metrics", route5],
  ["/api/[...unknown]", route6],
  ["/api/admin/backups", route7],
  ["/api/admin/catalog-sources/[id]/confirm", route8],
  ["/api/admin/catalog-sources/[id]", route9],
  ["/api/admin/catalog-sources/[id]/sync", route10],
  ["/api/admin/catalog-sources/preview", route11],
  ["/api/admin/catalog-sources", route12],
  ["/api/admin/catalog-sources/token", route13],
  ["/api/admin/credentials/[id]", route14],
  ["/api/admin/credentials", route15],
  ["/api/admin/eligibility", route16],
  ["/api/admin/jobs/[name]/run", route17],
  ["/api/admin/jobs", route18],
  ["/api/admin/model-endpoints/[id]/probe", route19],
  ["/api/admin/model-endpoints/[id]", route20],
  ["/api/admin/model-endpoints", route21],
  ["/api/admin/personas/[id]", route22],
  ["/api/admin/personas", route23],
  ["/api/admin/reports/[id]", route24],
  ["/api/admin/reports", route25],
  ["/api/admin/settings", route26],
  ["/api/admin/sop-keys/[id]", route27],
  ["/api/admin/sop-keys", route28],
  ["/api/admin/sops/[id]", route29],
  ["/api/admin/sops", route30],
  ["/api/admin/system", route31],
  ["/api/admin/users/[id]/invite", route32],
  ["/api/admin/users/[id]/quotas", route33],
  ["/api/admin/users/[id]", route34],
  ["/api/admin/users", route35],
  ["/api/admin/workers/[id]/inventory", route36],
  ["/api/admin/workers/[id]/rescan", route37],
  ["/api/admin/workers/[id]", route38],
  ["/api/admin/workers", route39],
  ["/api/agent/authorize-tool", route40],
  ["/api/agent/openapi.json", route41],
  ["/api/agent/preamble", route42],
  ["/api/agent/sessions/[id]", route43],
  ["/api/agent/sessions/facets", route44],
  ["/api/agent/sessions", route45],
  ["/api/agent/tools/[tool]", route46],
  ["/api/agent/tools", route47],
  ["/api/agent/view", route48],
  ["/api/approvals", route49],
  ["/api/audit/[seq]", route50],
  ["/api/audit/export", route51],
  ["/api/audit/facets", route52],
  ["/api/audit/histogram", route53],
  ["/api/audit", route54],
  ["/api/audit/verify", route55],
  ["/api/audit/views/[id]", route56],
  ["/api/audit/views", route57],
  ["/api/auth/[...nextauth]", route58],
  ["/api/auth/sign-out-everywhere", route59],
  ["/api/capability-urls/[id]", route60],
  ["/api/capability-urls", route61],
  ["/api/catalog/[id]/files", route62],
  ["/api/catalog/[id]", route63],
  ["/api/catalog/install/[progressId]", route64],
  ["/api/catalog/install", route65],
  ["/api/catalog/packs", route66],
  ["/api/catalog", route67],
  ["/api/catalog/updates", route68],
  ["/api/cli/device/code", route69],
  ["/api/cli/device/token", route70],
  ["/api/cli/telemetry/install", route71],
  ["/api/collections/[slug]", route72],
  ["/api/collections/[slug]/skills/[skillId]", route73],
  ["/api/collections/[slug]/skills", route74],
  ["/api/collections", route75],
  ["/api/connect", route76],
  ["/api/credentials", route77],
  ["/api/device-logins/[userCode]", route78],
  ["/api/doors/artifacts/[scope]/[name]/[...path]", route79],
  ["/api/doors/clawhub", route80],
  ["/api/doors/git/[scope]/[...path]", route81],
  ["/api/doors/git-mine/[...path]", route82],
  ["/api/doors/marketplace/[scope]", route83],
  ["/api/doors/seen", route84],
  ["/api/doors/well-known/[scope]/[format]/[...path]", route85],
  ["/api/edges", route86],
  ["/api/evaluations/[id]/cancel", route87],
  ["/api/evaluations/[id]", route88],
  ["/api/export", route89],
  ["/api/health", route90],
  ["/api/integrations/[domain]/setup", route91],
  ["/api/integrations", route92],
  ["/api/invites/[token]", route93],
  ["/api/me/password", route94],
  ["/api/me/quotas", route95],
  ["/api/me", route96],
  ["/api/me/sign-ins/[id]", route97],
  ["/api/me/sign-ins", route98],
  ["/api/models", route99],
  ["/api/oauth/consent", route100],
  ["/api/oauth/register", route101],
  ["/api/oauth/token", route102],
  ["/api/overlays/[id]/decisions", route103],
  ["/api/overlays/[id]/optimized.toml", route104],
  ["/api/overlays/[id]", route105],
  ["/api/overlays", route106],
  ["/api/playground/conversations/[id]/messages", route107],
  ["/api/playground/conversations/[id]", route108],
  ["/api/playground/conversations/[id]/stop", route109],
  ["/api/playground/conversations", route110],
  ["/api/publishers/[handle]", route111],
  ["/api/publishers/[handle]/verification", route112],
  ["/api/publishers", route113],
  ["/api/ready", route114],
  ["/api/review-keys", route115],
  ["/api/reviews", route116],
  ["/api/runs/[id]/cancel", route117],
  ["/api/runs/[id]/decisions", route118],
  ["/api/runs/[id]/events", route119],
  ["/api/runs/[id]", route120],
  ["/api/runs/[id]/steps", route121],
  ["/api/runs/cancel", route122],
  ["/api/runs", route123],
  ["/api/runs/summary", route124],
  ["/api/schedules/[id]", route125],
  ["/api/schedules/[id]/run", route126],
  ["/api/schedules/preview", route127],
  ["/api/schedules", route128],
  ["/api/search", route129],
  ["/api/sessions/[id]", route130],
  ["/api/sessions", route131],
  ["/api/setup", route132],
  ["/api/skills/[id]/access", route133],
  ["/api/skills/[id]/adoption", route134],
  ["/api/skills/[id]/deprecate", route135],
  ["/api/skills/[id]/evaluations", route136],
  ["/api/skills/[id]/export", route137],
  ["/api/skills/[id]/instructions", route138],
  ["/api/skills/[id]/optimize", route139],
  ["/api/skills/[id]/overlays", route140],
  ["/api/skills/[id]/publish", route141],
  ["/api/skills/[id]/reports", route142],
  ["/api/skills/[id]", route143],
  ["/api/skills/[id]/runs", route144],
  ["/api/skills/[id]/star", route145],
  ["/api/skills/[id]/update", route146],
  ["/api/skills/[id]/versions/[digest]/activate", route147],
  ["/api/skills/[id]/versions/[digest]/advice", route148],
  ["/api/skills/[id]/versions/[digest]/approval", route149],
  ["/api/skills/[id]/versions/[digest]/changelog", route150],
  ["/api/skills/[id]/versions/[digest]/decisions", route151],
  ["/api/skills/[id]/versions/[digest]/diff", route152],
  ["/api/skills/[id]/versions/[digest]/entries", route153],
  ["/api/skills/[id]/versions/[digest]/evals", route154],
  ["/api/skills/[id]/versions/[digest]/files/[...path]", route155],
  ["/api/skills/[id]/versions/[digest]/findings/[fingerprint]/dismiss", route156],
  ["/api/skills/[id]/versions/[digest]/pipeline", route157],
  ["/api/skills/[id]/versions/[digest]", route158],
  ["/api/skills/[id]/versions/[digest]/submit", route159],
  ["/api/skills/[id]/versions/[digest]/tools", route160],
  ["/api/skills/[id]/versions", route161],
  ["/api/skills/import", route162],
  ["/api/skills", route163],
  ["/api/sops", route164],
  ["/api/tokens/[id]", route165],
  ["/api/tokens", route166],
  ["/api/traces/[id]/rating", route167],
  ["/api/traces/[id]", route168],
  ["/api/traces/figures", route169],
  ["/api/traces", route170],
  ["/api/updates.atom", route171],
  ["/api/updates.json", route172],
  ["/api/v1/download", route173],
  ["/api/v1/resolve", route174],
  ["/api/v1/search", route175],
  ["/api/v1/skills/-/security-verdicts", route176],
  ["/api/v1/skills/-/upload", route177],
  ["/api/v1/skills/-/upload-url", route178],
  ["/api/v1/skills/[slug]/file", route179],
  ["/api/v1/skills/[slug]/install", route180],
  ["/api/v1/skills/[slug]/moderation", route181],
  ["/api/v1/skills/[slug]", route182],
  ["/api/v1/skills/[slug]/verify", route183],
  ["/api/v1/skills/[slug]/versions/[version]", route184],
  ["/api/v1/skills/[slug]/versions", route185],
  ["/api/v1/skills", route186],
  ["/api/v1/stars/[slug]", route187],
  ["/api/v1/trending", route188],
  ["/api/v1/whoami", route189],
  ["/api/worker/blobs/[sha256]", route190],
  ["/api/worker/exchange", route191],
  ["/api/worker/inventory", route192],
  ["/api/worker/register", route193],
  ["/api/worker-allowances", route194],
];
