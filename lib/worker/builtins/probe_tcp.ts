import { z } from "zod";
import { connectOutgoing } from "@/lib/core/outgoing/connect-outgoing";
import type { OutgoingPolicy } from "@/lib/core/outgoing/outgoing-policy";
import { type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { runPolicy } from "./kit/run-policy";

const schema = () =>
  z.strictObject({
    host: z.string().min(1).max(253).describe("Name or IP address."),
    port: z.int().min(1).max(65_535).describe("TCP port."),
    timeout_ms: z.int().min(100).max(20_000).default(3000).describe("Timeout for the connection, in milliseconds."),
  });

export const metadata: BuiltinMetadata = {
  name: "probe_tcp",
  label: "Probe TCP",
  description:
    "Try to open a TCP connection from a host and report whether it is accepted and how fast. Sends nothing.",
  class: "safe",
  category: "network",
  schema,
  resultPreview:
    "open, the address connected to and the milliseconds; error with its code when it is closed or the address is not allowed",
  grants: { namespaces: ["net"] },
};

type Outcome = { address: string | null; open: boolean; error: { code: string; message: string } | null };

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const { host, port } = args;
  const policy = runPolicy(io, "probe_tcp");
  const startedMs = performance.now();
  const outcome = await tryOpen(args, policy).catch((cause: NodeJS.ErrnoException) => ({
    ...{ address: null, open: false },
    error: { code: cause.code ?? "failed", message: explain(cause) },
  }));
  return { host, port, milliseconds: Math.round(performance.now() - startedMs), ...outcome };
}

async function tryOpen(
  { host, port, timeout_ms }: z.infer<ReturnType<typeof schema>>,
  policy: OutgoingPolicy,
): Promise<Outcome> {
  const deadlineMs = performance.now() + timeout_ms;
  const socket = await connectOutgoing(policy, { host, port }, { timeoutMs: timeout_ms });
  return new Promise((resolve) => {
    let address: string | null = null;
    const finish = (error: Outcome["error"]) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ address, open: error === null, error });
    };
    const timer = setTimeout(
      () => finish({ code: "timed_out", message: `No answer within ${timeout_ms} ms.` }),
      Math.max(0, deadlineMs - performance.now()),
    );
    socket.on("lookup", (_error, found: string | undefined) => {
      address = found ?? null;
    });
    socket.once("connect", () => {
      address = socket.remoteAddress ?? address;
      finish(null);
    });
    socket.once("error", (cause: NodeJS.ErrnoException) =>
      finish({ code: cause.code ?? "failed", message: explain(cause) }),
    );
  });
}

function explain({ code, message }: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ECONNREFUSED: "The host refuses connections to this port.",
    ENOTFOUND: "There is no host of that name.",
    EHOSTUNREACH: "The host cannot be reached.",
    ENETUNREACH: "There is no route to that network.",
  };
  return known[code ?? ""] ?? cutText(message, 600);
}
