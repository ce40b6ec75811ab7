import { readFileSync } from "node:fs";
import { availableParallelism, hostname } from "node:os";
import { posix, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type AddressRanges, parseRanges } from "@/lib/core/outgoing/address-ranges";
import { HostNamespace } from "@/lib/policy/grants/schema";
import { HARMLESS_ENV, OPENABLE_CAPABILITIES, type WorkerAllowance } from "@/lib/policy/worker-allowance";
import { GSV_CAPABILITIES } from "@/lib/skill-format/dialects/tables";
import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import { hiddenOf, realOr } from "./access/hidden-places";

export type Settings = {
  url: string;
  token: string;
  name: string;
  slots: number;
  workDir: string;
  sandbox: "auto" | "unshare" | "user" | "off";
  capabilities: string[];
  allowance: OperatorAllowance;
  /** Folders and files that no run may see: the server's, and this worker's token. */
  hidden: string[];
  warnings: string[];
};

const USAGE = "Usage: npm run worker -- --url URL --token-file FILE [--name NAME] [--slots N] [--work-dir DIR]";

/** Settings from the start message, else from arguments, else from the environment. Throws SettingsError naming the missing one. */
export function readSettings(
  args: string[],
  env: Record<string, string | undefined>,
  start: StartMessage | null,
): Settings {
  const given = parseArguments(args);
  const url = start?.url ?? given.url ?? env.SKILLGATE_URL;
  if (!url) throw new SettingsError(`No server: give --url or SKILLGATE_URL.\n${USAGE}`);
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new SettingsError("The server's URL must be an http or https address.");
  const name = start?.name ?? given.name ?? env.SKILLGATE_WORKER_NAME ?? hostname();
  if (name === "" || name.length > 100) throw new SettingsError("The worker's name must have 1 to 100 characters.");
  return {
    url,
    token: start?.token ?? readToken(given, env),
    name,
    slots: readSlots(given.slots),
    workDir: resolve(start?.workDir ?? given["work-dir"] ?? env.SKILLGATE_WORK_DIR ?? defaultWorkDir(name)),
    sandbox: readSandbox(env.SKILLGATE_WORKER_SANDBOX),
    capabilities: readCapabilities(env.SKILLGATE_WORKER_CAPABILITIES),
    allowance: readAllowance(env),
    hidden: [...(start?.hidden ?? []), ...hiddenOf(env, tokenFileOf(given, env))],
    warnings:
      given.token === undefined
        ? []
        : ["A token on the command line can be read by every user of this machine. Use --token-file instead."],
  };
}

/** Whether the worker was started by a launcher that sends its settings. */
export function isSupervised(args: string[]): boolean {
  return parseArguments(args).supervised === true;
}

function parseArguments(args: string[]) {
  const text = { type: "string" } as const;
  const options = {
    url: text,
    name: text,
    token: text,
    "token-file": text,
    slots: text,
    "work-dir": text,
    supervised: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (cause) {
    throw new SettingsError(`${cause instanceof Error ? cause.message : cause}\n${USAGE}`, { cause });
  }
}

type TokenArguments = { token?: string; "token-file"?: string };

function tokenFileOf(given: TokenArguments, env: Record<string, string | undefined>): string | undefined {
  return given["token-file"] ?? env.SKILLGATE_WORKER_TOKEN_FILE;
}

function readToken(given: TokenArguments, env: Record<string, string | undefined>): string {
  const file = tokenFileOf(given, env);
  const token = (given.token ?? (file ? readTokenFile(file) : env.SKILLGATE_WORKER_TOKEN) ?? "").trim();
  if (token === "") throw new SettingsError(`No token: give --token-file, or SKILLGATE_WORKER_TOKEN.\n${USAGE}`);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SettingsError("The token contains characters that are not allowed in tokens.");
  return token;
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const problem = (cause as NodeJS.ErrnoException).code;
    throw new SettingsError(`The token file ${file} cannot be read (${problem}).`, { cause });
  }
}

function readSandbox(given = "auto"): Settings["sandbox"] {
  if (given === "auto" || given === "unshare" || given === "user" || given === "off") return given;
  throw new SettingsError("SKILLGATE_WORKER_SANDBOX must be auto, unshare, user or off.");
}

/** All known capabilities, unless the operator lists fewer: comma-separated, `none` for none. */
function readCapabilities(given: string | undefined): string[] {
  if (given === undefined || given.trim() === "") return [...GSV_CAPABILITIES];
  const ids = given.split(",").map((id) => id.trim());
  const named = ids.filter((id) => id !== "" && id !== "none");
  const unknown = named.find((id) => !GSV_CAPABILITIES.has(id));
  if (unknown === undefined) return [...new Set(named)];
  const known = [...GSV_CAPABILITIES].join(", ");
  throw new SettingsError(`SKILLGATE_WORKER_CAPABILITIES names “${unknown}”; known are ${known}, and none.`);
}

