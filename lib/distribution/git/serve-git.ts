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

/** git processes at the same time, and requests that may wait for one. */
const MAX_RUNNING = 6;
const MAX_WAITING = 200;
const RETRY_SECONDS = 5;

type Slots = { running: number; waiting: (() => void)[] };

const TIMEOUT_MS = 120_000;
/** Limits of an answer, and of an unpacked request. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const FRESH = "no-cache, max-age=0, must-revalidate";

const unpack = promisify(gunzip);

type GitRequest =
  | { kind: "advertise"; protocol: string | undefined }
  | { kind: "fetch"; protocol: string | undefined; body: Uint8Array };

/**
 * Parses a request of git's smart HTTP protocol (gitprotocol-http(5)), versions 0 to 2. `path` follows the repository's
 * name. Throws `forbidden` for pushes and the dumb protocol, `not_found` for unknown paths, `unsupported_type` for
 * another body, `too_large` for more than 8 MiB.
 */
async function readGitRequest(request: Request, path: string, body: Uint8Array): Promise<GitRequest> {
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

/** Limit of a request body before unpacking. */
export const MAX_GIT_BODY_BYTES = MAX_REQUEST_BYTES;

/**
 * Answers from a snapshot, and closes it when the answer was read or dropped. Limited to two minutes, 2 GiB, and a few
 * processes; further requests wait.
 */
async function answerGit(snapshot: OpenSnapshot, wanted: GitRequest): Promise<Response> {
  let release: (() => void) | null = null;
  const end = () => {
    release?.();
    snapshot.close();
  };
  try {
    release = await acquireSlot();
    const isAdvertising = wanted.kind === "advertise";
    const git = startGit({
      args: ["upload-pack", "--stateless-rpc", ...(isAdvertising ? ["--advertise-refs"] : []), "."],
      folder: snapshot.folder,
      timeoutMs: TIMEOUT_MS,
      protocol: wanted.protocol,
    });
    git.child.stdin.on("error", () => {}); // git may stop reading early; its exit tells why.
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
      // git reports refusals inside the answer; only a killed process cuts it off.
      child.once("close", (_code, signal) => {
        try {
          if (signal === null) controller.close();
          else controller.error(new Error("git was stopped"));
        } catch {
          // The client disconnected before.
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

/** Only valid values reach git's environment. */
function protocolOf(header: string | null): string | undefined {
  return header !== null && /^version=[0-2](:[a-z0-9=.-]{1,60}){0,4}$/.test(header) ? header : undefined;
}

/** Waits for a slot and returns its release function. Throws `unavailable` when too many requests wait. */
export async function acquireSlot(): Promise<() => void> {
  const slots = processStore("git-slots", (): Slots => ({ running: 0, waiting: [] }));
  if (slots.running >= MAX_RUNNING) {
    if (slots.waiting.length >= MAX_WAITING) {
      throw new AppError("unavailable", "Too many git clients are connected. Try again shortly.", {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    await new Promise<void>((resolve) => slots.waiting.push(resolve));
  } else {
    slots.running += 1;
  }
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    // A waiting request takes over the slot.
    const next = slots.waiting.shift();
    if (next) next();
    else slots.running -= 1;
  };
}

type Asked = { ctx: Ctx; params: GitParams; bytes: Uint8Array; request: Request };

/** Serves the read-only repository of a scope: one commit with what the viewer is offered now. */
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

export const GitParams = z.object({ scope: z.string().max(400), path: z.string().max(300) });
export type GitParams = z.infer<typeof GitParams>;
