import { githubHosts } from "./github/hosts";

type Entry = { commit: string; folder: string; treeSha: string };
type Source = { owner: string; repo: string; repositoryId: string | null; refName: string };

/** The upstream location of an entry's files at the last sync. */
export function entryOrigin(entry: Entry, source: Source) {
  const { owner, repo, repositoryId, refName: ref } = source;
  const { commit, folder, treeSha } = entry;
  const webUrl = entryWebUrl(githubHosts().webUrl, { owner, repo, commit, folder });
  return { repository: `${owner}/${repo}`, repositoryId, ref, commit, folder, treeSha, webUrl };
}

/** Web address of a folder at a commit; `webUrl` is the base URL of GitHub's website. */
export function entryWebUrl(
  webUrl: string,
  place: { owner: string; repo: string; commit: string; folder: string },
): string {
  const folder = place.folder === "" ? "" : `/${place.folder.split("/").map(encodeURIComponent).join("/")}`;
  return `${webUrl}/${place.owner}/${place.repo}/tree/${place.commit}${folder}`;
}
