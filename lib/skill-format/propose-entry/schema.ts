import { z } from "zod";
import { ScriptEntry } from "../entry/script-entry";

/**
 * How a script seems to be called, read from its text. `declared`: a parser in it names each argument. `described`: a text
 * for people does. `guessed`: nothing does, or what does only in part.
 */
export const EntryProposal = z.object({
  entry: ScriptEntry,
  /** What it was read from: “argparse”, “usage text”. */
  readFrom: z.string(),
  line: z.number().int().positive().nullable(),
  confidence: z.enum(["declared", "described", "guessed"]),
  /** What to check, one or two sentences. */
  note: z.string(),
});
export type EntryProposal = z.infer<typeof EntryProposal>;
