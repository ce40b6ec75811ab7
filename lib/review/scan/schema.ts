import { z } from "zod";

export const Severity = z.enum(["critical", "high", "medium", "info"]);
export type Severity = z.infer<typeof Severity>;

export const RuleId = z.string().regex(/^[A-Z]{3}-\d{3}$/);

/** How the matched text was derived from the file: as written (`source`) or decoded from a part. */
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

export const Finding = z.object({
  rule: RuleId,
  ruleVersion: z.number().int().positive(),
  /** The rule's severity, or a higher one when `raisedBy` is set. */
  severity: Severity,
  /** The rule whose finding in the same skill raised the severity; null if none did. */
  raisedBy: RuleId.nullable(),
  path: z.string(),
  /** The source lines of the finding, hashed; with other lines it is another finding, which no reviewer accepted. */
  lineHash: z.string(),
  /** In the source file, from 1, also for decoded views. 1:1 for whole files. */
  line: z.number().int().positive(),
  column: z.number().int().positive(),
  endLine: z.number().int().positive().optional(),
  /** At most 300 characters; invisible characters as `\u{…}`, secrets redacted. */
  text: z.string(),
  /** One sentence for reviewers. */
  why: z.string(),
  view: ScanView,
  /** Stable while rule, path, view and text are; independent of the position; unique within a scan. */
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  /** Further matches of the rule in this file; only the last listed one has more than 0. */
  more: z.number().int().nonnegative(),
});
export type Finding = z.infer<typeof Finding>;

/** SHA-256 over all rule ids and versions. Versions scanned with another value are scanned again. */
export const RulesVersion = z.string().regex(/^[0-9a-f]{64}$/);

export const ScanResult = z.object({
  /** Sorted by severity (critical first), path, line, column, rule. */
  findings: z.array(Finding),
  /** False when a part was not scanned; findings of OBF-003 and OBF-004 say which and why. */
  complete: z.boolean(),
  rulesVersion: RulesVersion,
  durationMs: z.number().nonnegative(),
});
export type ScanResult = z.infer<typeof ScanResult>;

export const RuleInfo = z.object({
  id: RuleId,
  version: z.number().int().positive(),
  severity: Severity,
  title: z.string(),
  why: z.string(),
  /** OWASP codes: `AST01`–`AST10` (agentic skills, `SKILL_RISKS`), `ASI01`–`ASI10` (agentic applications 2026), `LLM01`–`LLM10` (2025). */
  owasp: z.array(z.string().regex(/^(AST|ASI|LLM)\d{2}$/)),
});
export type RuleInfo = z.infer<typeof RuleInfo>;
