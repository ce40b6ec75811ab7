import { z } from "zod";
import { basicAuth } from "../git/git-remote";
import { commitIn, emptyRepository, followRename, type HostKind, refNotFound } from "./host-api";

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-repositories/#api-repositories-workspace-repo-slug-get */
const Repository = z.object({
  uuid: z.string().min(1),
  full_name: z.string().min(1),
  is_private: z.boolean(),
  mainbranch: z.object({ name: z.string().min(1) }).nullish(),
});

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-commits/#api-repositories-workspace-repo-slug-commits-get */
const Commits = z.object({ values: z.array(z.object({ hash: z.string().regex(/^[0-9a-f]{40}$/) })) });

/** Bitbucket Cloud, API 2.0. Bitbucket Data Center has another API and is read as plain git. */
export const BITBUCKET: HostKind = {
  apiUrl: apiUrlOf,
  // Access tokens are bearer tokens; API tokens of a person need the address of its account.
  auth: ({ token, username }) => ({
    authorization: username === null ? `Bearer ${token}` : basicAuth({ username, token }),
  }),
  cloneUrl: (repoUrl) => `${repoUrl}.git`,
  open: (api, place) => {
    const { host, path } = place;
    const repository = `/repositories/${path.split("/").map(encodeURIComponent).join("/")}`;
    const what = `the repository ${host}/${path}`;
    const ask = (at: string) => api.get({ what, path: at, schema: Repository });
    return {
      repository: async () => {
        const { data, isMoved } = await followRename(await ask(repository), { apiUrl: apiUrlOf(place), what }, ask);
        if (data.mainbranch == null) throw emptyRepository(`${host}/${path}`);
        const { uuid, full_name, is_private, mainbranch } = data;
        const facts = {
          id: uuid,
          full_name: `${host}/${full_name}`,
          private: is_private,
          default_branch: mainbranch.name,
        };
        return { repository: facts, isMoved };
      },
      commit: async (_name, ref, etag) => {
        const query = new URLSearchParams({ include: ref, pagelen: "1" });
        const at = `${repository}/commits?${query}`;
        const answer = await api.get({ what: `“${ref}” of ${what}`, path: at, schema: Commits, etag });
        return commitIn(answer, ({ values: [newest] }) => {
          if (newest === undefined) throw refNotFound(ref);
          return { sha: newest.hash, treeSha: null };
        });
      },
    };
  },
};

function apiUrlOf({ origin, host }: { origin: string; host: string }): string {
  return host === "bitbucket.org" ? "https://api.bitbucket.org/2.0" : `${origin}/2.0`;
}
