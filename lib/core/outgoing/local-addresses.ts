import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";

/**
 * The addresses of this host. Node leaves out those of interfaces without a carrier, which the kernel answers all the same:
 * on Linux they are read from its tables (proc_pid_net(5): fib_trie, if_inet6), as they are in this network namespace.
 */
export function localAddresses(): string[] {
  const listed = Object.values(networkInterfaces()).flatMap((found) => found?.map((one) => one.address) ?? []);
  const routed = [...read("/proc/net/fib_trie").matchAll(/\|-- (\S+)\s+\/32 host LOCAL/g)].map(
    (match) => match[1] ?? "",
  );
  const assigned = [...read("/proc/net/if_inet6").matchAll(/^[0-9a-f]{32}/gm)].map(([digits]) =>
    (digits.match(/.{4}/g) ?? []).join(":"),
  );
  return [...new Set([...listed, ...routed, ...assigned])];
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
