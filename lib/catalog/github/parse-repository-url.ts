import { AppError } from "@/lib/core/errors";
import type { GitHubHosts } from "./hosts";
import { isOwner, isRef, isRepository, isRepositoryPath } from "./names";

export type RepositoryLocation = {
  /** The address of the repository on the website, without anything after its name. */
  repoUrl: string;
  owner: string;
  repo: string;
  ref: string | null;
  folder: string | null;
};

type Input = { repoUrl: string; ref?: string | null | undefined; folder?: string | null | undefined };

/**
 * What a source points at: `https://github.com/<owner>/<repository>` or the same on the host of `GITHUB_API_URL`, with
 * `.git` or `/tree/<ref>/<folder>` behind it. A branch with a slash in such an address has to be given as `ref` too. Throws
 * `invalid` naming what is refused; nothing is fetched.
 */
export function parseRepositoryUrl(input: Input, hosts: GitHubHosts): RepositoryLocation {
  const url = readUrl(input.repoUrl, hosts);
  const segments = url.pathname.split("/").slice(1).map(decodeSegment);
  if (segments.at(-1) === "") segments.pop();
  const [owner = "", rawRepo = "", kind, ...rest] = segments;
  const repo = rawRepo.replace(/\.git$/, "");
  if (!isOwner(owner) || !isRepository(repo))
    refuse("It has to name an owner and a repository, as in owner/repository.");
  if (kind !== undefined && (kind !== "tree" || rest.length === 0)) {
    refuse("After the repository only /tree/<ref>/<folder> may follow.");
  }
  const ofUrl = readTree(rest.join("/"), input.ref ?? null);
  const ref = input.ref ?? ofUrl.ref;
  const folder = cleanFolder(input.folder ?? ofUrl.folder);
  if (ref !== null && !isRef(ref)) refuse(`“${ref}” cannot be the name of a branch, a tag or a commit.`, "ref");
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
    : refuse(`It has to be an address such as https://${named}/owner/repo.`);
  const isGitHub = url.origin === "https://github.com";
  if (!isGitHub && url.origin !== api.origin)
    refuse(`Only repositories on ${named} can be a source, over ${api.protocol}//.`);
  if (url.username !== "" || url.password !== "") refuse("It must not hold a user name or a password.");
  if (url.search !== "" || url.hash !== "") refuse("It must not have a query or a fragment.");
  // The parser has resolved these already, which the one who typed them may not expect.
  if (/\\|\/\.{1,2}(\/|$)|%2e|%2f|%5c/i.test(text.slice(text.indexOf("//") + 2)))
    refuse("It must not hold . or .. or escapes of them.");
  return url;
}

/** Splits what follows `/tree/` into ref and folder; a ref that is known may hold slashes. */
function readTree(rest: string, known: string | null): { ref: string | null; folder: string | null } {
  if (rest === "") return { ref: null, folder: null };
  if (known === null) {
    const [ref = "", ...folder] = rest.split("/");
    return { ref, folder: folder.join("/") };
  }
  if (rest === known) return { ref: known, folder: null };
  if (rest.startsWith(`${known}/`)) return { ref: known, folder: rest.slice(known.length + 1) };
  return refuse(`The address names another ref than “${known}”.`, "ref");
}

function cleanFolder(folder: string | null): string | null {
  const clean = (folder ?? "").replace(/^\/+|\/+$/g, "");
  return clean === "" ? null : clean;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return refuse("It has a broken percent escape.");
  }
}

function refuse(message: string, path = "repoUrl"): never {
  throw new AppError("invalid", message, { errors: [{ path, message }] });
}
