import type { Readable, Writable } from "node:stream";
import type { EntryProcess } from "../launch/spawn-entry";
import { GATE_DESCRIPTORS } from "./gate-command";

export type Gate = {
  /** When the sandbox told that it is built, on the `performance.now()` clock; null while it has not. */
  toldMs(): number | null;
  /** Resolves once it has told, or has ended without. */
  told: Promise<void>;
  /** Lets the waiting process go on to its entry. */
  open(): void;
};

/** The worker's side of a sandbox's gate, for a child that was started with one. `onOpen` hears when it is let go. */
export function hearGate(child: EntryProcess, onOpen: () => void = () => {}): Gate {
  const tells = child.stdio[GATE_DESCRIPTORS.tell] as Readable;
  const waits = (child.stdio[GATE_DESCRIPTORS.wait] ?? null) as Writable | null;
  let toldMs: number | null = null;
  const told = new Promise<void>((resolve) => {
    tells.once("data", () => {
      toldMs = performance.now();
      resolve();
    });
    tells.once("close", resolve);
  });
  // A process that ends before it is let go on closes its side.
  for (const stream of [tells, waits]) stream?.on("error", () => {});
  const open = () => {
    waits?.end("\n");
    onOpen();
  };
  return { toldMs: () => toldMs, told, open };
}
