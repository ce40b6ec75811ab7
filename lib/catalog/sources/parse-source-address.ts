import { AppError } from "@/lib/core/errors";
import { readSourceText } from "@/lib/skill-format/source-text";
import { type GitAddress, hostOfGit, readGitAddress } from "../git/git-address";
import type { GitHubHosts } from "../github/hosts";
import { isRef, isRepositoryPath } from "../github/names";
import { parseRepositoryUrl } from "../github/parse-repository-url";
import { isRegistryKind, type RegistryKind, type SourceKind } from "./schema";

type RegistryInput = { repoUrl: string; ref?: string | null | undefined; folder?: string | null | undefined };
type Refuse = (message: string, path?: string) => never;

/**
 * A source's place. On GitHub `owner` and `repo` are its own names; elsewhere `owner` begins with the host, so that no other host can
 * have the name of a repository on GitHub.
 */
export type SourcePlace = {
  kind: SourceKind;
  repoUrl: string;
  owner: string;
  repo: string;
  ref: string | null;
  folder: string | null;
};

type Input = {
  repoUrl: string;
  ref?: string | null | undefined;
  folder?: string | null | undefined;
  /** Null for the kind that follows from the address. */
  kind?: SourceKind | null | undefined;
};

const CLONE_LINE = /^(?:\$\s*)?git\s+clone\s+(.+)$/;
const KINDS_BY_HOST: Record<string, SourceKind> = {
  "gitlab.com": "gitlab",
  "codeberg.org": "gitea",
  "gitea.com": "gitea",
  "bitbucket.org": "bitbucket",
  "dev.azure.com": "azure",
};

/**
 * Parses the address of a repository as people paste it: `owner/repo` and addresses of GitHub as `parseRepositoryUrl` does, else
 * `https://…`, `ssh://…`, `git@host:group/repo.git`, a line `git clone …`, and the page of a folder on GitLab, Gitea, Bitbucket or
 * Azure DevOps. Throws `invalid` with the reason.
 */
export function parseSourceAddress(input: Input, hosts: GitHubHosts): SourcePlace {
  const text = clonedAddress(input.repoUrl.trim());
  const kind = input.kind ?? registryKindOf(text);
  if (kind !== null && isRegistryKind(kind))
    return { kind, ...parseRegistryAddress({ ...input, repoUrl: text }, kind, refuse) };
  const github = kind === null || kind === "github" ? githubText(text, hosts) : null;
  if (github !== null) return { kind: "github", ...parseRepositoryUrl({ ...input, repoUrl: github }, hosts) };
  const address = readGitAddress(readSourceText(text, hosts.webUrl).repoUrl);
  if (address === null || kind === "github") return parseUnknown(input, kind, hosts);
  return parseAddress(text, address, input, kind);
}

/** The first argument of `git clone …` that is an address; values of its options are not. Other text as it is. */
function clonedAddress(text: string): string {
  const words = CLONE_LINE.exec(text)?.[1]?.split(/\s+/) ?? [];
  return words.find((word) => readGitAddress(word) !== null) ?? text;
}

/** An address that GitHub's own rules read; null for another host. */
function githubText(text: string, { webUrl, apiUrl }: GitHubHosts): string | null {
  const hosts = new Set(["github.com", new URL(webUrl).host, new URL(apiUrl).host]);
  const read = readSourceText(text, webUrl);
  const address = readGitAddress(read.repoUrl);
  if (address === null || !hosts.has(hostOfGit(address))) return null;
  if (address.scheme !== "ssh") return text;
  return `${hostOfGit(address) === "github.com" ? "https://github.com" : webUrl}/${address.path.replace(/^\/+/, "")}`;
}

/** Throws GitHub's reason for text that is no address of any kind. */
function parseUnknown(input: Input, kind: SourceKind | null, hosts: GitHubHosts): SourcePlace {
  if (kind === "github") return { kind, ...parseRepositoryUrl(input, hosts) };
  return refuse(
    "Enter a repository, e.g. anthropics/skills, https://gitlab.com/group/repository or git@git.example.com:group/repository.git.",
  );
}

