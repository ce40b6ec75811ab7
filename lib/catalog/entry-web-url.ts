/** The folder at a commit on the website of GitHub; `webUrl` is where that is. */
export function entryWebUrl(
  webUrl: string,
  place: { owner: string; repo: string; commit: string; folder: string },
): string {
  const folder = place.folder === "" ? "" : `/${place.folder.split("/").map(encodeURIComponent).join("/")}`;
  return `${webUrl}/${place.owner}/${place.repo}/tree/${place.commit}${folder}`;
}
