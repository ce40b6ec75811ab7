import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { limitReads } from "../answer-endpoint";
import { recordActivity } from "../client-activity";
import { identifyViewer } from "../identify-viewer";
import { parseScope } from "../scope";
import { type OpenSnapshot, openCatalog } from "./open-catalog";
import { type GitProcess, startGit } from "./run-git";

/** Programs that work for clients at the same time, and requests that may wait for one to end. */
const MAX_RUNNING = 6;
const MAX_WAITING = 200;
const RETRY_SECONDS = 5;

type Slots = { running: number; waiting: (() => void)[] };

const TIMEOUT_MS = 120_000;
/** What one client may be sent, and what its wants and haves may amount to unpacked. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const FRESH = "no-cache, max-age=0, must-revalidate";

const unpack = promisify(gunzip);

/** A request to the git address, as it is taken apart from HTTP. */
export type GitRequest =
  | { kind: "advertise"; protocol: string | undefined }
  | { kind: "fetch"; protocol: string | undefined; body: Uint8Array };

/**
 * What a request asks of a repository, by git's smart HTTP protocol (gitprotocol-http(5)) in the versions 0 to 2. `path` is
 * what stands behind the repository's name. `forbidden` for pushes and for clients that read files one by one, `not_found`
 * for what no client asks, `unsupported_type` for another body and `too_large` for more than 8 MiB of wants and haves.
 */
export async function readGitRequest(request: Request, path: string, body: Uint8Array): Promise<GitRequest> {
  const service = new URL(request.url).searchParams.get("service");
  if (path === "git-receive-pack" || service === "git-receive-pack") {
    throw new AppError("forbidden", "This repository is read only. Publish a skill for review instead.", {
      rule: "git-read-only",
    });
  }
  const protocol = protocolOf(request.headers.get("git-protocol"));
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && path === "info/refs" && service === "git-upload-pack") return { kind: "advertise", protocol };
  if (isRead && /^(info\/refs|HEAD|objects\/.+)$/.test(path)) {
    throw new AppError("forbidden", "This repository speaks git’s smart HTTP protocol only; use git 1.6.6 or newer.", {
      rule: "git-smart-only",
    });
  }
  if (request.method !== "POST" || path !== "git-upload-pack") {
    throw new AppError("not_found", "There is nothing at this address of the repository.");
  }
  const type = request.headers.get("content-type");
  if (type !== "application/x-git-upload-pack-request") {
    throw new AppError("unsupported_type", "Send application/x-git-upload-pack-request, as git does.");
  }
  return { kind: "fetch", protocol, body: await plain(body, request.headers.get("content-encoding")) };
}

/** The most bytes that a body may have on the wire. */
export const MAX_GIT_BODY_BYTES = MAX_REQUEST_BYTES;

/**
 * Answers from one snapshot, which is closed when the answer was read or dropped. At most two minutes and 2 GiB each, and a
 * few at a time; the rest wait their turn.
 */
export async function answerGit(snapshot: OpenSnapshot, wanted: GitRequest): Promise<Response> {
  let leave: (() => void) | null = null;
  const end = () => {
    leave?.();
    snapshot.close();
  };
  try {
    leave = await acquireSlot();
    const isAdvertising = wanted.kind === "advertise";
    const git = startGit({
      args: ["upload-pack", "--stateless-rpc", ...(isAdvertising ? ["--advertise-refs"] : []), "."],
      folder: snapshot.folder,
      timeoutMs: TIMEOUT_MS,
      protocol: wanted.protocol,
    });
    git.child.stdin.on("error", () => {}); // It may stop reading; how it ends is what counts.
    git.child.stdin.end(isAdvertising ? undefined : wanted.body);
    const preface =
      isAdvertising && !wanted.protocol?.includes("version=2") ? "001e# service=git-upload-pack\n0000" : "";
    return new Response(streamOf(git, preface, end), {
      headers: {
        "content-type": `application/x-git-upload-pack-${isAdvertising ? "advertisement" : "result"}`,
        "cache-control": FRESH,
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    end();
    throw error;
  }
}

function streamOf({ child }: GitProcess, preface: string, end: () => void): ReadableStream<Uint8Array> {
  child.once("close", end);
  child.once("error", end);
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (preface) controller.enqueue(new TextEncoder().encode(preface));
      child.stdout.on("data", (chunk: Buffer) => {
        sent += chunk.byteLength;
        if (sent > MAX_ANSWER_BYTES) {
          child.kill("SIGKILL");
          return;
        }
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) child.stdout.pause();
      });
      // A refusal is in what was sent, in git's own form; only a killed program leaves an answer that is cut off.
      child.once("close", (_code, signal) => {
        try {
          if (signal === null) controller.close();
          else controller.error(new Error("git was stopped"));
        } catch {
          // The client was gone before.
        }
      });
      child.once("error", (error) => controller.error(error));
    },
    pull() {
      child.stdout.resume();
    },
    cancel() {
      child.kill("SIGKILL");
    },
  });
}

async function plain(body: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  if (encoding === null || encoding === "identity") return body;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    throw new AppError("unsupported_type", "Send the body as it is or compressed with gzip.");
  }
  try {
    return await unpack(body, { maxOutputLength: MAX_REQUEST_BYTES });
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new AppError("too_large", "The request is larger than 8 MiB unpacked, the limit here.", { cause });
    }
    throw new AppError("malformed", "The body is not valid gzip.", { cause });
  }
}

/** Only what the protocol knows reaches the program's environment. */
function protocolOf(header: string | null): string | undefined {
  return header !== null && /^version=[0-2](:[a-z0-9=.-]{1,60}){0,4}$/.test(header) ? header : undefined;
}

/** Waits for its turn to start git; answers how to give it back, which must be called once. `unavailable` when too many wait. */
export async function acquireSlot(): Promise<() => void> {
  const slots = processStore("git-slots", (): Slots => ({ running: 0, waiting: [] }));
  if (slots.running >= MAX_RUNNING) {
    if (slots.waiting.length >= MAX_WAITING) {
      throw new AppError("unavailable", "Too many clients ask the git address at the same time. Try again shortly.", {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    await new Promise<void>((resolve) => slots.waiting.push(resolve));
  } else {
    slots.running += 1;
  }
  let isBack = false;
  return () => {
    if (isBack) return;
    isBack = true;
    // Whoever waits takes the slot over.
    const next = slots.waiting.shift();
    if (next) next();
    else slots.running -= 1;
  };
}

type Asked = { ctx: Ctx; params: GitParams; bytes: Uint8Array; request: Request };

/** Answers a request for the repository of a scope: read only, one commit, what the viewer is offered at this moment. */
export async function serveGit({ ctx, params, bytes, request }: Asked): Promise<Response> {
  const viewer = await identifyViewer(ctx, parseScope(params.scope));
  const limits = await limitReads(viewer);
  const wanted = await readGitRequest(request, params.path, bytes);
  const { snapshot } = await openCatalog(viewer);
  const response = await answerGit(snapshot, wanted);
  for (const [name, value] of Object.entries(limits)) response.headers.set(name, value);
  await recordActivity(viewer.ctx, "git", request);
  return response;
}

/** An address within a repository, as the listener passes it on. */
export const GitParams = z.object({ scope: z.string().max(400), path: z.string().max(300) });
export type GitParams = z.infer<typeof GitParams>;
