import { z } from "zod";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** `example.org`, `*.example.org` or an IPv4 address, each with an optional port; no scheme and no path. */
function isHost(text: string): boolean {
  const [host = "", port, ...more] = text.split(":");
  if (more.length > 0 || (port !== undefined && !/^[1-9]\d{0,4}$/.test(port)) || Number(port ?? 0) > 65_535)
    return false;
  const labels = host.replace(/^\*\./, "").split(".");
  return host.length <= 253 && labels.every((label) => LABEL.test(label));
}

function isPlainPath(path: string): boolean {
  const parts = path.split("/").slice(1);
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  return path.startsWith("/") && (path === "/" || isPlain) && !/\p{Cc}/u.test(path);
}

/** Namespaces of the host that a run may share. `network` is an alias of `net`. */
export const HostNamespace = z.enum(["cgroup", "ipc", "net", "network", "pid", "user", "uts"]);

export const CredentialName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    "use lower-case letters, digits, - and _; at most 63; begin with a letter or digit",
  );

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const FILE = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** Given as the environment variable `name` or the file `/run/secrets/<name>`. `slot`: the skill's name for it. */
export const CredentialGrant = z
  .strictObject({
    slot: z.string().trim().min(1).max(100),
    credential: CredentialName,
    as: z.enum(["env", "file"]),
    name: z.string(),
  })
  .superRefine(({ as, name }, issues) => {
    if ((as === "env" ? VARIABLE : FILE).test(name)) return;
    const message = as === "env" ? "must be an environment variable name" : "must be a file name such as token.txt";
    issues.addIssue({ code: "custom", path: ["name"], message });
  });
export type CredentialGrant = z.infer<typeof CredentialGrant>;

/**
 * Permissions that a decision gives to a version's runs. Absent fields take the declared values; absent `network` means none.
 * `tools`: patterns of `allowed-tools` that agents may use without asking. `capabilities`: Linux capabilities.
 */
export const Grants = z.strictObject({
  network: z
    .union([z.boolean(), z.array(z.string().refine(isHost, "must be a host such as example.org")).max(100)])
    .optional(),
  scripts: z.boolean().optional(),
  tools: z.array(z.string().trim().min(1).max(200)).max(100).optional(),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be an environment variable name"))
    .max(100)
    .optional(),
  paths: z
    .array(
      z.strictObject({
        path: z.string().max(1000).refine(isPlainPath, "must be an absolute path without . and .."),
        mode: z.enum(["ro", "rw"]),
      }),
    )
    .max(50)
    .optional(),
  namespaces: z.array(HostNamespace).max(10).optional(),
  capabilities: z
    .array(z.string().refine(isLinuxCapability, "must be a Linux capability such as CAP_NET_RAW"))
    .max(20)
    .optional(),
  credentials: z.array(CredentialGrant).max(20).optional(),
  /** A directory shared by the runs of a session, `/workspace`, writable. */
  workspace: z.boolean().optional(),
  timeoutSeconds: z.number().int().min(1).max(3600).optional(),
});
export type Grants = z.infer<typeof Grants>;

/** Names from capabilities(7), without `CAP_`. */
const NAMES = new Set(
  `AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER
   FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN NET_BIND_SERVICE
   NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT SYS_MODULE SYS_NICE
   SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM`.split(/\s+/),
);

export function isLinuxCapability(name: string): boolean {
  return NAMES.has(name.toUpperCase().replace(/^CAP_/, ""));
}

/** Normalises `net_raw` and `cap_net_raw` to `CAP_NET_RAW`. */
export function linuxCapability(name: string): string {
  return `CAP_${name.toUpperCase().replace(/^CAP_/, "")}`;
}
