import type { CatalogItem } from "@/lib/catalog/schema";

export function entryHref(id: string): string {
  return `/catalog/${encodeURIComponent(id)}`;
}

export function entryFileHref(id: string, path: string): string {
  return `${entryHref(id)}?tab=files&path=${encodeURIComponent(path)}`;
}

/** "anthropics/skills" */
export function repositoryOf({ owner, repo }: Pick<CatalogItem, "owner" | "repo">): string {
  return `${owner}/${repo}`;
}

/** The folder's path, or words for the root of the repository. */
export function folderLabel(folder: string): string {
  return folder === "" ? "the root of the repository" : folder;
}

export function commitUrl(webUrl: string, repository: string, commit: string): string | null {
  try {
    return `${new URL(webUrl).origin}/${repository}/commit/${commit}`;
  } catch {
    return null;
  }
}

export type InstallState = "installed" | "update" | "blocked" | "removed" | "new";

export function installStateOf(
  item: Pick<CatalogItem, "installed" | "updateAvailable" | "blocked" | "state">,
): InstallState {
  if (item.updateAvailable) return "update";
  if (item.installed) return "installed";
  if (item.state === "removed") return "removed";
  return item.blocked ? "blocked" : "new";
}

/** Whether to offer an install; the server checks again. */
export function canInstall(item: Pick<CatalogItem, "blocked" | "state" | "installedSkillId">): boolean {
  return item.blocked === null && item.state === "present" && item.installedSkillId === null;
}
