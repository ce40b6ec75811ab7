import { useAction } from "@/components/forms/use-action";
import type { Tone } from "@/components/ui/badge";
import type { CatalogSource, SourceKind } from "@/lib/catalog/sources/schema";
import {
  catalogKey,
  confirmRepository,
  deleteSource,
  sourcesKey,
  syncSource,
  updateSource,
  updatesKey,
} from "@/lib/client/catalog";

type SourceFacts = Pick<CatalogSource, "state" | "enabled" | "pendingRepository" | "errorCode" | "syncedAt">;

export function sourceState(source: SourceFacts): { label: string; tone: Tone } {
  if (source.pendingRepository) return { label: "Confirm repository", tone: "warning" };
  if (source.state === "running") return { label: "Syncing", tone: "accent" };
  if (source.state === "queued") return { label: "Queued", tone: "neutral" };
  if (source.state === "failed") return { label: "Failed", tone: "danger" };
  if (!source.enabled) return { label: "Hidden", tone: "neutral" };
  return source.syncedAt ? { label: "Synced", tone: "success" } : { label: "Not synced", tone: "neutral" };
}

/** "anthropics/skills@main" or "anthropics/skills@main:folder" */
export function sourceAddress({
  owner,
  repo,
  ref,
  defaultBranch,
  folder,
}: Pick<CatalogSource, "owner" | "repo" | "ref" | "defaultBranch" | "folder">): string {
  const at = ref ?? defaultBranch;
  return `${owner}/${repo}${at ? `@${at}` : ""}${folder ? `:${folder}` : ""}`;
}

export const kindLabels: Record<SourceKind, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
  bitbucket: "Bitbucket Cloud",
  azure: "Azure DevOps",
  git: "Git",
  index: "Agent Skills index (.well-known)",
  clawhub: "ClawHub registry",
  marketplace: "Claude plugin marketplace (.json)",
  skillgate: "Another Skillgate",
};

const intervals = [
  { minutes: 15, label: "Every 15 minutes" },
  { minutes: 60, label: "Every hour" },
  { minutes: 360, label: "Every 6 hours" },
  { minutes: 1440, label: "Once a day" },
  { minutes: 10_080, label: "Once a week" },
] as const;

/** The options of a select, with the current interval if the API set another one. */
export function intervalOptions(current: number): { value: string; label: string }[] {
  const known = intervals.map(({ minutes, label }) => ({ value: String(minutes), label }));
  if (intervals.some(({ minutes }) => minutes === current)) return known;
  return [...known, { value: String(current), label: `Every ${current} minutes` }];
}

export const sourceKeys = [sourcesKey, catalogKey, updatesKey];

export function useSourceActions({ id, label }: Pick<CatalogSource, "id" | "label">) {
  const refresh = sourceKeys;
  const sync = useAction(() => syncSource(id), { refresh, failed: `The sync of ${label} was not started.` });
  const show = useAction((enabled: boolean) => updateSource({ id, patch: { enabled } }), {
    refresh,
    failed: `${label} was not changed.`,
  });
  const forgetHostKeys = useAction(() => updateSource({ id, patch: { hostKeys: null } }), { refresh });
  const confirm = useAction((repositoryId: string) => confirmRepository({ id, repositoryId }), { refresh });
  const remove = useAction(() => deleteSource(id), { refresh });
  return { sync, show, confirm, forgetHostKeys, remove };
}
