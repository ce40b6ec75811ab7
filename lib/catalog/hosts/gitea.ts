import { z } from "zod";
import { SyncFailure } from "../sync-failure";
import { commitIn, emptyRepository, followRename, type HostKind } from "./host-api";

const Sha = z.string().regex(/^[0-9a-f]{40}$/);

/** `GET /repos/{owner}/{repo}` of https://docs.gitea.com/api/ and https://forgejo.org/docs/latest/user/api-usage/ */
const Repository = z.object({
  id: z.number().int().positive(),
  full_name: z.string().min(1),
  private: z.boolean(),
  empty: z.boolean().default(false),
  default_branch: z.string(),
});

/** `GET /repos/{owner}/{repo}/commits`: the newest commit first. */
const Commits = z.array(z.object({ sha: Sha, commit: z.object({ tree: z.object({ sha: Sha }) }) }));

/** Gitea and Forgejo, API v1. */
export const GITEA: HostKind = {
  apiUrl: ({ origin }) => `${origin}/api/v1`,
  auth: ({ token }) => ({ authorization: `token ${token}` }),
  cloneUrl: (repoUrl) => `${repoUrl}.git`,
  open: (api, { origin, host, path }) => {
    const repos = `/repos/${path.split("/").map(encodeURIComponent).join("/")}`;
    const what = `the repository ${host}/${path}`;
    const ask = (at: string) => api.get({ what, path: at, schema: Repository });
    return {
      repository: async () => {
        const { data, isMoved } = await followRename(await ask(repos), { apiUrl: `${origin}/api/v1`, what }, ask);
        if (data.empty || data.default_branch === "") throw emptyRepository(`${host}/${path}`);
        return { repository: { ...data, full_name: `${host}/${data.full_name}` }, isMoved };
      },
      commit: async (_name, ref, etag) => {
        const query = new URLSearchParams({
          sha: ref,
          limit: "1",
          stat: "false",
          verification: "false",
          files: "false",
        });
        const answer = await api.get({
          what: `“${ref}” of ${what}`,
          path: `${repos}/commits?${query}`,
          schema: Commits,
          etag,
        });
        return commitIn(answer, ([newest]) => {
          if (newest === undefined) throw new SyncFailure("empty", `“${ref}” of ${what} has no commit.`);
          return { sha: newest.sha, treeSha: newest.commit.tree.sha };
        });
      },
    };
  },
};
