import { z } from "zod";

export const Severity = z.enum(["critical", "high", "medium", "info"]);
export type Severity = z.infer<typeof Severity>;

export const RuleId = z.string().regex(/^[A-Z]{3}-\d{3}$/);

/**
 * How the text in which a rule matched was got from the file: `source` is the text as it stands, every other view was
 * decoded from a part of it.
 */
export const ScanView = z.enum([
  "source",
  "invisible-removed",
  "tags-decoded",
  "confusables-folded",
  "entities-decoded",
  "percent-decoded",
  "escapes-decoded",
  "base64-decoded",
  "hex-decoded",
  "rot13-decoded",
  "reversed",
  "strings-joined",
]);
export type ScanView = z.infer<typeof ScanView>;

/** Something a rule found: evidence with a place, never a verdict. */
export const Finding = z.object({
  rule: RuleId,
  ruleVersion: z.number().int().positive(),
  /** The rule's own severity, or a higher one when `raisedBy` is set. */
  severity: Severity,
  /** The rule whose finding in the same skill makes this one weigh more; null when the severity is the rule's own. */
  raisedBy: RuleId.nullable(),
  /** Relative to the skill. */
  path: z.string(),
  /** From 1, in the source file, also for decoded views. Findings about a whole file stand at 1:1. */
  line: z.number().int().positive(),
  /** From 1, in UTF-16 units. */
  column: z.number().int().positive(),
  /** Only when the match ends on a later line. */
  endLine: z.number().int().positive().optional(),
  /** What matched, at most 300 characters; invisible characters as `\u{…}`, secrets redacted. */
  text: z.string(),
  /** One plain sentence for a reviewer. */
  why: z.string(),
  view: ScanView,
  /** Stays the same while rule, path, view and text do, wherever in the file it stands; unique within a scan. */
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  /** Matches of the same rule in the same file that are not listed: only the last one listed has more than 0. */
  more: z.number().int().nonnegative(),
});
export type Finding = z.infer<typeof Finding>;

/** SHA-256 over all rule ids and versions: what was scanned with other rules is due to be scanned again. */
export const RulesVersion = z.string().regex(/^[0-9a-f]{64}$/);

export const ScanResult = z.object({
  /** By severity (critical first), path, line, column, rule. */
  findings: z.array(Finding),
  /** False when a part could not be looked at; findings of OBF-003 and OBF-004 say which and why. */
  complete: z.boolean(),
  rulesVersion: RulesVersion,
  durationMs: z.number().nonnegative(),
});
export type ScanResult = z.infer<typeof ScanResult>;

/** A rule as people see it. */
export const RuleInfo = z.object({
  id: RuleId,
  version: z.number().int().positive(),
  severity: Severity,
  title: z.string(),
  why: z.string(),
  /** OWASP codes: `ASI01`–`ASI10` (agentic applications 2026), `LLM01`–`LLM10` (2025). */
  owasp: z.array(z.string().regex(/^(ASI|LLM)\d{2}$/)),
});
export type RuleInfo = z.infer<typeof RuleInfo>;
