"use client";

import { FolderUp } from "lucide-react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { filesOfDrop, type PickedFile } from "./dropped-files";

type DropOverlayProps = { onDrop: (files: Promise<PickedFile[]>) => void };

/** Covers the page while files are dragged over it. */
export function DropOverlay({ onDrop }: DropOverlayProps) {
  const isDragging = useFileDrop(onDrop);
  if (!isDragging) return null;
  return createPortal(
    <div className="pointer-events-none fixed inset-0 z-60 grid animate-fade place-items-center bg-overlay p-6">
      <div className="flex flex-col items-center gap-2 rounded-lg border-2 border-primary border-dashed bg-popover px-12 py-10 text-center shadow-float">
        <FolderUp aria-hidden strokeWidth={1.5} className="size-8 text-primary" />
        <p className="font-medium">Drop to import</p>
        <p className="text-13 text-muted-foreground">A skill's folder, a SKILL.md, a .zip, .tar.gz or .tgz</p>
      </div>
    </div>,
    document.body,
  );
}

function useFileDrop(onDrop: DropOverlayProps["onDrop"]): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    // Entering a child fires before leaving its parent, so the two are counted.
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setDragging(false);
    };
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setDragging(false);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      onDrop(filesOfDrop(event.dataTransfer));
    };
    const handlers = { dragenter: enter, dragleave: leave, dragover: over, drop } as const;
    for (const [type, handler] of Object.entries(handlers)) window.addEventListener(type as "drop", handler);
    return () => {
      for (const [type, handler] of Object.entries(handlers)) window.removeEventListener(type as "drop", handler);
    };
  }, [onDrop]);
  return isDragging;
}
