import { z } from "zod";
import { basicAuth } from "../git/git-remote";
import { SyncFailure } from "../sync-failure";
import {
  commitIn,
  emptyRepository,
  followRename,
  type HostApi,
  type HostedPlace,
  type HostKind,
  refNotFound,
} from "./host-api";

/** https://learn.microsoft.com/en-us/rest/api/azure/devops/git/repositories/get-repository?view=azure-devops-rest-7.1 */
const Repository = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  defaultBranch: z.string().min(1).nullish(),
  project: z.object({ name: z.string().min(1), visibility: z.string().nullish() }),
});

/** https://learn.microsoft.com/en-us/rest/api/azure/devops/git/commits/get-commits?view=azure-devops-rest-7.1 */
const Commits = z.object({ value: z.array(z.object({ commitId: z.string().regex(/^[0-9a-f]{40}$/) })) });

const VERSION = "7.1";

/** Azure DevOps Services and Server. Addresses have the form `…/<project>/_git/<repository>`. */
export const AZURE: HostKind = {
  apiUrl: (place) => split(place).base,
  auth: ({ token, username }) => ({ authorization: basicAuth({ username: username ?? "", token }) }),
  cloneUrl: (repoUrl) => repoUrl,
  open: (api, place) => {
    const { base, above, repo } = split(place);
    const what = `the repository ${place.host}/${place.path}`;
    const at = `/_apis/git/repositories/${repo}`;
    const ask = (path: string) => api.get({ what, path, schema: Repository });
    return {
      repository: async () => {
        const asked = await ask(`${at}?api-version=${VERSION}`);
        const { data, isMoved } = await followRename(asked, { apiUrl: base, what }, ask);
        if (data.defaultBranch == null) throw emptyRepository(place.path);
        const project = encodeURIComponent(data.project.name);
        const repository = {
          id: data.id,
          full_name: [place.host, ...above, project, "_git", encodeURIComponent(data.name)].join("/"),
          private: data.project.visibility !== "public",
          default_branch: data.defaultBranch.replace(/^refs\/heads\//, ""),
        };
        return { repository, isMoved };
      },
      commit: async (_name, ref, etag) => {
        const types = /^[0-9a-f]{40}$/.test(ref) ? ["commit"] : ["branch", "tag"];
        for (const type of types) {
          const found = await askCommit(api, { at, ref, type, etag, what });
          if (found !== null) return found;
        }
        throw refNotFound(ref);
      },
    };
  },
};

type Asked = { at: string; ref: string; type: string; etag: string | null; what: string };

/** Null when there is no ref of this type. */
async function askCommit(api: HostApi, { at, ref, type, etag, what }: Asked) {
  const query = new URLSearchParams({
    "searchCriteria.itemVersion.version": ref,
    "searchCriteria.itemVersion.versionType": type,
    "searchCriteria.$top": "1",
    "api-version": VERSION,
  });
  const request = { what: `“${ref}” of ${what}`, path: `${at}/commits?${query}`, schema: Commits, etag };
  const answer = await api.get(request).catch((error: unknown) => {
    if (error instanceof SyncFailure && error.code === "not_found") return null;
    throw error;
  });
  if (answer === null || (answer.kind === "found" && answer.data.value.length === 0)) return null;
  return commitIn(answer, ({ value }) => ({ sha: value[0]?.commitId ?? "", treeSha: null }));
}

/** The base of the API is the project. */
function split({ origin, path }: Pick<HostedPlace, "origin" | "path">) {
  const [before = "", repo = ""] = path.split("/_git/");
  const segments = before.split("/");
  return { base: `${origin}/${before}`, above: segments.slice(0, -1), repo };
}
