import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { useToast } from "@/components/ui/toast";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import {
  catalogKey,
  confirmRepository,
  deleteSource,
  sourcesKey,
  syncSource,
  updateSource,
  updatesKey,
} from "@/lib/client/catalog";

/** Everything that shows sources or what they hold is asked again. */
export function refreshSources(queryClient: QueryClient): Promise<unknown> {
  return Promise.all(
    [sourcesKey, catalogKey, updatesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

/** What an admin does with a source that exists. */
export function useSourceActions({ id, label }: Pick<CatalogSource, "id" | "label">) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const onSettled = () => refreshSources(queryClient);
  const fail = (title: string) => (error: Error) => toast({ tone: "danger", title, description: errorText(error) });

  const sync = useMutation({
    mutationFn: () => syncSource(id),
    onSettled,
    onError: fail(`${label} is not synced.`),
  });
  const show = useMutation({
    mutationFn: (enabled: boolean) => updateSource({ id, patch: { enabled } }),
    onSettled,
    onError: fail(`${label} stays as it was.`),
  });
  const confirm = useMutation({
    mutationFn: (repositoryId: string) => confirmRepository({ id, repositoryId }),
    onSettled,
  });
  const remove = useMutation({ mutationFn: () => deleteSource(id), onSettled });
  return { sync, show, confirm, remove };
}
