import { posix } from "node:path";
import { type AddressRanges, parseRanges } from "@/lib/core/outgoing/address-ranges";
import { HostNamespace } from "@/lib/policy/grants/schema";
import { HARMLESS_ENV, OPENABLE_CAPABILITIES, type WorkerAllowance } from "@/lib/policy/worker-allowance";
import { isDeniedEnv } from "@/lib/skill-format/denied-env";
import { SettingsError } from "../settings-error";
import { realOr } from "./real-or";

/** What the operator's variables open; whether there is a proxy is found by trying. */
export type OperatorAllowance = Pick<WorkerAllowance, "paths" | "env" | "capabilities" | "namespaces"> & {
  ranges: AddressRanges;
};

/**
 * Reads SKILLGATE_WORKER_PATHS, _ENV, _LINUX_CAPABILITIES, _NAMESPACES and _RANGES: comma-separated, each added to what
 * every worker allows. Throws SettingsError that names the variable and the item that is wrong.
 */
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
  // A run that may write where a link lies, or to what it leads to, could open another folder by it.
  const real = realOr(folder);
  if (real === folder) return folder;
  throw new SettingsError(
    `SKILLGATE_WORKER_PATHS names “${path}”, which leads to ${real} through a link. Name ${real} instead.`,
  );
}

function readEnvName(name: string): string {
  if (!/^([A-Za-z_][A-Za-z0-9_]*)?\*?$/.test(name)) {
    throw new SettingsError(
      `SKILLGATE_WORKER_ENV names “${name}”, which is neither the name of a variable nor the start of one with “*” behind it.`,
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
    `SKILLGATE_WORKER_LINUX_CAPABILITIES names “${name}”, which cannot be opened: with other capabilities than ${openable} no rule about paths holds.`,
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
