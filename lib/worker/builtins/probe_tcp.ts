import { connect } from "node:net";
import { z } from "zod";
import type { BuiltinMetadata } from "./kit/builtin";

const schema = () =>
  z.strictObject({
    host: z.string().min(1).max(253).describe("Name or IP address."),
    port: z.int().min(1).max(65_535).describe("TCP port."),
    timeout_ms: z.int().min(100).max(20_000).default(3000).describe("For the connection, in milliseconds."),
  });

export const metadata: BuiltinMetadata = {
  name: "probe_tcp",
  label: "Probe TCP",
  description:
    "Try to open a TCP connection from a host and report whether somebody accepts it and how fast. Sends nothing.",
  class: "safe",
  category: "network",
  schema,
  resultPreview: "open, the address connected to and the milliseconds; error with its code when it is closed",
  grants: { namespaces: ["net"] },
};

export function execute({ host, port, timeout_ms }: z.infer<ReturnType<typeof schema>>): Promise<unknown> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let address: string | null = null;
    const socket = connect({ host, port });
    const finish = (open: boolean, error: { code: string; message: string } | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ host, port, address, open, milliseconds: Math.round(performance.now() - startedMs), error });
    };
    const timer = setTimeout(
      () => finish(false, { code: "timed_out", message: `Nobody answered within ${timeout_ms} ms.` }),
      timeout_ms,
    );
    socket.on("lookup", (_error, found: string | undefined) => {
      address = found ?? null;
    });
    socket.once("connect", () => {
      address = socket.remoteAddress ?? address;
      finish(true, null);
    });
    socket.once("error", (cause: NodeJS.ErrnoException) =>
      finish(false, { code: cause.code ?? "failed", message: explain(cause) }),
    );
  });
}

function explain({ code, message }: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ECONNREFUSED: "The host refuses connections to this port.",
    ENOTFOUND: "There is no host of that name.",
    EHOSTUNREACH: "The host cannot be reached.",
    ENETUNREACH: "There is no way to that network.",
  };
  return known[code ?? ""] ?? message.slice(0, 300);
}
