const serverPrefixes = ["NEXTAUTH_", "SKILLGATE_", "GITHUB_CLIENT_", "GOOGLE_CLIENT_", "OIDC_", "npm_"];
const serverNames = ["DATABASE_URL", "AUTH_SECRET", "GITHUB_ID", "GITHUB_SECRET", "GOOGLE_ID", "GOOGLE_SECRET"];

/**
 * The environment of the worker: everything an operator may want to pass on to skills, and nothing that belongs to the
 * server. Of our own variables only the worker's settings pass, and no token among them: it gets its token by message.
 */
export function workerEnv(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !belongsToServer(name)));
}

function belongsToServer(name) {
  if (name === "SKILLGATE_LOG_LEVEL" || name === "SKILLGATE_SKILL_DIRS") return false;
  if (name.startsWith("SKILLGATE_WORKER_")) return /TOKEN|SECRET|PASSWORD|KEY/.test(name);
  return serverNames.includes(name.replace(/_FILE$/, "")) || serverPrefixes.some((prefix) => name.startsWith(prefix));
}
