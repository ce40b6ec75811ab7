"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bookmark, Check, Star, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { errorText } from "@/components/state/describe-error";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { useToast } from "@/components/ui/toast";
import { auditViewsQuery, deleteAuditView, type SavedView, saveAuditView, updateAuditView } from "@/lib/client/audit";
import { viewKeys } from "./audit-filters";

type SavedViewsProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

/** The person's own named filters; one of them may open with the page. */
export function SavedViews({ params, onChange }: SavedViewsProps) {
  const client = useQueryClient();
  const { toast } = useToast();
  const { data } = useQuery(auditViewsQuery);
  const [isSaving, setSaving] = useState(false);
  const views = data?.items ?? [];
  const query = queryOf(params);
  const current = views.find((view) => view.query === query);
  const refresh = () => client.invalidateQueries({ queryKey: auditViewsQuery.queryKey });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: refresh,
    onError: (error) => toast({ tone: "danger", title: "The view was not changed.", description: errorText(error) }),
  });
  const show = (view: SavedView) => onChange({ ...allOff, ...Object.fromEntries(new URLSearchParams(view.query)) });

  // Once, and only for an address that says nothing.
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
          {views.length === 0 ? <DropdownMenuLabel>Filters that you save are listed here.</DropdownMenuLabel> : null}
          {views.map((view) => (
            <DropdownMenuItem key={view.id} onSelect={() => show(view)}>
              <span className="min-w-0 flex-1 truncate" title={view.name}>
                {view.name}
              </span>
              {view.isDefault ? <Star aria-label="Opens with the page" role="img" /> : null}
              {view.id === current?.id ? <Check aria-label="Shown now" role="img" /> : null}
            </DropdownMenuItem>
          ))}
          <DropdownMenuSeparator />
          {current === undefined ? (
            <DropdownMenuItem disabled={query === ""} onSelect={() => setSaving(true)}>
              <Bookmark aria-hidden />
              Save these filters…
            </DropdownMenuItem>
          ) : (
            <>
              <DropdownMenuItem
                onSelect={() =>
                  change.mutate(() => updateAuditView({ id: current.id, patch: { isDefault: !current.isDefault } }))
                }
              >
                <Star aria-hidden />
                {current.isDefault ? "Open the page without it" : "Open the page with it"}
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
        {isSaving ? (
          <SaveForm
            query={query}
            onSaved={() => {
              void refresh();
              setSaving(false);
            }}
          />
        ) : null}
      </Dialog>
    </>
  );
}

function SaveForm({ query, onSaved }: { query: string; onSaved: () => void }) {
  const [name, setName] = useState("");
  const [isDefault, setDefault] = useState(false);
  const save = useMutation({ mutationFn: () => saveAuditView({ name, query, isDefault }), onSuccess: onSaved });
  return (
    <FormDialogContent
      title="Save view"
      size="sm"
      action="Save view"
      pending={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <Field label="Name" required>
        <Input value={name} maxLength={60} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <span className="flex items-center gap-2">
        <Checkbox id="view-default" checked={isDefault} onCheckedChange={(checked) => setDefault(checked === true)} />
        <Label htmlFor="view-default" className="font-normal">
          Open the audit with it
        </Label>
      </span>
      <FormError error={save.error} />
    </FormDialogContent>
  );
}

const allOff = Object.fromEntries([...viewKeys, "around", "event"].map((key) => [key, null]));

/** The part of the address that makes a view, in one order. */
function queryOf(params: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const key of viewKeys) {
    const value = params.get(key);
    if (value) kept.set(key, value);
  }
  return kept.toString();
}
