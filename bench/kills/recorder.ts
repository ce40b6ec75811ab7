import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** One acknowledged change. `revoking` only says that a token may be missing from now on. */
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
  write(acknowledged: Acknowledged): void;
  /** All acknowledged changes, from the disk. Read it while the server is dead, before more are added. */
  read(): Acknowledged[];
  close(): void;
};

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
        .map((line) => JSON.parse(line) as Acknowledged),
    close: () => closeSync(handle),
  };
}
