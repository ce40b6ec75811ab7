import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/forms/use-action";
import { errorText } from "@/components/state/describe-error";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { keepFiles, keptFilesQuery } from "@/lib/client/catalog";

/** Whether all files of a source are stored here, with a switch. */
export function KeptFiles({ source }: { source: Pick<CatalogSource, "id" | "label"> }) {
  const query = useQuery(keptFilesQuery(source.id));
  const change = useAction((keeps: boolean) => keepFiles(source.id, keeps), {
    refresh: [keptFilesQuery(source.id).queryKey],
    failed: `${source.label} was not changed.`,
  });
  const { data } = query;
  return (
    <Section
      title="Keep all files"
      description="Stores every file of the listed skills here, so that they can be installed while the host is gone."
      level={3}
      className="gap-2"
    >
      {query.error ? <p className="text-13 text-danger">{errorText(query.error)}</p> : null}
      {data ? (
        <div className="flex flex-col gap-2 text-13">
          <Switch
            aria-label={`All files of ${source.label} are ${data.keeps ? "kept" : "not kept"}`}
            checked={change.isPending ? change.variables : data.keeps}
            onCheckedChange={(keeps) => change.mutate(keeps)}
          />
          {data.keeps ? (
            <p className="text-muted-foreground">
              {data.complete.toLocaleString("en-GB")} of {data.entries.toLocaleString("en-GB")} skills are stored.
            </p>
          ) : null}
          {data.problem === null ? null : <p className="text-warning">{data.problem}</p>}
        </div>
      ) : null}
    </Section>
  );
}
