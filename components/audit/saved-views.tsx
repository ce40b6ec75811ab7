"use client";

import { useQuery } from "@tanstack/react-query";
import { Bookmark, Check, Star, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useAction } from "@/components/forms/use-action";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred/deferred";
import { Dialog } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { SavedView } from "@/lib/audit/schema";
import { auditViewsQuery, deleteAuditView, updateAuditView } from "@/lib/client/audit";
import { viewKeys } from "./audit-filters";

const SaveViewForm = deferred(async () => (await import("./save-view-form")).SaveViewForm);

export function SavedViews({ params, onChange }: { params: URLSearchParams; onChange: (patch: UrlPatch) => void }) {
  const { data } = useQuery(auditViewsQuery);
  const [isSaving, setSaving] = useState(false);
  const views = data?.items ?? [];
  const query = queryOf(params);
  const current = views.find((view) => view.query === query);
  const change = useAction((work: () => Promise<unknown>) => work(), {
    refresh: [auditViewsQuery.queryKey],
    failed: "The view was not changed.",
  });
  const show = (view: SavedView) => onChange({ ...allOff, ...Object.fromEntries(new URLSearchParams(view.query)) });

  // The default applies once, and only to an address without parameters.
  const isPlain = useRef(params.toString() === "");
  const preferred = views.find((view) => view.isDefault);
  useEffect(() => {
    if (data === undefined) return;
    if (isPlain.current && preferred) onChange(Object.fromEntries(new URLSearchParams(preferred.query)));
    isPlain.current = false;
  }, [data, preferred, onChange]);

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button>
            <Bookmark aria-hidden />
            <span className="max-w-40 truncate">{current?.name ?? "Views"}</span>
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent className="w-64">
          {views.length === 0 ? <DropdownMenuLabel>No saved views</DropdownMenuLabel> : null}
          {views.map((view) => (
            <DropdownMenuItem key={view.id} onSelect={() => show(view)}>
              <span className="min-w-0 flex-1 truncate" title={view.name}>
                {view.name}
              </span>
              {view.isDefault ? <Star aria-label="Default view" role="img" /> : null}
              {view.id === current?.id ? <Check aria-label="Current view" role="img" /> : null}
            </DropdownMenuItem>
          ))}
          <DropdownMenuSeparator />
          {current === undefined ? (
            <DropdownMenuItem disabled={query === ""} onSelect={() => setSaving(true)}>
              <Bookmark aria-hidden />
              Save filters as view…
            </DropdownMenuItem>
          ) : (
            <>
              <DropdownMenuItem
                onSelect={() =>
                  change.mutate(() => updateAuditView({ id: current.id, patch: { isDefault: !current.isDefault } }))
                }
              >
                <Star aria-hidden />
                {current.isDefault ? "Remove as default" : "Set as default"}
              </DropdownMenuItem>
              <DropdownMenuItem tone="danger" onSelect={() => change.mutate(() => deleteAuditView(current.id))}>
                <Trash2 aria-hidden />
                <span className="min-w-0 truncate">Delete “{current.name}”</span>
              </DropdownMenuItem>
            </>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      <Dialog open={isSaving} onOpenChange={setSaving}>
        {isSaving ? <SaveViewForm query={query} onDone={() => setSaving(false)} /> : null}
      </Dialog>
    </>
  );
}

const allOff = Object.fromEntries([...viewKeys, "around", "event"].map((key) => [key, null]));

function queryOf(params: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const key of viewKeys) {
    const value = params.get(key);
    if (value) kept.set(key, value);
  }
  return kept.toString();
}
