import { hostOfGit, readGitAddress } from "./git/git-address";
import { githubHosts } from "./github/hosts";
import { isRegistryKind } from "./sources/schema";

type Entry = { commit: string; folder: string };
type Source = { kind: string; repoUrl: string; owner: string; repo: string };

/** The upstream location of an entry's files at the last sync. */
export function entryOrigin(
  entry: Entry & { treeSha: string },
  source: Source & { repositoryId: string | null; refName: string },
) {
  const { owner, repo, repositoryId, refName: ref } = source;
  const { commit, folder, treeSha } = entry;
  return {
    repository: `${owner}/${repo}`,
    repositoryId,
    ref,
    commit,
    folder,
    treeSha,
    webUrl: entryWebUrl(source, entry),
  };
}

/** Web address of a folder at a commit; of the repository where the host is not known to have such pages. */
export function entryWebUrl(source: Source, { commit, folder }: Entry): string {
  const web = repositoryWebUrl(source);
  const path = folder.split("/").map(encodeURIComponent).join("/");
  const below = path === "" ? "" : `/${path}`;
  switch (source.kind) {
    case "github":
      return `${web}/tree/${commit}${below}`;
    case "gitlab":
      return `${web}/-/tree/${commit}${below}`;
    case "gitea":
      return `${web}/src/commit/${commit}${below}`;
    case "bitbucket":
      return `${web}/src/${commit}${below}`;
    case "azure":
      return `${web}?path=${encodeURIComponent(`/${folder}`)}&version=GC${commit}`;
    default:
      return web;
  }
}

/** Address of a repository for a browser. Hosts of git serve its pages at the path of ssh too. */
export function repositoryWebUrl({ kind, repoUrl, owner, repo }: Source): string {
  if (kind === "github") return `${githubHosts().webUrl}/${owner}/${repo}`;
  if (isRegistryKind(kind)) return repoUrl;
  const address = readGitAddress(repoUrl);
  if (address === null) return repoUrl;
  const path = address.path.replace(/\.git$/, "");
  return address.scheme === "ssh"
    ? `https://${address.host}/${path}`
    : `${address.scheme}://${hostOfGit(address)}/${path}`;
}
