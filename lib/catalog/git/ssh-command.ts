import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The name of every source's host in its own file of host keys. */
const ALIAS = "skillgate-source";
const KNOWN_HOSTS = "known_hosts";
const KEY = "deploy_key";

type Options = {
  /** A folder that only this user may open. */
  folder: string;
  /** The gateway to the host, on this machine. */
  port: number;
  privateKey: string | null;
  /** Pinned keys, one `type base64` a line; null before the first connection, which pins what the host shows. */
  hostKeys: string | null;
};

/**
 * Writes the keys of an ssh connection and returns the text of `GIT_SSH_COMMAND`: no files, agents or settings of this user, no
 * questions, no forwarding, and one host key (ssh_config(5)).
 */
export async function sshCommand({ folder, port, privateKey, hostKeys }: Options): Promise<string> {
  const known = (hostKeys ?? "").split("\n").filter(Boolean);
  await writeFile(join(folder, KNOWN_HOSTS), known.map((line) => `${ALIAS} ${line}\n`).join(""), { mode: 0o600 });
  if (privateKey !== null) await writeFile(join(folder, KEY), `${privateKey.trim()}\n`, { mode: 0o600 });
  const settings = {
    HostName: "127.0.0.1",
    Port: String(port),
    HostKeyAlias: ALIAS,
    UserKnownHostsFile: join(folder, KNOWN_HOSTS),
    GlobalKnownHostsFile: "/dev/null",
    StrictHostKeyChecking: hostKeys === null ? "accept-new" : "yes",
    UpdateHostKeys: "no",
    HashKnownHosts: "no",
    CheckHostIP: "no",
    VerifyHostKeyDNS: "no",
    BatchMode: "yes",
    PreferredAuthentications: "publickey",
    IdentityFile: privateKey === null ? "none" : join(folder, KEY),
    IdentitiesOnly: "yes",
    IdentityAgent: "none",
    ForwardAgent: "no",
    ForwardX11: "no",
    ClearAllForwardings: "yes",
    PermitLocalCommand: "no",
    ProxyCommand: "none",
    ControlMaster: "no",
    ControlPath: "none",
    ConnectTimeout: "15",
    LogLevel: "ERROR",
  };
  const given = Object.entries(settings).map(([name, value]) => `-o '${name}=${quoted(value)}'`);
  return `ssh -F /dev/null ${given.join(" ")}`;
}

/** The keys that the host showed: those that were pinned, or those of a first connection. Null when it showed none. */
export async function readHostKeys(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, KNOWN_HOSTS), "utf8").catch(() => "");
  const keys = text.split("\n").flatMap((line) => {
    const [, type, key] = line.split(" ");
    return type !== undefined && key !== undefined ? [`${type} ${key}`] : [];
  });
  return keys.length === 0 ? null : keys.join("\n");
}

/** `SHA256:…`, as ssh shows a key, with its type in front. */
export function fingerprintsOf(hostKeys: string): string[] {
  return hostKeys.split("\n").flatMap((line) => {
    const [type, key] = line.split(" ");
    if (type === undefined || key === undefined) return [];
    const hash = createHash("sha256").update(Buffer.from(key, "base64")).digest("base64");
    return [`${type} SHA256:${hash.replace(/=+$/, "")}`];
  });
}

/** ssh reads `%` and `"` in a value, and the shell a quote; folders of this server have none of them. */
function quoted(value: string): string {
  if (/['"%\n]/.test(value)) throw new Error("a path of this server cannot be given to ssh");
  return value;
}
