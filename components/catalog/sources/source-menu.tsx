"use client";

import { Ellipsis, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { isWorking } from "@/lib/client/catalog-sources";
import { countOf } from "../../skills/skill-words";
import { useSourceActions } from "./use-source-actions";

type SourceMenuProps = {
  source: CatalogSource;
  onOpen: (id: string) => void;
  onEdit: (source: CatalogSource) => void;
};

export function SourceMenu({ source, onOpen, onEdit }: SourceMenuProps) {
  const [isAsking, setAsking] = useState(false);
  const { sync, remove } = useSourceActions(source);
  const { entries, installed } = source.counts;
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Change ${source.label}`} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem
            disabled={isWorking(source)}
            onSelect={() => {
              sync.mutate();
              onOpen(source.id);
            }}
          >
            <RefreshCw aria-hidden />
            Sync now
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => onEdit(source)}>
            <Pencil aria-hidden />
            Edit
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem tone="danger" onSelect={() => setAsking(true)}>
            <Trash2 aria-hidden />
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete the source ${source.label}?`}
        description={`Its ${countOf(entries, "skill")} leave the catalog. ${installedWords(installed)}`}
        confirmLabel="Delete source"
        tone="danger"
        onConfirm={() => remove.mutateAsync()}
      />
    </>
  );
}

function installedWords(installed: number): string {
  if (installed === 0) return "None of them is installed.";
  const what =
    installed === 1
      ? "The skill that is installed from it stays"
      : `The ${installed} skills that are installed from it stay`;
  return `${what} as ${installed === 1 ? "it is" : "they are"}, and ${installed === 1 ? "gets" : "get"} no more updates.`;
}
