import http from "node:http";
import https from "node:https";
import type { z } from "zod";
import {
  AgentTurn,
  type AgentTurnRequest,
  type AnalysisLease,
  AnalysisLeaseResponse,
  type AnalysisOutcome,
  type ExchangeRequest,
  ExchangeResponse,
  HeldAnalyses,
  type InventoryRequest,
  InventoryResponse,
  type Lease,
  type RegisterRequest,
  RegisterResponse,
} from "./protocol";

const ANSWER_MS = 15_000;
const MODEL_MS = 120_000;
const BLOB_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_BLOB_BYTES = 256 * 1024 * 1024;

export type Server = {
  register(request: RegisterRequest): Promise<RegisterResponse>;
  exchange(request: ExchangeRequest, signal?: AbortSignal): Promise<ExchangeResponse>;
  fetchBlob(lease: Lease, sha256: string, signal?: AbortSignal): Promise<Buffer>;
  sendInventory(request: InventoryRequest, signal?: AbortSignal): Promise<InventoryResponse>;
  sendBlob(sha256: string, bytes: Buffer, signal?: AbortSignal): Promise<void>;
  leaseAnalysis(signal?: AbortSignal): Promise<AnalysisLease | null>;
  holdsAnalysis(lease: AnalysisLease, signal?: AbortSignal): Promise<boolean>;
  fetchAnalysisBlob(lease: AnalysisLease, sha256: string, signal?: AbortSignal): Promise<Buffer>;
  askAgent(analysisId: string, asked: AgentTurnRequest, signal?: AbortSignal): Promise<AgentTurn>;
  reportAnalysis(lease: AnalysisLease, outcome: AnalysisOutcome, signal?: AbortSignal): Promise<void>;
};

/** The client of the server's endpoints. Every call throws ServerError unless the answer is 2xx and has the expected shape. */
export function connectServer({ url, token }: { url: string; token: string }): Server {
  const base = new URL(url.endsWith("/") ? url : `${url}/`);

  async function post<S extends z.ZodType>(
    path: string,
    body: unknown,
    schema: S,
    waitMs: number,
    signal?: AbortSignal,
  ) {
    const answer = await sendRequest({
      method: "POST",
      url: new URL(path, base),
      token,
      body: JSON.stringify(body),
      timeoutMs: waitMs + ANSWER_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    });
    return readAnswer(path, answer, schema);
  }

  async function getBlob(blob: URL, signal?: AbortSignal): Promise<Buffer> {
    const options = { method: "GET", url: blob, token, timeoutMs: BLOB_MS, maxBytes: MAX_BLOB_BYTES } as const;
    const answer = await sendRequest({ ...options, signal });
    if (!isSuccess(answer.status)) throw refusal("the blob", answer);
    return answer.body;
  }

  return {
    register: (request) => post("api/worker/register", request, RegisterResponse, 0),
    exchange: (request, signal) =>
      post("api/worker/exchange", request, ExchangeResponse, request.waitSeconds * 1000, signal),
    fetchBlob(lease, sha256, signal) {
      const blob = new URL(`api/worker/blobs/${sha256}`, base);
      blob.searchParams.set("run", lease.runId);
      blob.searchParams.set("fence", String(lease.fence));
      return getBlob(blob, signal);
    },
    sendInventory: (request, signal) => post("api/worker/inventory", request, InventoryResponse, BLOB_MS, signal),
    async sendBlob(sha256, bytes, signal) {
      const options = { method: "PUT", url: new URL(`api/worker/blobs/${sha256}`, base), token, body: bytes } as const;
      const limits = { timeoutMs: BLOB_MS, maxBytes: MAX_BLOB_BYTES };
      const answer = await sendRequest({ ...options, ...limits, signal });
      if (!isSuccess(answer.status)) throw refusal("a file", answer);
    },
    async leaseAnalysis(signal) {
      return (await post("api/worker/analyses", {}, AnalysisLeaseResponse, 0, signal)).analysis;
    },
    async holdsAnalysis({ analysisId, fence }, signal) {
      const options = { method: "GET", url: new URL("api/worker/analyses", base), token } as const;
      const answer = await sendRequest({ ...options, timeoutMs: ANSWER_MS, maxBytes: MAX_ANSWER_BYTES, signal });
      const { analyses } = readAnswer("api/worker/analyses", answer, HeldAnalyses);
      return analyses.some((held) => held.analysisId === analysisId && held.fence === fence);
    },
    fetchAnalysisBlob: ({ analysisId }, sha256, signal) =>
      getBlob(new URL(`api/worker/analyses/${analysisId}/blobs/${sha256}`, base), signal),
    askAgent: (analysisId, asked, signal) =>
      post(`api/worker/analyses/${analysisId}/agent`, asked, AgentTurn, MODEL_MS, signal),
    async reportAnalysis({ analysisId, fence }, outcome, signal) {
      const answer = await sendRequest({
        ...{ method: "POST", url: new URL(`api/worker/analyses/${analysisId}/report`, base), token },
        ...{ body: JSON.stringify({ fence, outcome }), timeoutMs: BLOB_MS, maxBytes: MAX_ANSWER_BYTES, signal },
      });
      if (!isSuccess(answer.status)) throw refusal("the report of an analysis", answer);
    },
  };
}

