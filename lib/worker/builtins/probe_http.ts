import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { z } from "zod";
import { createAgents } from "@/lib/core/outgoing/connect-outgoing";
import type { OutgoingPolicy } from "@/lib/core/outgoing/outgoing-policy";
import { BuiltinError, type BuiltinIo, type BuiltinMetadata, cutText } from "./kit/builtin";
import { runPolicy } from "./kit/run-policy";

const schema = () =>
  z.strictObject({
    url: z.string().max(2000).describe("Address to request, http or https."),
    method: z.enum(["GET", "HEAD"]).default("GET").describe("Request method."),
    expect_status: z.int().min(100).max(599).optional().describe("Expected status; default: any below 400."),
    verify_tls: z.boolean().default(true).describe("Whether an untrusted certificate is a failure."),
    timeout_ms: z.int().min(100).max(20_000).default(5000).describe("Timeout for the whole probe, in milliseconds."),
  });

/** Sends one request, follows no redirect and keeps no body: it measures whether and how fast the address answers. */
export const metadata: BuiltinMetadata = {
  name: "probe_http",
  label: "Probe HTTP",
  description:
    "Ask a web address once from a host and report status, headers, certificate and how long each phase took. Follows no redirects and returns no body.",
  class: "safe",
  category: "network",
  schema,
  resultPreview:
    "ok, status, headers, certificate and milliseconds of each phase; error when there was no answer or the address is not allowed",
  grants: { namespaces: ["net"] },
};

const MAX_HEADERS = 40;
const MAX_BODY_BYTES = 5 * 1024 * 1024;

type Timings = { lookup: number | null; connect: number | null; tls: number | null; firstByte: number | null };
type Answer = {
  status: number;
  headers: Record<string, string>;
  bodyBytes: number;
  address: string | null;
  certificate: Certificate | null;
};
type Certificate = {
  subject: string;
  issuer: string;
  validTo: string;
  daysLeft: number;
  trusted: boolean;
  protocol: string | null;
};

export async function execute(args: z.infer<ReturnType<typeof schema>>, io: BuiltinIo): Promise<unknown> {
  const url = URL.canParse(args.url) ? new URL(args.url) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new BuiltinError("“url” is not an http or https address.");
  if (url.username || url.password) throw new BuiltinError("“url” must not hold a user name or a password.");
  const policy = runPolicy(io, "probe_http");
  const startedMs = performance.now();
  const timings: Timings = { lookup: null, connect: null, tls: null, firstByte: null };
  const asked = { url: url.href, method: args.method };
  const elapsed = () => ({ ...timings, total: Math.round(performance.now() - startedMs) });
  try {
    const answer = await ask(url, { args, policy, timings, startedMs });
    const isGood = args.expect_status === undefined ? answer.status < 400 : answer.status === args.expect_status;
    return { ...asked, ok: isGood, ...answer, milliseconds: elapsed(), error: null };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const error = { code: code ?? "failed", message: cutText(message, 300) };
    const nothing = { status: null, headers: {}, bodyBytes: 0, address: null, certificate: null };
    return { ...asked, ok: false, ...nothing, milliseconds: elapsed(), error };
  }
}

type Question = {
  args: z.infer<ReturnType<typeof schema>>;
  policy: OutgoingPolicy;
  timings: Timings;
  startedMs: number;
};

function ask(url: URL, { args, policy, timings, startedMs }: Question): Promise<Answer> {
  const agents = createAgents(() => policy);
  const note = (phase: keyof Timings) => () => {
    timings[phase] = Math.round(performance.now() - startedMs);
  };
  return new Promise((resolve, reject) => {
    const options = {
      method: args.method,
      timeout: args.timeout_ms,
      rejectUnauthorized: args.verify_tls,
      headers: { "user-agent": "skillgate-probe", accept: "*/*" },
      signal: AbortSignal.timeout(args.timeout_ms),
    };
    const outgoing =
      url.protocol === "https:"
        ? requestTls(url, { ...options, agent: agents.https })
        : requestPlain(url, { ...options, agent: agents.http });
    let socket: Socket | null = null;
    outgoing.once("socket", (opened) => {
      socket = opened;
      opened.once("lookup", note("lookup")).once("connect", note("connect")).once("secureConnect", note("tls"));
    });
    outgoing.once("error", (cause) => reject(cause.name === "AbortError" ? timeOut(args.timeout_ms) : cause));
    outgoing.once("response", (incoming) => {
      note("firstByte")();
      const address = socket?.remoteAddress ?? null;
      const certificate = socket && "getPeerCertificate" in socket ? describeCertificate(socket as TLSSocket) : null;
      let bodyBytes = 0;
      const finish = () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: pickHeaders(incoming.headers),
          bodyBytes,
          address,
          certificate,
        });
      incoming.on("data", (chunk: Buffer) => {
        bodyBytes += chunk.length;
        if (bodyBytes > MAX_BODY_BYTES) incoming.destroy();
      });
      incoming.once("error", () => reject(timeOut(args.timeout_ms)));
      incoming.once("end", finish).once("close", finish);
    });
    outgoing.end();
  });
}

function timeOut(limitMs: number): Error {
  return Object.assign(new Error(`No whole answer within ${limitMs} ms.`), { code: "timed_out" });
}

/** Cookies are left out: a reader of the result could sign in with them. */
function pickHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !/cookie|authenticat|authoriz/i.test(name))
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, cutText(String(value), 500)]),
  );
}

function describeCertificate(socket: TLSSocket): Certificate | null {
  const certificate = socket.getPeerCertificate();
  if (!certificate?.valid_to) return null;
  const validTo = new Date(certificate.valid_to);
  return {
    subject: cutText(String(certificate.subject?.CN ?? ""), 300),
    issuer: cutText(String(certificate.issuer?.O ?? certificate.issuer?.CN ?? ""), 300),
    validTo: validTo.toISOString(),
    daysLeft: Math.floor((validTo.getTime() - Date.now()) / 86_400_000),
    trusted: socket.authorized,
    protocol: socket.getProtocol(),
  };
}
