import { entryWebUrl } from "./entry-web-url";
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
