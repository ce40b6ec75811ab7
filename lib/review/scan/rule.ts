import type { ScanFile, ScanSkill } from "./scan-file";
import type { RuleInfo, ScanView, Severity } from "./schema";

export type Match = {
  text: string;
  /** Capturing groups, the first at index 0; empty when a group did not match. */
  groups: string[];
  line: string;
  before: string;
  after: string;
  file: ScanFile;
  view: ScanView;
  /** False in the prose of a Markdown file. */
  inCode: boolean;
};

/** Weighs a match: false drops it, a severity replaces the rule's own. */
export type Weigh = (match: Match) => boolean | Severity;

export type Pattern = {
  /** Lower-case texts; every match contains at least one. The pattern is tried only near them. */
  hints: string[];
  /** Lines that a match may span; 2 by default. */
  lines?: number;
  /** RE2, case-insensitive without `(?-i)`; `^` and `$` match at lines. At most 1,024 characters match. */
  re: string;
  weigh?: Weigh;
};

/** Result of a check function: offsets into the text, or none for the whole file. */
export type Hit = { start?: number; end?: number; text?: string; severity?: Severity; path?: string };

export type Rule = RuleInfo & {
  /** All files with text by default. */
  applies?: (file: ScanFile) => boolean;
  /** False: do not apply the patterns to decoded views. */
  decoded?: false;
  patterns?: Pattern[];
  /** A file with a finding of `checkFile` has a match of one of these. */
  onlyWith?: RegExp[];
  checkFile?: (file: ScanFile) => Iterable<Hit>;
  checkSkill?: (skill: ScanSkill) => Hit[];
  /** Hides the secret part of a match. */
  redact?: (text: string) => string;
};
