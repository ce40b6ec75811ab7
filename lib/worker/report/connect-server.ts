import type { z } from "zod";
import {
  type ExchangeRequest,
  ExchangeResponse,
  type InventoryRequest,
  InventoryResponse,
  type Lease,
  type RegisterRequest,
  RegisterResponse,
} from "@/lib/worker/protocol";
import { sendRequest } from "./send-request";
import { ServerError } from "./server-error";

const ANSWER_MS = 15_000;
const BLOB_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_BLOB_BYTES = 256 * 1024 * 1024;

export type Server = {
  register(request: RegisterRequest): Promise<RegisterResponse>;
  exchange(request: ExchangeRequest, signal?: AbortSignal): Promise<ExchangeResponse>;
  fetchBlob(lease: Lease, sha256: string, signal?: AbortSignal): Promise<Buffer>;
  sendInventory(request: InventoryRequest, signal?: AbortSignal): Promise<InventoryResponse>;
  sendBlob(sha256: string, bytes: Buffer, signal?: AbortSignal): Promise<void>;
};

/** The server's endpoints. Every call throws ServerError unless it was answered with 2xx and the right shape. */
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
      ...(signal ? { signal } : {}),
    });
    return readAnswer(path, answer, schema);
  }

  return {
    register: (request) => post("api/worker/register", request, RegisterResponse, 0),
    exchange: (request, signal) =>
      post("api/worker/exchange", request, ExchangeResponse, request.waitSeconds * 1000, signal),
    async fetchBlob(lease, sha256, signal) {
      const blob = new URL(`api/worker/blobs/${sha256}`, base);
      blob.searchParams.set("run", lease.runId);
      blob.searchParams.set("fence", String(lease.fence));
      const options = { method: "GET", url: blob, token, timeoutMs: BLOB_MS, maxBytes: MAX_BLOB_BYTES } as const;
      const answer = await sendRequest({ ...options, ...(signal ? { signal } : {}) });
      if (!isSuccess(answer.status)) throw refusal("the blob", answer);
      return answer.body;
    },
    sendInventory: (request, signal) => post("api/worker/inventory", request, InventoryResponse, BLOB_MS, signal),
    async sendBlob(sha256, bytes, signal) {
      const options = { method: "PUT", url: new URL(`api/worker/blobs/${sha256}`, base), token, body: bytes } as const;
      const limits = { timeoutMs: BLOB_MS, maxBytes: MAX_BLOB_BYTES };
      const answer = await sendRequest({ ...options, ...limits, ...(signal ? { signal } : {}) });
      if (!isSuccess(answer.status)) throw refusal("a file", answer);
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
  throw new ServerError(null, `${path} answered in another shape than this worker knows (${problem})`);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refusal(what: string, answer: { status: number; body: Buffer }): ServerError {
  const text = answer.body.subarray(0, 300).toString("utf8").replace(/\s+/g, " ").trim();
  return new ServerError(answer.status, `${what} answered ${answer.status}${text ? `: ${text}` : ""}`);
}
