import type { LookupAddress } from "node:dns";
import http from "node:http";
import https, { type RequestOptions, type AgentOptions as TlsAgentOptions } from "node:https";
import { connect, type LookupFunction, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { assertPlainAllowed, type Destination, type OutgoingPolicy, resolveAllowed } from "./outgoing-policy";

type Opened = (error: Error | null, socket?: Duplex) => void;
type SocketOptions = RequestOptions & { socketPath?: string | null };

/**
 * Opens a TCP connection to an address that the policy allows. Throws like `resolveAllowed`; connection errors are
 * events of the socket.
 */
export async function connectOutgoing(
  policy: OutgoingPolicy,
  { host, port }: Destination,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Socket> {
  const addresses = await resolveAllowed(policy, { host, port }, options.timeoutMs);
  options.signal?.throwIfAborted();
  return connect({
    ...{ host, port, lookup: answerWith(addresses) },
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
}

/** Agents of `node:http` and `node:https` that connect only to addresses that the policy allows. */
export type OutgoingAgents = { http: http.Agent; https: https.Agent };

/**
 * Creates both agents. Each new connection asks `policy`; kept-alive connections were checked by the policy of that
 * time, so an agent with keep-alive belongs to one policy.
 */
export function createAgents(policy: () => OutgoingPolicy, options: TlsAgentOptions = {}): OutgoingAgents {
  return { http: new PlainAgent(policy, options), https: new TlsAgent(policy, options) };
}

class PlainAgent extends http.Agent {
  readonly #policy: () => OutgoingPolicy;

  constructor(policy: () => OutgoingPolicy, options: http.AgentOptions) {
    super(options);
    this.#policy = policy;
  }

  override createConnection(options: SocketOptions, opened: Opened): undefined {
    const create = (checked: SocketOptions) => super.createConnection(checked);
    void open(this.#policy, options, { create, isPlain: true }).then(...settle(opened));
  }
}

class TlsAgent extends https.Agent {
  readonly #policy: () => OutgoingPolicy;

  constructor(policy: () => OutgoingPolicy, options: TlsAgentOptions) {
    super(options);
    this.#policy = policy;
  }

  override createConnection(options: SocketOptions, opened: Opened): undefined {
    const create = (checked: SocketOptions) => super.createConnection(checked);
    void open(this.#policy, options, { create, isPlain: false }).then(...settle(opened));
  }
}

async function open(
  policy: () => OutgoingPolicy,
  options: SocketOptions,
  { create, isPlain }: { create: (options: SocketOptions) => Duplex | null | undefined; isPlain: boolean },
): Promise<Duplex> {
  if (options.socketPath) throw new Error("a connection to a socket of this machine is not an outgoing one");
  const wanted = { host: options.host ?? "", port: Number(options.port) };
  const asked = policy();
  const addresses = await resolveAllowed(asked, wanted, options.timeout);
  if (isPlain) assertPlainAllowed(asked, wanted, addresses);
  const socket = create({ ...options, lookup: answerWith(addresses) });
  if (!socket) throw new Error("the agent opened no connection");
  return socket;
}

function settle(opened: Opened): [(socket: Duplex) => void, (error: Error) => void] {
  return [(socket) => opened(null, socket), (error) => opened(error)];
}

/** Returns the checked addresses, asynchronously, so that the caller can first listen to its socket. */
function answerWith(addresses: LookupAddress[]): LookupFunction {
  return (_name, { all }, done) => {
    setImmediate(() => {
      const [first] = addresses;
      if (all) done(null, addresses);
      else done(null, first?.address ?? "", first?.family);
    });
  };
}
