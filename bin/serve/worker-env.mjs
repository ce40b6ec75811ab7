const serverPrefixes = ["NEXTAUTH_", "SKILLGATE_", "GITHUB_CLIENT_", "GOOGLE_CLIENT_", "OIDC_", "npm_"];
const serverNames = ["DATABASE_URL", "AUTH_SECRET", "GITHUB_ID", "GITHUB_SECRET", "GOOGLE_ID", "GOOGLE_SECRET"];

/**
 * Environment of the worker: variables that operators pass to skills, and none of the server's. Of our own only the
 * worker's settings, without tokens: it receives its token by message.
 */
export function workerEnv(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !belongsToServer(name)));
}

function belongsToServer(name) {
  if (name === "SKILLGATE_LOG_LEVEL" || name === "SKILLGATE_SKILL_DIRS") return false;
  if (name.startsWith("SKILLGATE_WORKER_")) return /TOKEN|SECRET|PASSWORD|KEY/.test(name);
  return serverNames.includes(name.replace(/_FILE$/, "")) || serverPrefixes.some((prefix) => name.startsWith(prefix));
}
