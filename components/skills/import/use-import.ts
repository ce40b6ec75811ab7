import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { importEvent } from "@/components/shell/shell-actions";
import { useUrlParams } from "@/components/state/use-url-params";
import { decisionKeys } from "@/lib/client/reviews";
import { type ImportOwner, prepareImport, previewImport } from "@/lib/client/skills";
import { type PickedFile, packFiles } from "./import-files";

export type ImportProgress = ReturnType<typeof useImport>;

/** Packs the picked files, previews the import, and imports on request. */
export function useImport(pick: NonNullable<ImportDrawerState["pick"]>) {
  const queryClient = useQueryClient();
  const [owner, setOwner] = useState<ImportOwner>("me");

  const packed = useQuery({
    queryKey: ["import", "pack", pick.id],
    queryFn: async () => packFiles(await pick.files),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const file = packed.data ?? null;
  const preview = useQuery({
    queryKey: ["import", "preview", pick.id, owner],
    queryFn: ({ signal }) => previewImport(requireFile(file), owner, signal),
    enabled: file !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  // Kept so that a retry after a lost response sends the same idempotency key and bytes.
  const prepared = useQuery({
    queryKey: ["import", "prepare", pick.id, owner],
    queryFn: async () => ({ send: await prepareImport(requireFile(file), owner) }),
    enabled: file !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async () => {
      if (!prepared.data) throw new Error("the upload is not ready");
      return prepared.data.send();
    },
    onSuccess: () => {
      for (const queryKey of decisionKeys) void queryClient.invalidateQueries({ queryKey });
    },
  });

  return {
    file,
    preview: preview.data,
    isReading: packed.isPending || (file !== null && preview.isPending),
    owner,
    setOwner,
    run: () => mutate(),
    isImporting: isPending,
    answer: data,
    error: error ?? preview.error ?? packed.error,
  };
}

function requireFile(file: File | null): File {
  if (!file) throw new Error("nothing was packed");
  return file;
}

type PickedUpload = { id: number; files: Promise<PickedFile[]> } | null;
let nextPick = 1;

export type ImportDrawerState = ReturnType<typeof useImportDrawer>;

/** State of the drawer; the command palette and `?import=1` open it too. */
export function useImportDrawer() {
  const [params, setParams] = useUrlParams();
  const [isOpen, setOpen] = useState(false);
  const [pick, setPick] = useState<PickedUpload>(null);
  const asked = params.get("import") === "1";

  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => {
    setOpen(false);
    setPick(null);
  }, []);
  const take = useCallback((files: Promise<PickedFile[]>) => {
    setPick({ id: nextPick++, files });
    setOpen(true);
  }, []);

  useEffect(() => {
    window.addEventListener(importEvent, open);
    return () => window.removeEventListener(importEvent, open);
  }, [open]);
  useEffect(() => {
    if (!asked) return;
    setParams({ import: null });
    open();
  }, [asked, setParams, open]);

  return { isOpen, pick, open, close, take };
}
