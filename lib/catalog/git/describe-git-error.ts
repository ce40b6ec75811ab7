import { GatewayOverflow } from "@/lib/core/outgoing/open-gateway";
import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { SyncFailure } from "../sync-failure";
import { GitFailed } from "./git-command";

type Context = {
  /** What was asked for: “the repository git.acme.example/skills”. */
  what: string;
  host: string;
  hasCredential: boolean;
  /** Why the connection of this command failed, if it did. */
  connection: Error | null;
  now: Date;
};

type Advice = (context: Context) => [code: SyncFailure["code"], message: string];

const credentialText = (hasCredential: boolean, ask: string) =>
  hasCredential ? "Check the credential of the source and what it may read." : ask;

/** What git and ssh say in English (`LC_ALL=C`), the more particular text first. */
const KNOWN: [RegExp, Advice][] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i,
    ({ host }) => [
      "host_key_changed",
      `${host} showed another host key than the pinned one, so nothing was sent. Ask its operator; when the key was replaced, forget the pinned one in the source.`,
    ],
  ],
  [
    /Permission denied \(|Authentication failed|could not read (Username|Password)|returned error: 401|invalid format|error in libcrypto/i,
    ({ what, host, hasCredential }) => [
      "token_refused",
      `${host} requires a valid credential to read ${what}. ${credentialText(hasCredential, "Set a token or a deploy key on the source.")}`,
    ],
  ],
  [
    /returned error: 403/i,
    ({ what, host, hasCredential }) => [
      "forbidden",
      `${host} does not allow reading ${what}. ${credentialText(hasCredential, "Set a credential that may read it.")}`,
    ],
  ],
  [
    /returned error: 30\d|unable to update url base from redirection/i,
    ({ what, host }) => [
      "redirect_refused",
      `${host} redirected ${what}; redirects are not followed. Use the address that the host names, often one that ends in .git.`,
    ],
  ],
  [
    /returned error: 429/i,
    ({ host }) => ["rate_limited", `${host} limits the number of requests. It is tried again later.`],
  ],
  [
    /returned error: 5\d\d/i,
    ({ what, host }) => ["upstream_unavailable", `${host} failed for ${what}. Try again later.`],
  ],
  [
    /mismatched algorithms|unknown object format|object format/i,
    ({ what }) => ["unexpected_status", `${what} names its objects by SHA-256, which sources cannot use yet.`],
  ],
  [
    /not our ref|unadvertised object|couldn't find remote ref|no such remote ref|bad object|did not send all necessary objects/i,
    ({ what }) => ["ref_not_found", `The commit is no longer in ${what}. Sync again.`],
  ],
  [
    /not valid: is this a git repository|invalid content-type|protocol error|bad line length|invalid server response|unable to parse/i,
    ({ what, host }) => [
      "malformed_answer",
      `${host} did not answer as a git server for ${what}. Check that the address is the one for “git clone”.`,
    ],
  ],
  [
    /repository .*not found|returned error: 4(04|10)|does not appear to be a git repository|not found/i,
    ({ what, host, hasCredential }) => [
      "not_found",
      `${host} does not find ${what}. ${credentialText(hasCredential, "Check the address. A private repository needs a credential.")}`,
    ],
  ],
  [
    /certificate|SSL_connect|gnutls_handshake|SSL: no alternative/i,
    ({ host }) => [
      "connection",
      `The TLS connection to ${host} failed. Check its certificate, or name the file of its authority in NODE_EXTRA_CA_CERTS.`,
    ],
  ],
  [
    /File too large|file write error|out of memory|unable to create thread|Cannot allocate/i,
    ({ what }) => ["too_large", `${what} is larger than this server reads.`],
  ],
];

/** Explains why a command of git failed; other errors stay as they are. */
export function describeGitError(error: unknown, context: Context): unknown {
  const { connection, host, what, now } = context;
  if (!(error instanceof GitFailed)) return error;
  const refusal = refusalIn(connection);
  if (refusal !== null) return new SyncFailure("address_not_allowed", refusal.message, { cause: connection });
  if (connection instanceof GatewayOverflow)
    return new SyncFailure("too_large", `${host} sent ${connection.message} for ${what}, which is the limit.`);
  if (error.isLate || connection?.name === "TimeoutError")
    return new SyncFailure("timeout", `${host} did not answer in time for ${what}. Try again later.`);
  const known = KNOWN.find(([pattern]) => pattern.test(error.stderr));
  const reason = connection === null ? null : networkReason(connection);
  if (reason !== null && (known === undefined || known[0].test("not found")))
    return new SyncFailure("connection", `${host} could not be reached (${reason}). Check the server’s network.`);
  if (known === undefined)
    return new SyncFailure("connection", `The connection to ${host} broke while reading ${what}. Try again later.`, {
      cause: error,
    });
  const [code, message] = known[1](context);
  const retryAt = code === "rate_limited" ? new Date(now.getTime() + 60_000) : null;
  return new SyncFailure(code, message, { retryAt, cause: error });
}

function networkReason(error: Error): string | null {
  switch ("code" in error ? error.code : null) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_FAIL":
    case "ENODATA":
      return "name not found";
    case "ECONNREFUSED":
      return "connection refused";
    case "ETIMEDOUT":
      return "connection timed out";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "no route to the host";
    default:
      return null;
  }
}
