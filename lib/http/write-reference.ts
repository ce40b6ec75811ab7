import { z } from "zod";
import { ACCOUNT_LIMIT, ADDRESS_LIMIT } from "@/lib/auth/sessions/sign-in";
import { EnvSchema } from "@/lib/core/env";
import { FIXED_LIMITS } from "@/lib/core/take-from-limit";
import { WORKER_VARIABLES } from "@/lib/core/worker-variables";
import { SETTING_DEFAULTS, Settings } from "@/lib/settings/schema";

const DERIVED: Record<string, string> = {
  PUBLIC_URL: "from `HOST` and `PORT`",
  DATABASE_URL: "`skillgate.db` in the data directory",
  NEXTAUTH_SECRET: "`auth.secret` in the data directory, created at the first start",
  NEXTAUTH_URL: "from `PUBLIC_URL`",
  SKILLGATE_SOLO_MODE: "`true`",
  SKILLGATE_LOCAL_WORKER: "`true`",
  SKILLGATE_BACKUPS: "beside the data directory, with `-backups` after its name",
};

/** Configuration reference in Markdown; `secretNames` can be given as files (`NAME_FILE`). */
export function writeReference(secretNames: readonly string[]): string {
  const environment = Object.entries(EnvSchema.shape).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    DERIVED[name] ?? defaultOf(field),
    field.description ?? "",
  ]);
  const settings = Object.entries(Settings.shape).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    shown(SETTING_DEFAULTS[name as keyof Settings]),
    field.description ?? "",
  ]);
  return [
    "# Configuration",
    "",
    "<!-- Written by bin/make-configuration.mjs from the schemas that check these values; do not edit. -->",
    "",
    "## Environment of the server",
    "",
    "The server reads the environment and a `.env` file in the project folder; the environment wins. A wrong value prevents the start,",
    "and the message lists all wrong values. An empty value counts as not set. [Operators](operators.md) explains their use.",
    "",
    ...table(["variable", "type", "default", "meaning"], environment),
    "",
    "You can put the value of a secret into a file and set `NAME_FILE` to its path:",
    `${secretNames.map((name) => `\`${name}_FILE\``).join(", ")}. The local worker gets none of them.`,
    "",
    "## Environment of a worker",
    "",
    ...table(
      ["variable", "default", "meaning"],
      WORKER_VARIABLES.map(({ name, fallback, meaning }) => [`\`${name}\``, fallback, meaning]),
    ),
    "",
    "[Operators](operators.md#variables-of-the-built-ins) lists the variables that the built-ins read.",
    "",
    "## Settings",
    "",
    "An admin changes them under **Settings → This server**, or with `PATCH /api/admin/settings`. The audit log records each change,",
    "which every process applies within five seconds.",
    "",
    ...table(["setting", "type", "default", "meaning"], settings),
    "",
    "## Limits",
    "",
    "The limits of requests and runs per minute, and the quotas of a person, are settings; an admin can change the quotas of one person",
    "under **Settings → People**. These limits are fixed:",
    "",
    ...table(
      ["limit", "per minute", "for each"],
      Object.values(FIXED_LIMITS).map(({ perMinute, of, by }) => [of, String(perMinute), by]),
    ),
    "",
    `Failed sign-ins have their own limits: after the ${ACCOUNT_LIMIT}th failure in a row an account is locked for one second, then twice as long`,
    `each time, up to 15 minutes; an address with ${ADDRESS_LIMIT} failures within 15 minutes is locked for the rest of them.`,
    "",
    "When a limit is reached, the server answers 429 with the code `rate_limited`, `Retry-After`, and for limits per minute `RateLimit-Limit`,",
    "`RateLimit-Remaining` and `RateLimit-Reset`. Each web process counts limits per minute by itself. A quota that does not reset",
    "with time answers 403 with the code `quota_exceeded`. `rule` names the quota.",
    "",
  ].join("\n");
}

type JsonSchema = {
  type?: string;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  format?: string;
  minimum?: number;
  maximum?: number;
};

function typeOf(field: z.ZodType): string {
  const schema = z.toJSONSchema(field, { io: "output", unrepresentable: "any" }) as JsonSchema;
  const given = z.toJSONSchema(field, { io: "input", unrepresentable: "any" }) as JsonSchema;
  if (given.enum?.includes("true")) return "`true` or `false`";
  if (given.enum) return given.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.type === "integer" || schema.type === "number") {
    const isBounded = schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER;
    const least = schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER ? schema.minimum : null;
    const kind = schema.type === "integer" ? "whole number" : "number";
    if (isBounded) return `${kind}, ${least ?? "at most"}${least === null ? " " : " to "}${schema.maximum}`;
    return least === null ? kind : `${kind}, ${least} or more`;
  }
  if (schema.format === "uri" || given.format === "uri") return "address";
  return (given.type ?? schema.type) === "boolean" ? "yes or no" : "text";
}

function defaultOf(field: z.ZodType): string {
  const parsed = field.safeParse(undefined);
  return parsed.success ? shown(parsed.data) : "required";
}

function shown(value: unknown): string {
  if (value === undefined || value === "") return "none";
  return `\`${value}\``;
}

function table(head: string[], rows: readonly string[][]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
