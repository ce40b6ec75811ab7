import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { z } from "zod";
import { destinationOf, type OutgoingPolicy, refusalIn, resolveAllowed } from "@/lib/core/outgoing/outgoing-policy";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata } from "./kit/builtin";
import { runPolicy } from "./kit/run-policy";

const TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "SOA", "CAA", "PTR"] as const;

const schema = () =>
  z.strictObject({
    name: z.string().min(1).max(253).describe("Name to look up; with the type PTR, an IP address."),
    type: z.enum(TYPES).default("A").describe("Type of the records."),
    server: z
      .string()
      .max(100)
      .optional()
      .describe("IP address of the name server, with an optional port; default: the host's own."),
    timeout_ms: z.int().min(100).max(20_000).default(3000).describe("Timeout for the answer, in milliseconds."),
  });

export const metadata: BuiltinMetadata = {
  name: "probe_dns",
  label: "Probe DNS",
  description:
    "Look a name up from a host, at its own name servers or at one you name, and report the records and the time it took.",
  class: "safe",
  category: "network",
  schema,
  resultPreview:
    "ok, the records, the servers asked and the milliseconds; error with the code of the name server, or when its address is not allowed",
  grants: { namespaces: ["net"] },
};

const MAX_ANSWERS = 100;

/** Checks only a name server from the arguments: the host's own are its configuration, and answers are never connected to. */
export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const resolver = new Resolver({ timeout: args.timeout_ms, tries: 1 });
  const policy = runPolicy(io, "probe_dns");
  if (args.server !== undefined) setServer(resolver, args.server);
  const startedMs = performance.now();
  const asked = { name: args.name, type: args.type, servers: resolver.getServers().slice(0, 10) };
  const timer = setTimeout(() => resolver.cancel(), args.timeout_ms);
  try {
    if (args.server !== undefined) await judgeServers(resolver, policy);
    const answers = await lookUp(resolver, args);
    const milliseconds = Math.round(performance.now() - startedMs);
    const kept = answers.slice(0, MAX_ANSWERS);
    return { ...asked, ok: true, answers: kept, truncated: answers.length > MAX_ANSWERS, milliseconds, error: null };
  } catch (cause) {
    const { code = "failed" } = cause as NodeJS.ErrnoException;
    const message = refusalIn(cause)?.message ?? explain(code, args);
    const milliseconds = Math.round(performance.now() - startedMs);
    return {
      ...asked,
      ok: false,
      answers: [],
      truncated: false,
      milliseconds,
      error: { code, message },
    };
  } finally {
    clearTimeout(timer);
  }
}

function setServer(resolver: Resolver, server: string): void {
  try {
    // Node aborts the process for port 0.
    if (isIP(server) === 0 && /:0+$/.test(server)) throw new Error("the port is 0");
    resolver.setServers([server]);
  } catch (cause) {
    throw new BuiltinError("“server” is not an IP address such as 192.0.2.53 or 192.0.2.53:5353.", { cause });
  }
}

async function judgeServers(resolver: Resolver, policy: OutgoingPolicy): Promise<void> {
  for (const server of resolver.getServers()) {
    // An address of IPv6 has brackets only when a port follows.
    const host = isIP(server) === 6 ? `[${server}]` : server;
    await resolveAllowed(policy, destinationOf(`http://${host}`, 53));
  }
}

async function lookUp(resolver: Resolver, { name, type }: z.infer<ReturnType<typeof schema>>): Promise<unknown[]> {
  if (type !== "PTR") {
    const found = await resolver.resolve(name, type);
    return Array.isArray(found)
      ? found.map((record) => (type === "TXT" ? (record as string[]).join("") : record))
      : [found];
  }
  if (isIP(name) === 0) throw new BuiltinError("With the type PTR, “name” is an IP address.");
  return resolver.reverse(name);
}

function explain(code: string, { name, type, timeout_ms }: z.infer<ReturnType<typeof schema>>): string {
  const known: Record<string, string> = {
    ENOTFOUND: `There is no name ${name}.`,
    ENODATA: `${name} has no records of type ${type}.`,
    ETIMEOUT: `No name server answered within ${timeout_ms} ms.`,
    ECANCELLED: `No name server answered within ${timeout_ms} ms.`,
    ECONNREFUSED: "The name server refuses to talk.",
    ESERVFAIL: "The name server failed to find out.",
    EREFUSED: "The name server refuses to answer this.",
    EBADNAME: `${name} is no name that can be looked up.`,
  };
  return known[code] ?? `The lookup failed (${code}).`;
}
