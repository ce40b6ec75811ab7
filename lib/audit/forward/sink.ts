import type { StoredEvent } from "../chain/event-columns";

/** Where events are forwarded to. */
export type Sink = {
  /** Stable: under this name it is remembered how far it is. */
  name: "file" | "syslog" | "webhook";
  /** Resolves when it has taken all of these, oldest first; some may have come before. Throws when it has not. */
  send(events: readonly StoredEvent[], signal: AbortSignal): Promise<void>;
};
