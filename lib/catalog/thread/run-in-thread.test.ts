import { expect, test } from "vitest";
import { atFileEnd } from "@/lib/testing/at-file-end";
import { listenLocally } from "@/lib/testing/providers/listen-locally";
import type { ThreadJob } from "./messages";
import { runInThread } from "./run-in-thread";

process.env.SKILLGATE_OUTGOING_RANGES = "127.0.0.1";

test("a signal that is aborted while the thread opens ends the job", async () => {
  const server = await listenLocally();
  server.handle(() => undefined); // Never answers.
  atFileEnd(server.close);
  const place = { kind: "index" as const, owner: "o", repo: "r", repoUrl: server.url, hostKeys: null };
  const job = {
    type: "preview",
    reader: { place, options: { credential: null, scratch: "", timeoutMs: 20_000 }, clockOffsetMs: 0 },
    input: { repo: "r", folder: null, commit: { sha: "0".repeat(40), treeSha: null } },
  } as unknown as ThreadJob;
  const stop = new AbortController();
  const ended = runInThread(job, { signal: stop.signal, onUsage: () => undefined }).then(
    () => "done",
    (error: unknown) => error,
  );
  const reason = new Error("stopped");
  stop.abort(reason);
  const waited = new Promise((resolve) => setTimeout(() => resolve("still running"), 6_000));
  expect(await Promise.race([ended, waited])).toBe(reason);
});
