import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isAllowedAddress } from "@/lib/core/outgoing/address-ranges";
import type { Grants } from "@/lib/policy/grants/schema";
import { isBelow, type NotAllowed, notAllowed, notAllowedOfRelease } from "@/lib/policy/worker-allowance";
import type { Lease, RunTerms } from "../protocol";
import { RunFailure } from "../run/run-failure";
import type { ProxyPolicy } from "../sandbox/host-proxy";
import type { Isolation } from "../sandbox/isolation";
import type { EmitEvent } from "../stream-stderr";
import { findHidden, type HiddenPlace, type OpenedPath, realOr } from "./hidden-places";
import { type HostAccess, hidesHost, isReleaseBuiltin } from "./host-access";

export type Admitted = {
  paths: OpenedPath[];
  hidden: HiddenPlace[];
  proxy: ProxyPolicy | null;
  /** Variables of the worker's own, for built-ins of the release only. */
  env: Record<string, string>;
};

export const NO_GRANTS: Admitted = { paths: [], hidden: [], proxy: null, env: {} };

/**
 * Checks a lease against what this worker's operator allows, independently of the server. Paths are resolved here, so that
 * the checked path is the mounted one. Throws RunFailure `worker_does_not_allow`, naming what is not allowed and the
 * variable that allows it.
 */
export async function admitRun(
  lease: Pick<Lease, "versionDigest" | "terms" | "env">,
  { isolation, access, emit }: { isolation: Isolation; access: HostAccess; emit: EmitEvent },
): Promise<Admitted> {
  const { terms, env } = lease;
  const grants = grantsOf(terms, env);
  const ofRelease = isReleaseBuiltin(lease.versionDigest, grants, access.release);
  const found = ofRelease ? notAllowedOfRelease(access.allows, grants) : notAllowed(access.allows, grants);
  if (found.length > 0) throw refusal(access, found.map(explain));
  const opensHost = terms.network || [terms.hosts, terms.paths, terms.capabilities].some((list) => list.length > 0);
  if (!hidesHost(isolation)) {
    if (opensHost || (terms.namespaces.length > 0 && !ofRelease)) {
      throw refusal(access, ["anything of its host: its isolation cannot hide any part of it"]);
    }
    return { ...NO_GRANTS, env: ofRelease ? await releaseEnv(terms, access) : {} };
  }
  const sharesNetwork = terms.namespaces.includes("net");
  if (sharesNetwork && !ofRelease && (await access.server.isLocal())) throw refusal(access, [LOCAL_SERVER]);
  const hidden = terms.paths.length > 0 ? findHidden(access.hidden) : [];
  const paths = existing(terms, emit).map((opened) =>
    resolvePath(opened, { access, hidden, ofRelease, uids: isolation.uids }),
  );
  const hasProxy = !sharesNetwork && (terms.network || terms.hosts.length > 0);
  return {
    paths,
    hidden,
    proxy: hasProxy ? proxyPolicy(terms, access) : null,
    env: ofRelease ? await releaseEnv(terms, access) : {},
  };
}

const LOCAL_SERVER =
  "the host’s net namespace: the server runs on this host, where such a run could reach it. No setting allows that";

function grantsOf({ network, hosts, paths, namespaces, capabilities }: RunTerms, env: string[]): Grants {
  return {
    ...(network ? { network: true } : hosts.length > 0 ? { network: hosts } : {}),
    ...{ paths, env, capabilities },
    namespaces: namespaces as NonNullable<Grants["namespaces"]>,
  };
}

function explain({ what, variable }: NotAllowed): string {
  return variable === null ? what : `${what} (${variable})`;
}

function refusal({ worker }: HostAccess, what: string[]): RunFailure {
  return new RunFailure("worker_does_not_allow", `The worker “${worker}” does not allow ${what.join(", ")}.`);
}

function existing({ paths }: RunTerms, emit: EmitEvent): RunTerms["paths"] {
  return paths.filter(({ path }) => {
    const exists = existsSync(path);
    if (!exists) emit("system", `There is no ${path} on this worker; the run continues without it.`);
    return exists;
  });
}

