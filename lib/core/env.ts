import { resolve } from "node:path";
import { z } from "zod";
import { parseRanges } from "./outgoing/address-ranges";

const httpUrl = z.url({ protocol: /^https?$/, message: "must be an http or https address" });
/** URL that receives secrets and people: https, or http on this machine for tests. */
const providerUrl = httpUrl.refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}, "must be an https address (http is allowed for this machine only)");
const GITHUB_URL = "https://github.com";
const GITHUB_API_URL = "https://api.github.com";
const ranges = z.string().superRefine((text, problem) => {
  try {
    parseRanges(text);
  } catch (error) {
    problem.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
  }
});
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
  PUBLIC_URL: httpUrl.optional().describe("Base URL of absolute links."),
  DATABASE_URL: z
    .string()
    .regex(
      /^(file:.+|postgres(ql)?:\/\/.+)/,
      "must be a file: or postgresql:// address; unset means a file under the data directory",
    )
    .optional()
    .describe("Database: file:PATH or postgresql://…; unset means a SQLite file under the data directory."),
  SKILLGATE_KEYS: z
    .string()
    .optional()
    .describe("Directory of keys and sealed audit segments, when several web processes on one database share them."),
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
  SKILLGATE_PASSWORD_SIGN_IN: flag
    .optional()
    .describe("`true` lets people sign in by password, regardless of the setting."),
  OIDC_ISSUER: providerUrl.optional().describe("Issuer of the OpenID Connect provider that people sign in with."),
  OIDC_CLIENT_ID: z.string().optional().describe("Client at that provider."),
  OIDC_CLIENT_SECRET: z.string().optional().describe("Secret of that client."),
  OIDC_NAME: z
    .string()
    .max(40, "must have at most 40 characters")
    .default("Single sign-on")
    .describe("Its name on the sign-in button."),
  OIDC_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, "must contain openid")
    .default("openid email profile")
    .describe("OAuth scopes that are requested from that provider."),
  OIDC_GROUPS_CLAIM: z.string().default("groups").describe("Claim that lists the groups of a person."),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Client at Google, for sign-in."),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe("Secret of that client."),
  GOOGLE_ISSUER: providerUrl
    .default("https://accounts.google.com")
    .describe("Google’s issuer; change it only to test sign-in with your own server."),
  GITHUB_CLIENT_ID: z.string().optional().describe("OAuth app at GitHub, for sign-in."),
  GITHUB_CLIENT_SECRET: z.string().optional().describe("Secret of that app."),
  GITHUB_URL: providerUrl.default(GITHUB_URL).describe("GitHub’s address, or GitHub Enterprise’s."),
  GITHUB_API_URL: httpUrl.default(GITHUB_API_URL).describe("GitHub's API, or GitHub Enterprise's."),
  GITHUB_RAW_URL: httpUrl.default("https://raw.githubusercontent.com").describe("Raw file host of the same GitHub."),
  SKILLGATE_INTEGRATIONS_DIR: z.string().optional().describe("Directory of integrations: one folder each."),
  SKILLGATE_TRUSTED_DIGESTS: z
    .string()
    .optional()
    .describe("File of version digests, one a line, that the operator approves without a review."),
  SKILLGATE_TRUSTED_PROXIES: z.string().default("").describe("Comma-separated addresses whose X-Forwarded-For counts."),
  SKILLGATE_OUTGOING_RANGES: ranges
    .optional()
    .describe(
      "Comma-separated addresses and ranges, such as 127.0.0.1, 10.0.0.0/8, that the server may connect to besides public addresses.",
    ),
  SKILLGATE_BACKUPS: z.string().optional().describe("Folder of backups; unset means one beside the data directory."),
  SKILLGATE_MIN_FREE_MIB: z.coerce
    .number({ message: "must be a number of MiB" })
    .int("must be a whole number")
    .min(0, "must be 0 or more")
    .default(64)
    .describe(
      "The server refuses writes while fewer MiB are free on the disk of the data directory; 0 disables the check.",
    ),
  SKILLGATE_ACCEPT_LOST_KEYS: flag
    .optional()
    .describe("Starts even if a key of stored approvals or secrets is missing."),
  SKILLGATE_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info").describe("Log level."),
  SKILLGATE_LOG_SAMPLE: z.coerce
    .number({ message: "must be a number from 0 to 1" })
    .min(0, "must be a number from 0 to 1")
    .max(1, "must be a number from 0 to 1")
    .default(1)
    .describe("Share of successful requests that are logged; failed ones always are."),
  SKILLGATE_LOCAL_WORKER: flag.optional().describe("`false` starts no worker beside the web process."),
  SKILLGATE_DRAIN_SECONDS: z.coerce
    .number({ message: "must be a number from 0 to 3" })
    .min(0, "must be a number from 0 to 3")
    .max(3, "must be a number from 0 to 3")
    .default(0)
    .describe("Seconds that a server which stops goes on answering after /api/ready has begun to say no."),
  SKILLGATE_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,256}$/, "must have 32 to 256 characters without spaces")
    .optional()
    .describe("Bearer token that reads /metrics and nothing else."),
});

