export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** Names that differ from the rule below. */
const NAMES: Record<string, string> = {
  "GET /.well-known/oauth-authorization-server": "getOauthAuthorizationServer",
  "GET /.well-known/oauth-protected-resource": "getOauthProtectedResource",
  "GET /.well-known/oauth-protected-resource/mcp": "getOauthProtectedResourceOfMcp",
  "GET /.well-known/skillgate-attestation-keys": "listAttestationKeys",
  "GET /.well-known/skillgate-ended-approvals": "listEndedApprovals",
  "POST /mcp": "sendMcpMessage",
  "GET /mcp": "openMcpStream",
  "DELETE /mcp": "endMcpSession",
  "GET /connect/claude-code/{file}": "getClaudeCodeFile",
  "PUT /api/admin/catalog-sources/{id}": "updateCatalogSource",
  "POST /api/admin/catalog-sources/{id}/confirm": "confirmCatalogRepository",
  "POST /api/admin/catalog-sources/preview": "previewCatalogSource",
  "GET /api/admin/catalog-sources/token": "getCatalogToken",
  "PUT /api/admin/catalog-sources/token": "setCatalogToken",
  "DELETE /api/admin/catalog-sources/token": "deleteCatalogToken",
  "GET /api/admin/credentials": "listStoredCredentials",
  "GET /api/admin/sops": "listStoredSops",
  "POST /api/admin/users/{id}/invite": "renewInvite",
  "POST /api/admin/users": "inviteUser",
  "GET /api/agent/openapi.json": "getAgentOpenapi",
  "POST /api/agent/authorize-tool": "authorizeAgentTool",
  "POST /api/agent/sessions": "openAgentSession",
  "GET /api/agent/sessions/facets": "getAgentSessionFacets",
  "POST /api/agent/tools/{tool}": "callAgentTool",
  "GET /api/audit": "listAuditEvents",
  "GET /api/audit/{seq}": "getAuditEvent",
  "GET /api/audit/export": "exportAuditEvents",
  "GET /api/auth/{nextauth}": "getSignIn",
  "POST /api/auth/{nextauth}": "postSignIn",
  "POST /api/auth/sign-out-everywhere": "signOutEverywhere",
  "GET /api/catalog": "listCatalogEntries",
  "GET /api/catalog/{id}": "getCatalogEntry",
  "GET /api/catalog/{id}/files": "getCatalogEntryFile",
  "GET /api/catalog/install/{progressId}": "getCatalogInstall",
  "POST /api/catalog/install": "installFromCatalog",
  "POST /api/catalog/updates": "takeCatalogUpdates",
  "POST /api/cli/device/code": "requestDeviceCode",
  "POST /api/cli/device/token": "requestDeviceToken",
  "POST /api/cli/telemetry/install": "reportClawhubInstall",
  "POST /api/collections/{slug}/skills": "addCollectionSkill",
  "PUT /api/collections/{slug}/skills": "orderCollectionSkills",
  "DELETE /api/collections/{slug}/skills/{skillId}": "removeCollectionSkill",
  "GET /api/connect": "getConnectFacts",
  "POST /api/device-logins/{userCode}": "decideDeviceLogin",
  "GET /api/distribution/artifacts/{scope}/{name}/{path}": "getArtifact",
  "GET /api/distribution/clawhub": "getClawhubAddress",
  "GET /api/distribution/git/{scope}/{path}": "readGitRefs",
  "POST /api/distribution/git/{scope}/{path}": "fetchGitPack",
  "GET /api/distribution/git-mine/{path}": "readOwnGitRefs",
  "POST /api/distribution/git-mine/{path}": "fetchOwnGitPack",
  "GET /api/distribution/marketplace/{scope}": "getMarketplace",
  "GET /api/distribution/client-activity": "listClientActivity",
  "GET /api/distribution/oci": "checkOciRegistry",
  "GET /api/distribution/oci/{path}": "readOciRegistry",
  "GET /api/distribution/well-known/{scope}/{format}/{path}": "getWellKnownFile",
  "GET /api/export": "exportSkills",
  "POST /api/integrations/{domain}/setup": "setUpIntegration",
  "DELETE /api/integrations/{domain}/setup": "removeIntegration",
  "POST /api/invites/{token}": "acceptInvite",
  "POST /api/me/password": "changeMyPassword",
  "GET /api/me/quotas": "getMyQuotas",
  "GET /api/me/sign-ins": "listMySignIns",
  "DELETE /api/me/sign-ins/{id}": "deleteMySignIn",
  "POST /api/oauth/consent": "giveOauthConsent",
  "POST /api/oauth/register": "registerOauthClient",
  "POST /api/oauth/token": "exchangeOauthCode",
  "POST /api/overlays/{id}/decisions": "decideOverlay",
  "GET /api/overlays/{id}/optimized.toml": "getOverlayFile",
  "POST /api/playground/conversations/{id}/messages": "sendPlaygroundMessage",
  "POST /api/playground/conversations/{id}/stop": "stopPlaygroundAnswer",
  "PUT /api/publishers/{handle}/verification": "verifyPublisher",
  "DELETE /api/publishers/{handle}/verification": "unverifyPublisher",
  "POST /api/runs/{id}/decisions": "decideRun",
  "GET /api/runs/{id}/events": "streamRunEvents",
  "GET /api/runs/summary": "getRunSummary",
  "GET /api/schedules/preview": "previewSchedule",
  "GET /api/search": "findSkills",
  "POST /api/setup": "createFirstAdmin",
  "POST /api/skills/{id}/adoption": "adoptSkill",
  "DELETE /api/skills/{id}/adoption": "abandonSkill",
  "DELETE /api/skills/{id}/deprecate": "undeprecateSkill",
  "POST /api/skills/{id}/evaluations": "startSkillEvaluation",
  "GET /api/skills/{id}/export": "exportSkill",
  "POST /api/skills/{id}/overlays": "submitSkillOverlay",
  "POST /api/skills/{id}/reports": "reportSkill",
  "POST /api/skills/{id}/runs": "runSkill",
  "PUT /api/skills/{id}/star": "starSkill",
  "DELETE /api/skills/{id}/star": "unstarSkill",
  "GET /api/skills/{id}/update": "previewSkillUpdate",
  "POST /api/skills/{id}/update": "takeSkillUpdate",
  "POST /api/skills/{id}/versions/{digest}/decisions": "decideSkillVersion",
  "GET /api/skills/{id}/versions/{digest}/diff": "compareSkillVersions",
  "DELETE /api/skills/{id}/versions/{digest}/findings/{fingerprint}/dismiss": "reopenSkillVersionFinding",
  "GET /api/traces/figures": "getTraceFigures",
  "PUT /api/traces/{id}/rating": "rateTrace",
  "GET /api/updates.atom": "getUpdatesFeed",
  "GET /api/updates.json": "listUpdates",
  "GET /api/v1/download": "downloadClawhubSkill",
  "GET /api/v1/resolve": "resolveClawhubFingerprint",
  "GET /api/v1/search": "searchClawhubSkills",
  "POST /api/v1/skills/-/security-verdicts": "listClawhubVerdicts",
  "POST /api/v1/skills/-/upload": "uploadClawhubFile",
  "POST /api/v1/skills/-/upload-url": "requestClawhubUpload",
  "POST /api/v1/skills": "publishClawhubSkill",
  "GET /api/v1/skills/{slug}/install": "getClawhubSkillDownload",
  "GET /api/v1/skills/{slug}/verify": "verifyClawhubSkill",
  "POST /api/v1/stars/{slug}": "starClawhubSkill",
  "DELETE /api/v1/stars/{slug}": "unstarClawhubSkill",
  "GET /api/worker/blobs/{sha256}": "getWorkerBlob",
  "PUT /api/worker/blobs/{sha256}": "putWorkerBlob",
  "POST /api/worker/exchange": "exchangeAsWorker",
  "POST /api/worker/inventory": "reportWorkerInventory",
  "POST /api/worker/register": "registerWorker",
  "GET /v1/skills": "listSkillsApiSkills",
  "GET /v1/skills/{id}": "getSkillsApiSkill",
  "GET /v1/skills/{id}/versions": "listSkillsApiVersions",
  "GET /v1/skills/{id}/versions/{version}": "getSkillsApiVersion",
  "GET /v1/skills/{id}/versions/{version}/content": "downloadSkillsApiVersion",
};

