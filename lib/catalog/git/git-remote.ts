import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SourceCredential } from "@/lib/catalog/sources/schema";
import { SyncFailure } from "@/lib/catalog/sync-failure";
import { openGateway } from "@/lib/core/outgoing/open-gateway";
import { outgoingPolicy } from "@/lib/core/outgoing/server-features";
import { trustedCertificates } from "@/lib/core/outgoing/trusted-certificates";
import { describeGitError } from "./describe-git-error";
import { destinationOfGit, type GitAddress, hostOfGit, readGitAddress } from "./git-address";
import { type GitSettings, gitEnvironment, isSupported, runGit } from "./git-command";
import { readHostKeys, sshCommand } from "./ssh-command";

export type GitPlace = { repoUrl: string; hostKeys: string | null };

export type GitOptions = {
  credential: SourceCredential | null;
  /** An empty folder for all files of this source, which the caller removes. */
  scratch: string;
  now?: (() => Date) | undefined;
  signal?: AbortSignal | undefined;
  /** How long nothing may arrive; the time of a whole command is a multiple of it. 60 seconds by default. */
  timeoutMs?: number | undefined;
  maxBytes?: number | undefined;
};

export type GitRemote = {
  /** Name of the repository for messages. */
  what: string;
  /** Runs a git command that talks to the repository, in `cwd`; arguments name it by `url`. Throws `SyncFailure`s. */
  run(args: string[], options?: { cwd?: string; input?: string; isLong?: boolean }): Promise<string>;
  url: string;
  requests(): number;
  /** The host keys of ssh; null for other schemes, and before a connection. */
  hostKeys(): string | null;
};

const IDLE_MS = 60_000;
/** An archive of GitHub has the same limit. */
const MAX_BYTES = 2 * 1024 ** 3;
const LONG = 20;
/** Bitbucket’s access tokens need this name; the other hosts accept any that is not empty. */
const TOKEN_USER = "x-token-auth";

/**
 * Opens a repository for the system's git. Each command connects through a gateway of its own, which leads to the host of the address
 * only and counts what arrives.
 */
export function openGitRemote(place: GitPlace, options: GitOptions): GitRemote {
  const address = readGitAddress(place.repoUrl);
  if (address === null) throw new SyncFailure("not_found", "The address of the source is not one of a git repository.");
  const { credential, scratch, signal, now = () => new Date(), timeoutMs = IDLE_MS, maxBytes = MAX_BYTES } = options;
  const host = hostOfGit(address);
  const what = `the repository ${host}/${address.path}`;
  let requests = 0;
  let hostKeys = address.scheme === "ssh" ? place.hostKeys : null;

  return { what, url: place.repoUrl, run, requests: () => requests, hostKeys: () => hostKeys };

  async function run(
    args: string[],
    { cwd, input = "", isLong = false }: { cwd?: string; input?: string; isLong?: boolean } = {},
  ): Promise<string> {
    signal?.throwIfAborted();
    await requireSupported(scratch);
    requests += 1;
    const home = await mkdtemp(join(scratch, "home-"));
    const isSsh = address?.scheme === "ssh";
    const gateway = await openGateway(outgoingPolicy("catalog"), destinationOfGit(address as GitAddress), {
      mode: isSsh ? "forward" : "socks5",
      maxBytes,
      idleMs: timeoutMs,
      onlyPrivate: address?.scheme === "http",
    });
    try {
      const env = isSsh
        ? await sshEnvironment(home, gateway.port)
        : await httpEnvironment(home, gateway.port, (address as GitAddress).scheme);
      const limit = isLong ? timeoutMs * LONG : timeoutMs * 2;
      const output = await runGit({ args, env, cwd: cwd ?? home, input, signal, timeoutMs: limit });
      if (isSsh) hostKeys = await readHostKeys(home);
      return output;
    } catch (error) {
      signal?.throwIfAborted();
      const hasCredential = credential !== null;
      throw describeGitError(error, { what, host, hasCredential, connection: gateway.failure(), now: now() });
    } finally {
      gateway.close();
    }
  }

  async function httpEnvironment(home: string, port: number, scheme: string): Promise<Record<string, string>> {
    const certificates = join(home, "authorities.pem");
    await writeFile(certificates, trustedCertificates());
    const settings: GitSettings = {
      "http.proxy": `socks5h://127.0.0.1:${port}`,
      "http.sslCAInfo": certificates,
      ...(credential?.kind === "token" && { "http.extraHeader": `Authorization: ${basicAuth(credential)}` }),
    };
    return gitEnvironment(home, settings, { scheme });
  }

  async function sshEnvironment(home: string, port: number): Promise<Record<string, string>> {
    const privateKey = credential?.kind === "key" ? credential.privateKey : null;
    const ssh = await sshCommand({ folder: home, port, privateKey, hostKeys });
    return gitEnvironment(home, {}, { scheme: "ssh", ssh });
  }
}

/** The value of an `Authorization` header for a token, which hosts of git accept as the password of any user. */
export function basicAuth({ username, token }: { username: string | null; token: string }): string {
  return `Basic ${Buffer.from(`${username ?? TOKEN_USER}:${token}`).toString("base64")}`;
}

let isChecked = false;

async function requireSupported(folder: string): Promise<void> {
  if (isChecked) return;
  const env = gitEnvironment(folder, {}, { scheme: "https" });
  const version = await runGit({ args: ["version"], env, cwd: folder, timeoutMs: 10_000 });
  if (!isSupported(version)) {
    throw new SyncFailure(
      "git_missing",
      `This server has ${version.trim()}, which is too old. Install git 2.31 or newer.`,
    );
  }
  isChecked = true;
}
