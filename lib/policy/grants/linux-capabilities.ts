/** Names of capabilities(7), without their `CAP_`. */
const NAMES = new Set(
  `AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER
   FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN NET_BIND_SERVICE
   NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT SYS_MODULE SYS_NICE
   SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM`.split(/\s+/),
);

export function isLinuxCapability(name: string): boolean {
  return NAMES.has(name.toUpperCase().replace(/^CAP_/, ""));
}

/** `net_raw` and `cap_net_raw` as `CAP_NET_RAW`. */
export function linuxCapability(name: string): string {
  return `CAP_${name.toUpperCase().replace(/^CAP_/, "")}`;
}