/** Last address parts that are verbs. */
const VERBS = new Set(
  `activate cancel confirm deprecate dismiss import optimize preview probe publish rescan run stop submit sync
   verify`.split(/\s+/),
);
const SINGULAR = new Set(["access", "facets", "figures", "instructions", "metrics", "quotas", "settings"]);
const CREATED = { POST: "create", PUT: "set", PATCH: "update", DELETE: "delete" } as const;

/**
 * Operation id, used by generated clients as function name: `listSkills`, `getSkill`, `cancelRun`. Letters and digits
 * only. `path` has its parameters in braces.
 */
export function operationId(method: Method, path: string): string {
  const known = NAMES[`${method} ${path}`];
  if (known !== undefined) return known;
  const parts = path.split("/").filter((part) => part !== "" && part !== "api" && part !== "admin");
  const last = parts.at(-1) ?? "";
  if (VERBS.has(last) && (method === "POST" || last !== "run")) return `${last}${thing(parts.slice(0, -1))}`;
  if (method !== "GET") {
    const isInCollection = method === "POST" && isPlural(last);
    return `${CREATED[method]}${isInCollection ? thing([...parts, "{}"]) : thing(parts)}`;
  }
  return `${isPlural(last) ? "list" : "get"}${thing(parts)}`;
}

/** `skills`, `{id}`, `versions` → `SkillVersions`: a part before a parameter is singular. */
function thing(parts: string[]): string {
  return parts
    .map((part, index) => {
      if (part.startsWith("{")) return "";
      const words = part === "v1" ? ["clawhub"] : part.split(/[^A-Za-z0-9]+/).filter(Boolean);
      const isOne = parts[index + 1]?.startsWith("{");
      return words.map((word, at) => capital(isOne && at === words.length - 1 ? singular(word) : word)).join("");
    })
    .join("");
}

function isPlural(part: string): boolean {
  const word = part.split(/[^A-Za-z0-9]+/).at(-1) ?? "";
  return !part.startsWith("{") && word.endsWith("s") && !SINGULAR.has(word);
}

function singular(word: string): string {
  if (!isPlural(word)) return word;
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
