import type { CompoundList, Script, SyntaxNode } from "unbash";
import type { Program, Range } from "./program";
import type { Value } from "./values";

/** Runs a script that a command starts in another language. */
export type RunOther = (language: "python" | "javascript" | "lines", text: string, program: Program) => void;

export type Shell = {
  program: Program;
  variables: Map<string, Value>;
  functions: Map<string, SyntaxNode>;
  /** Functions of other files, whose offsets differ. */
  foreign: Set<string>;
  called: Set<string>;
  descriptors: Map<string, Value>;
  /** Scripts of the command that read what it writes: `>(…)`. */
  sinks: (Script | CompoundList)[];
  /** What runs now is in the background or its output is thrown away. */
  isQuiet: boolean;
  folder: string;
  depth: number;
  /** For a script that this one writes into a file. */
  isWritten?: true;
  /** Fixed for text inside another script, whose offsets differ. */
  range: Range | null;
  runOther: RunOther;
  /** Runs commands that stand inside a word or in another file. */
  runScript: (shell: Shell, script: Script | CompoundList, stdin: Value) => Value;
};
