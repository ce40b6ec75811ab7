import { resolve } from "node:path";
import { z } from "zod";

const httpUrl = z.url({ protocol: /^https?$/, message: "must be an http or https address" });
const flag = z
  .enum(["true", "false", "1", "0"], { message: "must be true or false" })
  .transform((value) => value === "true" || value === "1");

/** Every environment variable the server reads. Unknown ones are ignored. */
export const EnvSchema = z.object({
  SKILLGATE_DATA: z.string().default("./data").describe("Data directory: database, keys, lock."),
  PORT: z.coerce
    .number({ message: "must be a port number" })
    .int("must be a whole number")
    .min(1, "must be between 1 and 65535")
    .max(65535, "must be between 1 and 65535")
    .default(3000)
    .describe("Port the server listens on."),
  HOST: z.string().default("127.0.0.1").describe("Address the server listens on."),
  PUBLIC_URL: httpUrl.optional().describe("Address that goes into absolute links."),
  DATABASE_URL: z
    .string()
    .regex(/^file:.+/, "must be a file: address; leave it unset for a file under the data directory")
    .optional()
    .describe("Database address; unset means a SQLite file under the data directory."),
  NEXTAUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional().describe("Signs sessions."),
  NEXTAUTH_URL: httpUrl.optional().describe("Derived from PUBLIC_URL; set it only behind unusual proxies."),
  SKILLGATE_ADMIN_EMAIL: z.email("must be an email address").optional().describe("First admin, for unattended set-up."),
  SKILLGATE_ADMIN_PASSWORD: z
    .string()
    .min(12, "must have at least 12 characters")
    .max(256, "must have at most 256 characters")
    .optional()
    .describe("Password of that admin."),
  SKILLGATE_ADMIN_TOKEN: z
    .string()
    .regex(/^sgt_[A-Za-z0-9_-]{28,}$/, "must start with sgt_ and have at least 32 characters")
    .optional()
    .describe("Bearer token registered for that admin."),
  SKILLGATE_SOLO_MODE: flag.optional().describe("Whether one person may decide alone; read at the first start."),
  GITHUB_API_URL: httpUrl.default("https://api.github.com").describe("GitHub's API, or GitHub Enterprise's."),
  GITHUB_RAW_URL: httpUrl.default("https://raw.githubusercontent.com").describe("Raw file host that goes with it."),
  SKILLGATE_INTEGRATIONS_DIR: z.string().optional().describe("Directory of integrations: one folder each."),
  SKILLGATE_TRUSTED_DIGESTS: z
    .string()
    .optional()
    .describe("File of version digests, one a line, that the operator approves without a review."),
  SKILLGATE_TRUSTED_PROXIES: z.string().default("").describe("Comma-separated addresses whose X-Forwarded-For counts."),
  SKILLGATE_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info").describe("Log level."),
});

export type Env = z.infer<typeof EnvSchema> & { dataDir: string; publicUrl: string };

/** Parses the environment; on failure names every wrong variable at once. */
export function parseEnv(source: Record<string, string | undefined>): { env: Env } | { problems: string[] } {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = EnvSchema.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  if (Boolean(given.SKILLGATE_ADMIN_EMAIL) !== Boolean(given.SKILLGATE_ADMIN_PASSWORD)) {
    problems.push("SKILLGATE_ADMIN_EMAIL and SKILLGATE_ADMIN_PASSWORD: set both or neither");
  }
  if (given.SKILLGATE_ADMIN_TOKEN && !given.SKILLGATE_ADMIN_EMAIL) {
    problems.push("SKILLGATE_ADMIN_TOKEN: needs SKILLGATE_ADMIN_EMAIL, the admin it belongs to");
  }
  if (!parsed.success || problems.length > 0) return { problems };
  const env = parsed.data;
  const publicUrl = (env.PUBLIC_URL ?? `http://${reachableHost(env.HOST)}:${env.PORT}`).replace(/\/+$/, "");
  return { env: { ...env, dataDir: resolve(env.SKILLGATE_DATA), publicUrl } };
}

function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

const NAMES = Object.keys(EnvSchema.shape);
let parsedLast: { key: string; env: Env } | null = null;

/** The parsed environment of this process. Throws when it is wrong; the start-up check reports that in full first. */
export function getEnv(): Env {
  const key = JSON.stringify(NAMES.map((name) => process.env[name] ?? null));
  if (parsedLast?.key === key) return parsedLast.env;
  const result = parseEnv(process.env);
  if ("problems" in result) throw new Error(`Wrong environment: ${result.problems.join("; ")}`);
  parsedLast = { key, env: result.env };
  return result.env;
}