function readSlots(given: string | undefined): number {
  if (given === undefined) return Math.min(availableParallelism(), 256);
  const slots = Number(given);
  if (!Number.isInteger(slots) || slots < 1 || slots > 256)
    throw new SettingsError("--slots must be a number from 1 to 256.");
  return slots;
}

function defaultWorkDir(name: string): string {
  return resolve("data", "workers", name.replace(/[^A-Za-z0-9_-]+/g, "-"));
}

/** What the operator's variables allow; whether there is a proxy is found by trying. */
export type OperatorAllowance = Pick<WorkerAllowance, "paths" | "env" | "capabilities" | "namespaces"> & {
  ranges: AddressRanges;
};

/** Reads the variables SKILLGATE_WORKER_PATHS, _ENV, _LINUX_CAPABILITIES, _NAMESPACES and _RANGES. Throws SettingsError. */
export function readAllowance(env: Record<string, string | undefined>): OperatorAllowance {
  return {
    paths: itemsOf(env.SKILLGATE_WORKER_PATHS).map(readFolder),
    env: [...HARMLESS_ENV, ...itemsOf(env.SKILLGATE_WORKER_ENV).map(readEnvName)],
    capabilities: itemsOf(env.SKILLGATE_WORKER_LINUX_CAPABILITIES).map(readCapability),
    namespaces: itemsOf(env.SKILLGATE_WORKER_NAMESPACES).map(readNamespace),
    ranges: readRanges(env.SKILLGATE_WORKER_RANGES),
  };
}

function itemsOf(text = ""): string[] {
  const items = text.split(",").map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ""))];
}

function readFolder(path: string): string {
  const folder = path.length > 1 ? path.replace(/\/+$/, "") : path;
  if (!folder.startsWith("/") || posix.normalize(folder) !== folder) {
    throw new SettingsError(
      `SKILLGATE_WORKER_PATHS names “${path}”, which is not an absolute path without “.” and “..”.`,
    );
  }
  // A run that may write to the link's folder or to its target could open another folder through it.
  const real = realOr(folder);
  if (real === folder) return folder;
  throw new SettingsError(
    `SKILLGATE_WORKER_PATHS names “${path}”, which leads to ${real} through a link. Name ${real} instead.`,
  );
}

function readEnvName(name: string): string {
  if (!/^([A-Za-z_][A-Za-z0-9_]*)?\*?$/.test(name)) {
    throw new SettingsError(
      `SKILLGATE_WORKER_ENV names “${name}”, which is neither the name of a variable nor a prefix followed by “*”.`,
    );
  }
  if (!isDeniedEnv(name)) return name;
  throw new SettingsError(`SKILLGATE_WORKER_ENV names “${name}”, a variable that no run gets.`);
}

function readCapability(name: string): string {
  const full = /^CAP_/i.test(name) ? name.toUpperCase() : `CAP_${name.toUpperCase()}`;
  if (OPENABLE_CAPABILITIES.has(full)) return full;
  const openable = [...OPENABLE_CAPABILITIES].join(", ");
  throw new SettingsError(
    `SKILLGATE_WORKER_LINUX_CAPABILITIES names “${name}”, which cannot be granted: capabilities other than ${openable} would bypass every rule about paths.`,
  );
}

function readNamespace(name: string): string {
  const parsed = HostNamespace.safeParse(name);
  if (parsed.success) return parsed.data === "network" ? "net" : parsed.data;
  throw new SettingsError(
    `SKILLGATE_WORKER_NAMESPACES names “${name}”; known are ${HostNamespace.options.filter((one) => one !== "network").join(", ")}.`,
  );
}

function readRanges(text: string | undefined): AddressRanges {
  try {
    return parseRanges(text);
  } catch (cause) {
    throw new SettingsError(`SKILLGATE_WORKER_RANGES: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    });
  }
}

/** The worker was started with settings it cannot use; the message names the setting and its allowed values. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

const StartMessage = z.object({
  type: z.literal("start"),
  url: z.string(),
  token: z.string(),
  name: z.string().optional(),
  workDir: z.string().optional(),
  hidden: z.array(z.string()).optional(),
});
export type StartMessage = z.infer<typeof StartMessage>;

/** Reads the launcher's first message. Throws SettingsError when there is no launcher, or it sends another message. */
export async function receiveStart(): Promise<StartMessage> {
  if (!process.send)
    throw new SettingsError("--supervised is for a launcher that forks the worker with an IPC channel.");
  const message = await new Promise<unknown>((resolve) => process.once("message", resolve));
  const parsed = StartMessage.safeParse(message);
  // Without the message's content, which may include the token.
  if (!parsed.success) throw new SettingsError("The launcher's first message is not a start message.");
  return parsed.data;
}
