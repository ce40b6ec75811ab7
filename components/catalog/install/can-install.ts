import type { CatalogItem } from "@/lib/catalog/schema";

/** Whether an install would do something new; the server decides. */
export function canInstall(item: Pick<CatalogItem, "blocked" | "state" | "installedSkillId">): boolean {
  return item.blocked === null && item.state === "present" && item.installedSkillId === null;
}
