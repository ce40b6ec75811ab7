import type { ScanFile, ScanSkill } from "./scan-file";
import type { RuleInfo, ScanView, Severity } from "./schema";

/** A match of a pattern, with what stands around it. */
export type Match = {
  text: string;
  /** Capturing groups, from 1 at index 0; empty when the group took no part. */
  groups: string[];
  /** The whole lines that the match touches, at most 1,000 characters to each side. */
  line: string;
  /** Up to 400 characters before and after the match. */
  before: string;
  after: string;
  file: ScanFile;
  view: ScanView;
  /** False in the running text of a Markdown file. */
  inCode: boolean;
};

/** Whether a match counts: false drops it, a severity replaces the rule's own for weaker or stronger evidence. */
export type Weigh = (match: Match) => boolean | Severity;

export type Pattern = {
  /** Lower-case texts of which every match holds one: the pattern is tried around these only. */
  hints: string[];
  /** How many lines a match may span; 2 where nothing else is said. */
  lines?: number;
  /** RE2 syntax, any letter case unless it begins with `(?-i)`, `^` and `$` at lines. Matches within 1,024 characters. */
  re: string;
  weigh?: Weigh;
};

/** What a check function found: offsets into the file's text, or none for the file as a whole. */
export type Hit = { start?: number; end?: number; text?: string; severity?: Severity; path?: string };

export type Rule = RuleInfo & {
  /** The files that the rule looks at; all with text unless it says otherwise. */
  applies?: (file: ScanFile) => boolean;
  /** Patterns are tried on decoded views too, unless this is false. */
  decoded?: false;
  patterns?: Pattern[];
  checkFile?: (file: ScanFile) => Hit[];
  checkSkill?: (skill: ScanSkill) => Hit[];
  /** What may not be shown as it is, for rules that find secrets. */
  redact?: (text: string) => string;
};
