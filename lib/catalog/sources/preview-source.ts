import { AppError, type ErrorCode } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { createGitHubClient } from "../github/create-client";
import { readGitHubToken } from "../github/github-token";
import { githubHosts } from "../github/hosts";
import { parseRepositoryUrl } from "../github/parse-repository-url";
import { findDeclarations } from "../sync/declarations";
import { findSkills } from "../sync/find-skills";
import { resolveCommit } from "../sync/resolve-commit";
import type { SyncOptions } from "../sync/sync-runner";
import { SyncFailure } from "../sync-failure";
import type { PreviewSourceInput, SourcePreview } from "./schema";

const MAX_SHOWN = 500;

/** Previews a source with three requests; reads and stores no file. Errors of GitHub become AppErrors. */
export async function previewSource(
  ctx: Ctx,
  input: PreviewSourceInput,
  options: SyncOptions = {},
): Promise<SourcePreview> {
  requireScope(ctx.actor, "admin");
  const hosts = githubHosts();
  const place = parseRepositoryUrl(input, hosts);
  try {
    const client = createGitHubClient({ hosts, now: ctx.now, ...options, token: await readGitHubToken(ctx) });
    const unknown = { repositoryId: null, defaultBranch: null, identityCheckedAt: null, isPrivate: false };
    const { commit, ref, identity } = await resolveCommit(
      client,
      { ...place, ...unknown, commit: null, commitEtag: null },
      ctx.now(),
    );
    if (commit === "unchanged" || identity === null) throw new Error("GitHub answered 304 to a request without a tag");
    const tree = await client.tree(place, commit.sha, { recursive: true, etag: null });
    if (tree === "unchanged") throw new Error("GitHub answered 304 to a request without a tag");
    const { skills, skipped } = findSkills(tree.entries, { folder: place.folder, treeSha: commit.treeSha });
    return {
      owner: place.owner,
      repo: place.repo,
      ref,
      folder: place.folder,
      repositoryId: identity.repositoryId,
      isPrivate: identity.isPrivate,
      commit: commit.sha,
      truncated: tree.truncated,
      total: skills.length,
      skills: skills.slice(0, MAX_SHOWN).map((skill) => ({
        folder: skill.folder,
        name: skill.folder === "" ? place.repo : (skill.folder.split("/").at(-1) ?? skill.folder),
        files: skill.files.length,
        bytes: skill.files.reduce((sum, file) => sum + file.size, 0),
        hasScripts: skill.files.some((file) => file.mode === "755"),
      })),
      declares: findDeclarations(tree.entries, place.folder).found.map((file) => file.path),
      skipped: skipped.slice(0, MAX_SHOWN),
      skippedCount: skipped.length,
      requests: client.usage().requests,
    };
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
