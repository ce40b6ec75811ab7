import type { Duplex } from "node:stream";
import type { EntryProcess } from "../spawn-entry";
import { GATE_DESCRIPTOR } from "./gate-command";

export type Gate = {
  /** When the sandbox told that it is built, on the `performance.now()` clock; null while it has not. */
  toldMs(): number | null;
  /** Resolves once it has told, or has ended without. */
  told: Promise<void>;
  /** Lets the waiting process go on to its entry. */
  open(): void;
};

/** The worker's side of a sandbox's gate, for a child that was started with one. */
export function hearGate(child: EntryProcess): Gate {
  const socket = child.stdio[GATE_DESCRIPTOR] as Duplex;
  let toldMs: number | null = null;
  const told = new Promise<void>((resolve) => {
    socket.once("data", () => {
      toldMs = performance.now();
      resolve();
    });
    socket.once("close", resolve);
  });
  // A process that ends before it is let go on closes its side.
  socket.on("error", () => {});
  return { toldMs: () => toldMs, told, open: () => void socket.end("\n") };
}
