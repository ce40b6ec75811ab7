import { z } from "zod";
import { commitIn, emptyRepository, followRename, type HostKind } from "./host-api";

/** https://docs.gitlab.com/api/projects/#get-a-single-project; callers without a token get no `visibility`. */
const Project = z.object({
  id: z.number().int().positive(),
  path_with_namespace: z.string().min(1),
  default_branch: z.string().min(1).nullish(),
  visibility: z.string().nullish(),
});

/** https://docs.gitlab.com/api/commits/#get-a-single-commit */
const CommitAnswer = z.object({ id: z.string().regex(/^[0-9a-f]{40}$/) });

/** GitLab.com and self-managed GitLab, API v4. A renamed project answers with a redirect to its id. */
export const GITLAB: HostKind = {
  apiUrl: ({ origin }) => `${origin}/api/v4`,
  // https://docs.gitlab.com/api/rest/authentication/
  auth: ({ token }) => ({ "private-token": token }),
  cloneUrl: (repoUrl) => `${repoUrl}.git`,
  open: (api, { origin, host, path }) => {
    const project = `/projects/${encodeURIComponent(path)}`;
    const what = `the project ${host}/${path}`;
    const ask = (at: string) => api.get({ what, path: at, schema: Project });
    return {
      repository: async () => {
        const { data, isMoved } = await followRename(await ask(project), { apiUrl: `${origin}/api/v4`, what }, ask);
        if (data.default_branch == null) throw emptyRepository(`${host}/${path}`);
        const repository = {
          id: data.id,
          full_name: `${host}/${data.path_with_namespace}`,
          private: (data.visibility ?? "public") !== "public",
          default_branch: data.default_branch,
        };
        return { repository, isMoved };
      },
      commit: async (_name, ref, etag) => {
        const at = `${project}/repository/commits/${encodeURIComponent(ref)}`;
        const answer = await api.get({ what: `“${ref}” of ${what}`, path: at, schema: CommitAnswer, etag });
        return commitIn(answer, ({ id }) => ({ sha: id, treeSha: null }));
      },
    };
  },
};
