import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { versionQuery, versionsQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";

/** The version that the page shows: the approved one, else the pending one, else the newest draft. */
export function useShownVersion(skill: Skill, wanted?: string) {
  const known = wanted ?? skill.currentVersion?.digest ?? skill.pendingVersion?.digest;
  const newest = useInfiniteQuery({ ...versionsQuery(skill.id), enabled: known === undefined });
  const digest = known ?? newest.data?.pages[0]?.items[0]?.digest;
  const version = useQuery({ ...versionQuery(skill.id, digest ?? ""), enabled: digest !== undefined });
  return { ...version, error: version.error ?? newest.error } as typeof version;
}