const OWN_PLACES = ["/skill", "/skillgate", "/workspace", "/run/secrets", "/proc", "/dev"];

function resolvePath(
  { path, mode }: RunTerms["paths"][number],
  { access, hidden, ofRelease, uids }: PathChecks,
): OpenedPath {
  const covered = OWN_PLACES.find((place) => isBelow(path, place));
  if (covered)
    throw refusal(access, [`the path ${path}: runs have files of their own at ${covered}. No setting allows that`]);
  if (path === "/") throw refusal(access, ["the path /, as a whole: approve the folders that the skill needs"]);
  const real = realOr(path);
  const place = hidden.find((one) => isBelow(real, one.path));
  if (real === "/" || place) {
    throw refusal(access, [`the path ${path}, which leads to ${place?.path ?? "/"}. No setting allows that`]);
  }
  if (!ofRelease && real !== path) {
    throw refusal(access, [`the path ${path}, which leads to ${real} through a link: approve that path itself`]);
  }
  const held = mode === "rw" && hidden.find((one) => isBelow(one.path, real));
  if (held)
    throw refusal(access, [`the path ${path} for writing, since ${held.path} is below it. No setting allows that`]);
  const isInside = access.allows.paths.some((folder) => isBelow(real, folder));
  const loose = findWritableParent([path, real], access.allows.paths, uids);
  if (loose)
    throw refusal(access, [`the path ${path}: runs can write to ${loose} above it, and could replace the folder`]);
  if (!ofRelease && !isInside)
    throw refusal(access, [`the path ${path}, which leads to ${real} (SKILLGATE_WORKER_PATHS)`]);
  return { path, real, mode };
}

type PathChecks = { access: HostAccess; hidden: HiddenPlace[]; ofRelease: boolean; uids: RunUids };

/** The owners whose files a run may change: a range of user ids, or null for this process's own id. */
type RunUids = { first: number; count: number } | null;

/**
 * The first folder above these paths that a run can change: an earlier run could replace the checked folder in it before it
 * is mounted. Of the host, runs can write only below the operator's folders.
 */
function findWritableParent(paths: string[], opened: string[], uids: RunUids): string | undefined {
  for (const path of paths) {
    for (let at = path; dirname(at) !== at; at = dirname(at)) {
      const folder = realOr(dirname(at));
      if (!opened.some((one) => isBelow(folder, one))) continue;
      const { mode, uid } = statSync(folder);
      // The group bits are also the upper limit of an access control list. In a sticky folder only owners change entries.
      const isOpen = (mode & 0o022) !== 0 && ((mode & 0o1000) === 0 || isRunUid(lstatSync(at).uid, uids));
      if (isOpen || isRunUid(uid, uids)) return folder;
    }
  }
  return undefined;
}

function isRunUid(id: number, uids: RunUids): boolean {
  if (uids === null) return id === process.getuid?.();
  return id >= uids.first && id < uids.first + uids.count;
}

function proxyPolicy({ network, hosts }: RunTerms, { ranges, server }: HostAccess): ProxyPolicy {
  return {
    hosts: network ? null : hosts,
    refuses(address, port) {
      if (server.isAt(address, port)) return "it is Skillgate’s own server";
      return isAllowedAddress(address, ranges)
        ? null
        : `${address} is not a public address, and not in a range of SKILLGATE_WORKER_RANGES`;
    },
  };
}

/** Variables that tell built-ins in the host's network which addresses are allowed; these built-ins enforce it themselves. */
async function releaseEnv(
  { network, namespaces }: RunTerms,
  { ranges, server }: HostAccess,
): Promise<Record<string, string>> {
  if (!network && !namespaces.includes("net")) return {};
  const denied = (await server.isLocal()) ? `:${server.port}` : "";
  return { SKILLGATE_RUN_RANGES: ranges.texts.join(","), SKILLGATE_RUN_DENIED: denied };
}