function readAnswer<S extends z.ZodType>(
  path: string,
  answer: { status: number; body: Buffer },
  schema: S,
): z.infer<S> {
  if (!isSuccess(answer.status)) throw refusal(path, answer);
  let value: unknown;
  try {
    value = JSON.parse(answer.body.toString("utf8"));
  } catch (cause) {
    throw new ServerError(null, `${path} answered ${answer.status} with something that is not JSON`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const problem = `${issue?.path.join(".")}: ${issue?.message}`;
  throw new ServerError(null, `${path} answered in a shape that this worker does not know (${problem})`);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refusal(what: string, answer: { status: number; body: Buffer }): ServerError {
  const text = answer.body.subarray(0, 300).toString("utf8").replace(/\s+/g, " ").trim();
  return new ServerError(answer.status, `${what} answered ${answer.status}${text ? `: ${text}` : ""}`);
}

/** A failed call to the server; `status` is null when there was no answer, or one of unknown shape. */
export class ServerError extends Error {
  readonly status: number | null;

  constructor(status: number | null, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "ServerError";
    this.status = status;
  }

  /** The server refuses the token: no further call can succeed. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** The server refuses the content of this request, so repeating it is useless. */
  get isRefusedContent(): boolean {
    return this.status === 400 || this.status === 413 || this.status === 422;
  }

  /** The requested object does not exist for this worker, and will not later. */
  get isAbsent(): boolean {
    return this.status === 403 || this.status === 404 || this.status === 410;
  }
}

const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

export type ServerRequest = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  token: string;
  body?: string | Buffer;
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
};

/**
 * Sends one HTTP request and reads the whole answer. It uses node:http instead of fetch to keep the worker small, since
 * each spawn costs time in proportion to its memory. Redirects are not followed: they would leak the token. Throws
 * ServerError when there is no complete answer within `timeoutMs` or it is longer than `maxBytes`.
 */
export function sendRequest(request: ServerRequest): Promise<{ status: number; body: Buffer }> {
  const { url, body, timeoutMs, maxBytes } = request;
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const call = (isSecure ? https : http).request(url, {
      method: request.method,
      agent: isSecure ? agents.https : agents.http,
      ...(request.signal ? { signal: request.signal } : {}),
      headers: {
        authorization: `Bearer ${request.token}`,
        ...(body === undefined
          ? {}
          : { "content-type": contentTypeOf(body), "content-length": Buffer.byteLength(body).toString() }),
      },
    });
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    const fail = (cause: Error & { code?: string }) => {
      clearTimeout(timer);
      reject(new ServerError(null, `${url.origin}: ${cause.message || cause.code || "no connection"}`, { cause }));
    };
    call.on("error", fail);
    call.on("response", (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) call.destroy(new Error(`the answer is longer than ${maxBytes} bytes`));
      });
      answer.on("error", fail);
      answer.on("end", () => {
        clearTimeout(timer);
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) });
      });
    });
    call.end(body);
  });
}

function contentTypeOf(body: string | Buffer): string {
  return typeof body === "string" ? "application/json" : "application/octet-stream";
}

const FIRST_MS = 200;
const LONGEST_MS = 10_000;

/** Retry delays that double from 0.2 s to 10 s, reduced at random so that many workers do not return at the same moment. */
export function createBackOff(random: () => number = Math.random): { nextMs(): number; reset(): void } {
  let ceilingMs = FIRST_MS;
  return {
    nextMs() {
      const delayMs = ceilingMs * (0.5 + random() / 2);
      ceilingMs = Math.min(ceilingMs * 2, LONGEST_MS);
      return delayMs;
    },
    reset() {
      ceilingMs = FIRST_MS;
    },
  };
}
