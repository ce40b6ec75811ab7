import type { RunEventItem } from "@/lib/worker/protocol";

/** Adds one event to the run; the text must be at most MAX_EVENT_TEXT long. */
export type EmitEvent = (stream: RunEventItem["stream"], text: string) => void;
