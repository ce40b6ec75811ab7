import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/state/use-me";
import { workerAllowancesQuery } from "@/lib/client/workers";
import type { AllowingWorker } from "./allowance-labels";

/** What each worker allows, for people who review; undefined for others, and until it is known. */
export function useWorkerAllowances(): readonly AllowingWorker[] | undefined {
  const role = useMe()?.user.role;
  const query = useQuery({ ...workerAllowancesQuery, enabled: role === "reviewer" || role === "admin" });
  return query.data?.items;
}