export type Env = z.infer<typeof EnvSchema> & { dataDir: string; keyDir: string; publicUrl: string };

/** Parses the environment; on failure lists every wrong variable. */
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
  problems.push(...providerProblems(given));
  if (!parsed.success || problems.length > 0) return { problems };
  const env = parsed.data;
  const publicUrl = (env.PUBLIC_URL ?? `http://${reachableHost(env.HOST)}:${env.PORT}`).replace(/\/+$/, "");
  const dataDir = resolve(env.SKILLGATE_DATA);
  return { env: { ...env, dataDir, keyDir: env.SKILLGATE_KEYS ? resolve(env.SKILLGATE_KEYS) : dataDir, publicUrl } };
}

function providerProblems(given: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  for (const name of ["OIDC", "GOOGLE", "GITHUB"]) {
    const needed = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`, ...(name === "OIDC" ? ["OIDC_ISSUER"] : [])];
    const missing = needed.filter((variable) => !given[variable]);
    if (missing.length > 0 && missing.length < needed.length) problems.push(`${needed.join(", ")}: set all or none`);
  }
  const isElsewhere = (given.GITHUB_URL ?? GITHUB_URL) !== GITHUB_URL;
  if (given.GITHUB_CLIENT_ID && isElsewhere !== ((given.GITHUB_API_URL ?? GITHUB_API_URL) !== GITHUB_API_URL)) {
    problems.push("GITHUB_URL and GITHUB_API_URL: must be of the same GitHub, for people to sign in with it");
  }
  return problems;
}

function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

const NAMES = Object.keys(EnvSchema.shape);
let parsedLast: { key: string; env: Env } | null = null;

/** The parsed environment. Throws when it is wrong; the start-up check reports that in full first. */
export function getEnv(): Env {
  // Only tests change it, and reading it is slow.
  if (parsedLast !== null && process.env.NODE_ENV === "production") return parsedLast.env;
  const key = JSON.stringify(NAMES.map((name) => process.env[name] ?? null));
  if (parsedLast?.key === key) return parsedLast.env;
  const result = parseEnv(process.env);
  if ("problems" in result) throw new Error(`Wrong environment: ${result.problems.join("; ")}`);
  parsedLast = { key, env: result.env };
  return result.env;
}

/** Values of the variables, which hold URLs, that the operator has set; defaults are left out. */
export function givenUrls(names: readonly (keyof Env & `${string}_${"URL" | "ISSUER"}`)[]): string[] {
  const env = getEnv();
  return names.flatMap((name) => (process.env[name] && typeof env[name] === "string" ? [env[name]] : []));
}

/** Bytes that stay free on the disk of the data directory. */
export function leastFree(): number {
  return getEnv().SKILLGATE_MIN_FREE_MIB * 1024 * 1024;
}
