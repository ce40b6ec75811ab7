"use client";

import { useQuery } from "@tanstack/react-query";
import { PackageSearch } from "lucide-react";
import { useRef } from "react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { useAction } from "@/components/forms/use-action";
import { List } from "@/components/lists/list-section";
import { countOf } from "@/components/skills/skill-labels";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { advisoriesQuery, removeAdvisories, uploadAdvisories } from "@/lib/client/evidence";
import { reviewsKey } from "@/lib/client/reviews";

const refresh = [advisoriesQuery.queryKey, reviewsKey];

/** The file of OSV records that packages of versions are compared with. */
export function AdvisorySection() {
  const query = useQuery(advisoriesQuery);
  return (
    <Section
      title="Advisories"
      description="Known vulnerabilities of packages, as OSV records. Reviewers see which packages of a version are affected. The server asks no other server about packages."
      actions={<Upload />}
    >
      <List
        query={query}
        errorTitle="The advisories could not be loaded."
        skeletonRows={1}
        empty={
          <EmptyState
            icon={PackageSearch}
            title="No advisories"
            description="Upload a JSON file: one OSV record, a list, or one record on each line, up to 8 MiB."
            className="py-8"
          />
        }
      >
        {(files) => (
          <ul className="divide-y rounded-md border">
            {files.map(({ sha256, records, uploadedAt, uploadedBy }) => (
              <li
                key={sha256}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 text-13"
              >
                <p>
                  {countOf(records, "record")}, uploaded by {uploadedBy.name} <RelativeTime value={uploadedAt} />
                </p>
                <ConfirmButton
                  title="Remove the advisories?"
                  description="Reviewers no longer see which packages are affected. Unpinned packages stay listed."
                  confirmLabel="Remove advisories"
                  onConfirm={removeAdvisories}
                  refresh={refresh}
                >
                  Remove
                </ConfirmButton>
              </li>
            ))}
          </ul>
        )}
      </List>
    </Section>
  );
}

function Upload() {
  const input = useRef<HTMLInputElement>(null);
  const { mutate, isPending } = useAction(uploadAdvisories, {
    refresh,
    done: "Advisories uploaded.",
    failed: "The advisories were not uploaded.",
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,.jsonl,.ndjson,application/json"
        aria-label="File of OSV records"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) mutate(file);
          target.value = "";
        }}
      />
      <Button size="sm" pending={isPending} onClick={() => input.current?.click()}>
        Upload advisories
      </Button>
    </>
  );
}
