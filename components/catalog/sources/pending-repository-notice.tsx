"use client";

import { RevealedText } from "@/components/code/revealed-text";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Notice } from "@/components/ui/notice";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { useSourceActions } from "./use-source-actions";

const words = {
  renamed: {
    title: "The repository has another name now",
    text: "It is the same repository under a new name. Confirm it to go on syncing from there.",
  },
  replaced: {
    title: "Another repository answers under this name",
    text: "It is not the one that was pinned. Somebody may have taken over the name: confirm it only if you know who it belongs to.",
  },
} as const;

/** A renamed or replaced repository is refused until an admin has looked at both. */
export function PendingRepositoryNotice({ source }: { source: CatalogSource }) {
  const { confirm } = useSourceActions(source);
  const pending = source.pendingRepository;
  if (!pending) return null;
  const { title, text } = words[pending.reason];
  return (
    <Notice tone={pending.reason === "replaced" ? "danger" : "warning"} title={title}>
      <p>{text}</p>
      <DefinitionList
        className="mt-2"
        items={[
          { term: "Pinned", value: <Named name={`${source.owner}/${source.repo}`} id={source.repositoryId} /> },
          { term: "Answers now", value: <Named name={pending.fullName} id={pending.id} /> },
        ]}
      />
      {confirm.error ? (
        <p role="alert" className="mt-2 text-danger">
          {errorText(confirm.error)}
        </p>
      ) : null}
      <Button size="sm" className="mt-3" pending={confirm.isPending} onClick={() => confirm.mutate(pending.id)}>
        Confirm {pending.fullName}
      </Button>
    </Notice>
  );
}

function Named({ name, id }: { name: string; id: string | null }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      <RevealedText text={name} className="font-medium" />
      {id ? <code className="ml-2 text-xs">id {id}</code> : null}
    </span>
  );
}
