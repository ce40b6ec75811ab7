import { AppError } from "@/lib/core/errors";
import { readSourceText } from "@/lib/skill-format/source-text";
import type { GitHubHosts } from "./hosts";
import { isOwner, isRef, isRepository, isRepositoryPath } from "./names";

export type RepositoryLocation = {
  repoUrl: string;
  owner: string;
  repo: string;
  ref: string | null;
  folder: string | null;
};

type Input = { repoUrl: string; ref?: string | null | undefined; folder?: string | null | undefined };

/**
 * Parses `https://github.com/<owner>/<repository>`, or the same on the host of `GITHUB_API_URL`, optionally followed by `.git`
 * or `/tree/<ref>/<folder>`; also the short forms of `readSourceText`. A branch name with a slash must also be given as `ref`. Throws `invalid` with the reason.
 */
export function parseRepositoryUrl(input: Input, hosts: GitHubHosts): RepositoryLocation {
  const typed = readSourceText(input.repoUrl, hosts.webUrl);
  const url = readUrl(typed.repoUrl, hosts);
  const segments = url.pathname.split("/").slice(1).map(decodeSegment);
  if (segments.at(-1) === "") segments.pop();
  const [owner = "", rawRepo = "", kind, ...rest] = segments;
  const repo = rawRepo.replace(/\.git$/, "");
  if (!isOwner(owner) || !isRepository(repo)) refuse("Enter an owner and a repository, e.g. anthropics/skills.");
  if (kind !== undefined && (kind !== "tree" || rest.length === 0)) {
    refuse("Only /tree/<ref>/<folder> may follow the repository.");
  }
  const ofUrl = readTree(rest.join("/"), input.ref ?? null);
  const ref = input.ref ?? typed.ref ?? ofUrl.ref;
  const folder = cleanFolder(input.folder ?? typed.folder ?? ofUrl.folder);
  if (ref !== null && !isRef(ref)) refuse(`“${ref}” is not a valid branch, tag or commit name.`, "ref");
  if (folder !== null && !isRepositoryPath(folder)) {
    refuse(`“${folder}” is not a plain path inside a repository.`, "folder");
  }
  return { repoUrl: `${url.origin}/${owner}/${repo}`, owner, repo, ref, folder };
}

function readUrl(text: string, hosts: GitHubHosts): URL {
  const api = new URL(hosts.apiUrl);
  const named = api.host === "api.github.com" ? "github.com" : `github.com or ${api.host}`;
  const url = URL.canParse(text)
    ? new URL(text)
    : refuse("Enter a repository, e.g. anthropics/skills or https://github.com/anthropics/skills.");
  const isGitHub = url.origin === "https://github.com";
  if (!isGitHub && url.origin !== api.origin)
    refuse(`Only repositories on ${named} can be a source, with an address that begins with ${api.protocol}//.`);
  if (url.username !== "" || url.password !== "") refuse("Remove the user name and password from the address.");
  if (url.search !== "" || url.hash !== "") refuse("Remove the query (?…) and the fragment (#…) from the address.");
  // URL() resolves these silently, so the source could become another repository than the one that was typed.
  if (/\\|\/\.{1,2}(\/|$)|%2e|%2f|%5c/i.test(text.slice(text.indexOf("//") + 2)))
    refuse("Remove . and .. and their escapes from the address.");
  return url;
}

/** Splits the path after `/tree/` into ref and folder; only a known ref may contain slashes. */
function readTree(rest: string, known: string | null): { ref: string | null; folder: string | null } {
  if (rest === "") return { ref: null, folder: null };
  if (known === null) {
    const [ref = "", ...folder] = rest.split("/");
    return { ref, folder: folder.join("/") };
  }
  if (rest === known) return { ref: known, folder: null };
  if (rest.startsWith(`${known}/`)) return { ref: known, folder: rest.slice(known.length + 1) };
  return refuse(`The address names another ref than “${known}”. Make them equal.`, "ref");
}

function cleanFolder(folder: string | null): string | null {
  const clean = (folder ?? "").replace(/^\/+|\/+$/g, "");
  return clean === "" ? null : clean;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return refuse("The address has an incomplete escape: % needs two hex digits after it.");
  }
}

function refuse(message: string, path = "repoUrl"): never {
  throw new AppError("invalid", message, { errors: [{ path, message }] });
}