function parseAddress(text: string, address: GitAddress, input: Input, given: SourceKind | null): SourcePlace {
  const { scheme } = address;
  if (/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(text)) refuse("Remove the password from the address and store it as a token.");
  if (text.includes("#")) refuse("Remove the fragment (#…) from the address.");
  if (/\\|(^|\/)\.{1,2}(\/|$)|%2e|%2f|%5c/i.test(text.replace(/^[a-z]+:\/\//i, "")))
    refuse("Remove . and .. and their escapes from the address.");
  const host = hostOfGit(address);
  const page = scheme === "ssh" ? { path: address.path, rest: null, kind: null } : splitPage(address.path, host);
  const kind = scheme === "ssh" ? "git" : (given ?? KINDS_BY_HOST[address.host] ?? page.kind ?? "git");
  if (given !== null && given !== "git" && scheme === "ssh") {
    refuse("This kind of source is read over https. Choose “Git” for an address of ssh.", "kind");
  }
  const query = readQuery(text, kind);
  const segments = page.path.split("/").filter(Boolean);
  const last = (segments.pop() ?? "").replace(/\.git$/, "");
  if (last === "" || segments.some((segment) => segment.startsWith("-"))) {
    refuse("Enter the whole address of a repository, as for “git clone”.");
  }
  if (kind !== "git" && segments.length === 0) refuse("Enter a group or owner and a repository.");
  const fromPage = splitRest(page.rest ?? "", input.ref ?? null);
  const ref = input.ref ?? query.ref ?? fromPage.ref;
  const folder = cleanFolder(input.folder ?? query.folder ?? fromPage.folder);
  if (ref !== null && !isRef(ref)) refuse(`“${ref}” is not a valid branch, tag or commit name.`, "ref");
  if (folder !== null && !isRepositoryPath(folder)) {
    refuse(`“${folder}” is not a plain path inside a repository.`, "folder");
  }
  const repoUrl = storedUrl(address, page.path, kind);
  if (readGitAddress(repoUrl) === null) refuse("Enter the whole address of a repository, as for “git clone”.");
  return {
    kind,
    repoUrl,
    owner: [host, ...segments].join("/"),
    repo: last,
    ref,
    folder,
  };
}

/** The page of a folder: what is before it is the repository, after it come ref and folder. */
function splitPage(path: string, host: string): { path: string; rest: string | null; kind: SourceKind | null } {
  const gitlab = /^(.+?)\/-\/(?:tree|blob)\/(.*)$/.exec(path);
  if (gitlab) return { path: gitlab[1] ?? "", rest: gitlab[2] ?? "", kind: "gitlab" };
  const gitea = /^([^/]+\/[^/]+)\/src\/(?:branch|tag|commit)\/(.*)$/.exec(path);
  if (gitea) return { path: gitea[1] ?? "", rest: gitea[2] ?? "", kind: "gitea" };
  const bitbucket = host === "bitbucket.org" ? /^([^/]+\/[^/]+)\/src\/(.*)$/.exec(path) : null;
  if (bitbucket) return { path: bitbucket[1] ?? "", rest: bitbucket[2] ?? "", kind: "bitbucket" };
  return { path: path.replace(/\/+$/, ""), rest: null, kind: null };
}

/** `?path=/folder&version=GBbranch` of Azure DevOps; any other query is refused. */
function readQuery(text: string, kind: SourceKind): { ref: string | null; folder: string | null } {
  const at = text.indexOf("?");
  if (at === -1) return { ref: null, folder: null };
  if (kind !== "azure") return refuse("Remove the query (?…) from the address.");
  const query = new URLSearchParams(text.slice(at + 1));
  const version = /^G[BTC](.+)$/.exec(query.get("version") ?? "")?.[1] ?? null;
  return { ref: version, folder: query.get("path") };
}

function storedUrl(address: GitAddress, path: string, kind: SourceKind): string {
  const { scheme, user, host, port } = address;
  if (scheme === "ssh") {
    return port === 22 ? `${user}@${bracketed(host)}:${path}` : `ssh://${user}@${bracketed(host)}:${port}/${path}`;
  }
  const bare = kind === "git" ? path : path.replace(/\.git$/, "");
  return `${scheme}://${hostOfGit(address)}/${bare}`;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Only a known ref may contain slashes. */
function splitRest(rest: string, known: string | null): { ref: string | null; folder: string | null } {
  const text = decode(rest.replace(/\/+$/, ""));
  if (text === "") return { ref: null, folder: null };
  if (known !== null && text === known) return { ref: known, folder: null };
  if (known !== null && text.startsWith(`${known}/`)) return { ref: known, folder: text.slice(known.length + 1) };
  if (known !== null) return refuse(`The address names another ref than “${known}”. Make them equal.`, "ref");
  const [ref = "", ...folder] = text.split("/");
  return { ref, folder: folder.join("/") };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse("The address has an incomplete escape: % needs two hex digits after it.");
  }
}

function cleanFolder(folder: string | null): string | null {
  const clean = (folder ?? "").replace(/^\/+|\/+$/g, "");
  return clean === "" ? null : clean;
}

function refuse(message: string, path = "repoUrl"): never {
  throw new AppError("invalid", message, { errors: [{ path, message }] });
}

/** The kind of registry that an address can only be; null for repositories and plain sites. */
function registryKindOf(text: string): RegistryKind | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  if (/\/\.well-known\/(agent-skills|skills)(\/index\.json)?\/?$/.test(pathname)) return "index";
  if (/(^|\.)clawhub\.(ai|com)$/.test(hostname)) return "clawhub";
  return pathname.endsWith("/marketplace.json") && hostname !== "github.com" ? "marketplace" : null;
}

/** The place of a registry: `owner` is its host, `repo` the rest of its address. Calls `refuse` with the reason. */
function parseRegistryAddress(input: RegistryInput, kind: RegistryKind, refuse: Refuse) {
  const { repoUrl: text, ref = null } = input;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refuse("Enter the address of the registry, e.g. https://skills.example.com.");
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("Remove the user name and password from the address and store a token.");
  }
  if (url.search !== "" || url.hash !== "") return refuse("Remove the query (?…) and fragment (#…) from the address.");
  if (ref !== null) return refuse("A registry has no branches, tags or commits. Leave this empty.", "ref");
  const path = url.pathname.replace(/\/+$/, "").replace(/(\/\.well-known\/(?:agent-skills|skills))$/, "$1/index.json");
  if (kind === "marketplace" && !path.endsWith(".json")) {
    return refuse("Enter the address of the file marketplace.json. Add a repository with such a file as a repository.");
  }
  if ((kind === "clawhub" || kind === "skillgate") && path.endsWith(".json")) {
    return refuse("Enter the address of the site, without a file.");
  }
  const folder = (input.folder ?? "").replace(/^\/+|\/+$/g, "");
  if (folder !== "" && !isRepositoryPath(folder)) return refuse(`“${folder}” is not a plain path.`, "folder");
  return {
    repoUrl: `${url.origin}${path}`,
    owner: url.host,
    repo: path === "" ? kind : path.slice(1),
    ref: null,
    folder: folder === "" ? null : folder,
  };
}
