import { isRepositoryPath } from "../github/names";
import type { RegistryKind } from "../sources/schema";

type Input = { repoUrl: string; ref?: string | null | undefined; folder?: string | null | undefined };
type Refuse = (message: string, path?: string) => never;

/** The kind of registry that an address can only be; null for repositories and plain sites. */
export function registryKindOf(text: string): RegistryKind | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  if (/\/\.well-known\/(agent-skills|skills)(\/index\.json)?\/?$/.test(pathname)) return "index";
  if (/(^|\.)clawhub\.(ai|com)$/.test(hostname)) return "clawhub";
  return pathname.endsWith("/marketplace.json") && hostname !== "github.com" ? "marketplace" : null;
}

/** The place of a registry: `owner` is its host, `repo` the rest of its address. Calls `refuse` with the reason. */
export function parseRegistryAddress(input: Input, kind: RegistryKind, refuse: Refuse) {
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
