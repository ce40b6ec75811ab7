import { EventEmitter } from "node:events";
import { processStore } from "@/lib/core/process-store";

function bus(): EventEmitter {
  return processStore("catalog-syncs", () => new EventEmitter().setMaxListeners(0));
}

/** Tells the background work that a sync was queued. Call it after the transaction. */
export function notifySyncQueued(): void {
  bus().emit("queued");
}

/** Calls back for each queued sync until the returned function is called. */
export function onSyncQueued(listener: () => void): () => void {
  bus().on("queued", listener);
  return () => bus().off("queued", listener);
}
