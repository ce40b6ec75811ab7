import type { CatalogItem } from "@/lib/catalog/schema";

export function entryHref(id: string): string {
  return `/catalog/${encodeURIComponent(id)}`;
}

/** The page of one file of an entry. */
export function entryFileHref(id: string, path: string): string {
  return `${entryHref(id)}?tab=files&path=${encodeURIComponent(path)}`;
}

/** "anthropics/skills" */
export function repositoryOf({ owner, repo }: Pick<CatalogItem, "owner" | "repo">): string {
  return `${owner}/${repo}`;
}

/** The folder as people say it; the root of a repository has no name. */
export function folderLabel(folder: string): string {
  return folder === "" ? "the root of the repository" : folder;
}

/** The page of one commit, on the website that serves the folder. */
export function commitUrl(webUrl: string, repository: string, commit: string): string | null {
  try {
    return `${new URL(webUrl).origin}/${repository}/commit/${commit}`;
  } catch {
    return null;
  }
}

export type InstallState = "installed" | "update" | "blocked" | "removed" | "new";

/** The one thing to say about an entry in a list. */
export function installStateOf(
  item: Pick<CatalogItem, "installed" | "updateAvailable" | "blocked" | "state">,
): InstallState {
  if (item.updateAvailable) return "update";
  if (item.installed) return "installed";
  if (item.state === "removed") return "removed";
  return item.blocked ? "blocked" : "new";
}

/** Whether an install would do something new; the server decides. */
export function canInstall(item: Pick<CatalogItem, "blocked" | "state" | "installedSkillId">): boolean {
  return item.blocked === null && item.state === "present" && item.installedSkillId === null;
}
