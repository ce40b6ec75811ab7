import { z } from "zod";

/** A line of JSON from the recorder: what programs in its network asked for and sent. */
export const RecorderMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), certificate: z.string().max(10_000) }),
  /**
   * `address`: what the recorder answered for this name. `server`: the name server that was asked. `bytes`: the whole
   * message, because a name may be longer than `name`, and more may be sent behind it.
   */
  z.object({
    kind: z.literal("name"),
    name: z.string().max(255),
    address: z.string().max(50),
    server: z.string().max(50),
    bytes: z.base64(),
  }),
  /** The first bytes of a connection, when it ended or paused; more for the same connection may follow. */
  z.object({
    kind: z.literal("data"),
    channel: z.enum(["http", "tls", "tcp", "udp"]),
    /** A number of its own for each connection, 0 for a datagram. */
    connection: z.number().int().nonnegative(),
    address: z.string().max(50),
    port: z.number().int(),
    host: z.string().max(255).nullable(),
    bytes: z.base64(),
  }),
  /**
   * The marker that the worker sent: everything before it has been reported. `dropped`: connections and pieces of data
   * since the last one that were over a limit of the recorder. `unserved`: datagrams to ports that it does not serve.
   */
  z.object({
    kind: z.literal("mark"),
    mark: z.string().max(100),
    dropped: z.number().int().nonnegative(),
    unserved: z.number().int(),
  }),
]);
export type RecorderMessage = z.infer<typeof RecorderMessage>;

/** The name server of the decoy world. */
export const NAMESERVER = "10.0.2.3";

/** TCP ports that the recorder serves, at every address. */
export const SERVED_PORTS = [
  ...[21, 22, 25, 53, 80, 110, 143, 389, 443, 465, 587, 993, 1080, 1337, 2222, 3000, 3128, 3333, 4444, 4443, 5000],
  ...[5432, 5555, 6379, 6667, 7777, 8000, 8001, 8008, 8080, 8081, 8088, 8443, 8888, 9000, 9001, 9090, 9200, 9418],
  ...[9999, 13337, 27017, 31337],
];

/** UDP ports whose bytes the recorder keeps; only 53 is answered. */
export const SERVED_UDP_PORTS = [53, 123, 514, 1337, 4444, 5353, 8125, 9999];
