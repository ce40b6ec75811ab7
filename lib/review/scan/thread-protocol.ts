import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import type { Unread } from "./scan-skill";
import type { ScanResult } from "./schema";

/** To the thread: one skill to scan. */
export type ScanJob = { id: number; files: SkillFile[]; unread: Unread[] };

/** From the thread. `file` says what it begins to look at, so that an ended thread leaves word of where it was. */
export type ThreadMessage =
  | { type: "ready"; rulesVersion: string }
  | { type: "file"; id: number; path: string }
  | { type: "done"; id: number; result: ScanResult }
  | { type: "failed"; id: number; message: string };
