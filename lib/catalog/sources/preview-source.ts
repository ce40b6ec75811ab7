import { AppError, type ErrorCode } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { githubHosts } from "../github/hosts";
import { createReader } from "../sync/create-reader";
import { addUsage } from "../sync/source-reader";
import type { SyncOptions } from "../sync/sync-runner";
import { SyncFailure } from "../sync-failure";
import { readerInput, runInThread } from "../thread/run-in-thread";
import type { ListPreview } from "./list-preview";
import { parseSourceAddress } from "./parse-source-address";
import type { PreviewSourceInput, SourcePreview } from "./schema";
import { assertTakesCredential, credentialOf } from "./source-credential";
import { placeOf, withReaderOptions } from "./with-reader";

/** Previews a source from its list of files, on GitHub with three requests; stores nothing. Errors of the host become AppErrors. */
export async function previewSource(
  ctx: Ctx,
  input: PreviewSourceInput,
  given: SyncOptions = {},
): Promise<SourcePreview> {
  requireScope(ctx.actor, "admin");
  const place = parseSourceAddress(input, githubHosts());
  const { kind, owner, repo, folder } = place;
  if (input.credential != null) assertTakesCredential(place);
  const credential = input.credential == null ? null : credentialOf(input.credential);
  try {
    return await withReaderOptions(ctx, { id: null, kind }, { ...given, credential }, async (options) => {
      const unknown = { repositoryId: null, defaultBranch: null, identityCheckedAt: null, isPrivate: false };
      const source = { ...place, ...unknown, hostKeys: null };
      const reader = createReader(placeOf(source), options);
      const { commit, ref, identity } = await reader.changedSince(
        { ...source, commit: null, commitEtag: null },
        ctx.now(),
      );
      if (commit === "unchanged" || identity === null)
        throw new Error("the host answered 304 to a request without a tag");
      let usage = reader.usage();
      const job = {
        type: "preview" as const,
        reader: readerInput(placeOf({ ...source, ...identity, hostKeys: identity.hostKeys ?? null }), options),
        input: { repo, folder, commit: { sha: commit.sha, treeSha: commit.treeSha } },
      };
      const listed = await runInThread(job, {
        signal: options.signal,
        onUsage: (later) => {
          usage = addUsage(usage, later);
        },
      });
      return {
        ...{ kind, owner, repo, ref, folder },
        repositoryId: identity.repositoryId,
        isPrivate: identity.isPrivate,
        commit: commit.sha,
        ...(listed as ListPreview),
        requests: usage.requests,
      };
    });
  } catch (error) {
    throw error instanceof SyncFailure ? refuse(error, ctx.now()) : error;
  }
}

const UNAVAILABLE = new Set<SyncFailure["code"]>([
  "connection",
  "malformed_answer",
  "timeout",
  "unexpected_status",
  "upstream_unavailable",
]);

function refuse(failure: SyncFailure, now: Date): AppError {
  const code: ErrorCode =
    failure.code === "rate_limited" ? "rate_limited" : UNAVAILABLE.has(failure.code) ? "unavailable" : "conflict";
  const seconds = failure.retryAt === null ? null : Math.ceil((failure.retryAt.getTime() - now.getTime()) / 1000);
  return new AppError(code, failure.message, {
    cause: failure,
    ...(seconds !== null && { retryAfterSeconds: seconds }),
  });
}
