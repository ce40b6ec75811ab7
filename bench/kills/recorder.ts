import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/**
 * One promise of the server. `made`: something that has to be there from now on. `set`: something that has this value until
 * it is asked to take another. `revoking` is no promise: it says that a token may be gone from now on.
 */
export type Acknowledged = { kind: Kind; id: string; value: string };
export type Kind =
  | "skill"
  | "version"
  | "token"
  | "run"
  | "tags"
  | "enabled"
  | "setting"
  | "decision"
  | "revoking"
  | "revoked";

export type Recorder = {
  /** On the disk before it counts. */
  write(acknowledged: Acknowledged): void;
  /** Everything that was acknowledged, from the disk. To be read while the server is dead, or a later one adds to it. */
  read(): Acknowledged[];
  close(): void;
};

/** A file of what the server has said yes to, that outlives whoever dies. */
export function openRecorder(file: string): Recorder {
  const handle = openSync(file, "a");
  return {
    write: (acknowledged) => {
      writeSync(handle, `${JSON.stringify(acknowledged)}\n`);
      fsyncSync(handle);
    },
    read: () =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        // Our own lines.
        .map((line) => JSON.parse(line) as Acknowledged),
    close: () => closeSync(handle),
  };
}
