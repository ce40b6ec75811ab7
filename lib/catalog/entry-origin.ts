import { githubHosts } from "./github/hosts";

type Entry = { commit: string; folder: string; treeSha: string };
type Source = { owner: string; repo: string; repositoryId: string | null; refName: string };

/** Where upstream the bytes of an entry stand, as they were read last. */
export function entryOrigin(entry: Entry, source: Source) {
  const { owner, repo, repositoryId, refName: ref } = source;
  const { commit, folder, treeSha } = entry;
  const webUrl = entryWebUrl(githubHosts().webUrl, { owner, repo, commit, folder });
  return { repository: `${owner}/${repo}`, repositoryId, ref, commit, folder, treeSha, webUrl };
}

/** The folder at a commit on the website of GitHub; `webUrl` is where that is. */
export function entryWebUrl(
  webUrl: string,
  place: { owner: string; repo: string; commit: string; folder: string },
): string {
  const folder = place.folder === "" ? "" : `/${place.folder.split("/").map(encodeURIComponent).join("/")}`;
  return `${webUrl}/${place.owner}/${place.repo}/tree/${place.commit}${folder}`;
}
