import { z } from "zod";
import type { Commit, TreeEntry, Usage } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import { createGitHubApi, type GitHubOptions } from "./create-api";
import { createRawReader, type RawFile } from "./create-raw-reader";
import { isGitSha, isOwner, isRef, isRepository } from "./names";

// Source of the schemas below: https://docs.github.com/en/rest
const Sha = z.string().regex(/^[0-9a-f]{40}$/);

/** `GET /repos/{owner}/{repo}`, `GET /repositories/{id}` */
export const RepositoryAnswer = z.object({
  id: z.number().int().positive(),
  full_name: z.string().regex(/^[^/]+\/[^/]+$/),
  private: z.boolean().default(false),
  default_branch: z.string().min(1),
});

export type RepositoryAnswer = z.infer<typeof RepositoryAnswer>;

/** `GET /repos/{owner}/{repo}/commits/{ref}` */
const CommitAnswer = z.object({
  sha: Sha,
  commit: z.object({ tree: z.object({ sha: Sha }) }),
});

const GitHubTreeEntry = z.object({
  path: z.string(),
  mode: z.string(),
  type: z.enum(["blob", "tree", "commit"]),
  sha: Sha,
  size: z.number().int().nonnegative().optional(),
});

/** `GET /repos/{owner}/{repo}/git/trees/{sha}` */
const TreeAnswer = z.object({ tree: z.array(GitHubTreeEntry), truncated: z.boolean().default(false) });

export type RepoName = { owner: string; repo: string };
export type Tree = { entries: TreeEntry[]; truncated: boolean; etag: string | null };
/** `unchanged` means a 304 for the given `etag`. Throws only `SyncFailure`s. */
export type GitHubClient = {
  /** `isMoved`: GitHub redirected from the requested name. */
  repository(name: RepoName): Promise<{ repository: RepositoryAnswer; isMoved: boolean }>;
  /** `moved`: the repository was renamed. */
  commit(name: RepoName, ref: string, etag: string | null): Promise<Commit | "unchanged" | "moved">;
  tree(name: RepoName, sha: string, options: { recursive: boolean; etag: string | null }): Promise<Tree | "unchanged">;
  /** The address of a commit's archive, on a host that belongs to this GitHub. */
  archiveAddress(name: RepoName, commit: string): Promise<string>;
  /** Counts a download beside the raw reads: it costs no quota either. */
  countDownload(): void;
  raw(file: RawFile): Promise<Uint8Array>;
  usage(): Usage;
};

const MAX_RAW_BYTES = 5 * 1024 * 1024;

export function createGitHubClient(options: GitHubOptions): GitHubClient {
  const api = createGitHubApi(options);
  const rawReader = createRawReader(options, MAX_RAW_BYTES);
  let downloads = 0;

  return {
    repository: async ({ owner, repo }) => {
      const name = { owner, repo };
      const what = `the repository ${nameOf(name)}`;
      const answer = await api.get({ what, path: "/repos/{owner}/{repo}", values: name, schema: RepositoryAnswer });
      if (answer.kind === "found") return { repository: answer.data, isMoved: false };
      const id = answer.kind === "redirect" ? repositoryIdIn(answer.location, options.hosts.apiUrl) : null;
      if (id === null) throw redirectRefused(what, answer);
      const moved = await api.get({ what, path: "/repositories/{id}", values: { id }, schema: RepositoryAnswer });
      if (moved.kind !== "found") throw redirectRefused(what, moved);
      return { repository: moved.data, isMoved: true };
    },
    commit: async ({ owner, repo }, ref, etag) => {
      const name = { owner, repo };
      const what = `“${ref}” of ${nameOf(name)}`;
      if (!isRef(ref)) throw new SyncFailure("ref_not_found", `“${ref}” is not a valid branch, tag or commit name.`);
      const path = "/repos/{owner}/{repo}/commits/{ref}";
      const answer = await api.get({ what, path, values: { ...name, ref }, schema: CommitAnswer, etag });
      if (answer.kind === "unchanged") return "unchanged";
      if (answer.kind === "redirect") {
        if (isSameOrigin(answer.location, options.hosts.apiUrl)) return "moved";
        throw redirectRefused(what, answer);
      }
      return { sha: answer.data.sha, treeSha: answer.data.commit.tree.sha, etag: answer.etag };
    },
    tree: async ({ owner, repo }, sha, { recursive, etag }) => {
      const name = { owner, repo };
      const what = `the file list of ${nameOf(name)}`;
      if (!isGitSha(sha)) throw new Error("a sha was not checked");
      const path = `/repos/{owner}/{repo}/git/trees/{sha}${recursive ? "?recursive=1" : ""}`;
      const answer = await api.get({ what, path, values: { ...name, sha }, schema: TreeAnswer, etag });
      if (answer.kind === "unchanged") return "unchanged";
      if (answer.kind === "redirect") throw redirectRefused(what, answer);
      return { entries: answer.data.tree, truncated: answer.data.truncated, etag: answer.etag };
    },
    // https://docs.github.com/en/rest/repos/contents#download-a-repository-archive-tar
    archiveAddress: async ({ owner, repo }, ref) => {
      const name = { owner, repo };
      const what = `the archive of ${nameOf(name)}`;
      if (!isGitSha(ref)) throw new Error("a sha was not checked");
      const path = "/repos/{owner}/{repo}/tarball/{ref}";
      const answer = await api.get({ what, path, values: { ...name, ref }, schema: z.never() });
      if (answer.kind === "redirect" && isDownloadHost(answer.location, options.hosts)) {
        return new URL(answer.location, options.hosts.apiUrl).href;
      }
      throw redirectRefused(what, answer);
    },
    countDownload: () => {
      downloads += 1;
    },
    raw: rawReader.read,
    usage: () => ({ ...api.usage(), rawReads: rawReader.count() + downloads }),
  };
}

function nameOf({ owner, repo }: RepoName): string {
  if (!isOwner(owner) || !isRepository(repo)) throw new Error("the name of a repository was not checked");
  return `${owner}/${repo}`;
}

/** GitHub redirects a renamed repository to `/repositories/<id>` of the same API; other redirects are refused. */
function repositoryIdIn(location: string, apiUrl: string): string | null {
  if (!isSameOrigin(location, apiUrl)) return null;
  return /\/repositories\/(\d{1,20})$/.exec(new URL(location, apiUrl).pathname)?.[1] ?? null;
}

function isSameOrigin(location: string, apiUrl: string): boolean {
  return URL.canParse(location, apiUrl) && new URL(location, apiUrl).origin === new URL(apiUrl).origin;
}

/** GitHub serves archives on `codeload.github.com`; GitHub Enterprise on its own host, or on `codeload.` before it. */
function isDownloadHost(location: string, { apiUrl, webUrl }: GitHubOptions["hosts"]): boolean {
  if (isSameOrigin(location, apiUrl)) return true;
  const web = new URL(webUrl);
  return URL.canParse(location) && new URL(location).origin === `${web.protocol}//codeload.${web.host}`;
}

function redirectRefused(what: string, answer: { kind: string; location?: string }): SyncFailure {
  const location = answer.location ?? "";
  const where = URL.canParse(location) ? new URL(location).host : "another address";
  return new SyncFailure(
    "redirect_refused",
    `GitHub redirected ${what} to ${where}; redirects are not followed. Check GITHUB_API_URL.`,
  );
}
