/**
 * Classes of the OWASP Agentic Skills Top 10, v1.0 (2026 edition), as published on the date. Classes of that list were
 * renamed and merged during 2026, so an id means nothing without the date.
 */
export const SKILL_RISKS = {
  list: "OWASP Agentic Skills Top 10",
  version: "1.0",
  date: "2026-09-02",
  address: "https://owasp.org/www-project-agentic-skills-top-10/",
  names: {
    AST01: "Malicious Skills",
    AST02: "Supply Chain Compromise",
    AST03: "Over-Privileged Skills",
    AST04: "Insecure Metadata",
    AST05: "Untrusted External Instructions",
    AST06: "Weak Isolation",
    AST07: "Update Drift",
    AST08: "Poor Scanning",
    AST09: "No Governance",
    AST10: "Cross-Platform Reuse",
  },
} as const;

export type SkillRisk = keyof typeof SKILL_RISKS.names;

/** The class of each rule, by the longest prefix of its id. */
const CLASSES: [string, SkillRisk][] = [
  ["AGT-002", "AST05"],
  ["AGT-003", "AST07"],
  ["AGT-005", "AST05"],
  ["AGT", "AST01"],
  ["CRD-004", "AST03"],
  ["CRD-005", "AST03"],
  ["CRD-006", "AST03"],
  ["CRD", "AST01"],
  ["DEP-005", "AST07"],
  ["DEP", "AST02"],
  ["DLX-005", "AST01"],
  ["DLX-012", "AST01"],
  ["DLX-014", "AST01"],
  ["DLX-015", "AST01"],
  ["DLX-017", "AST01"],
  ["DLX", "AST02"],
  ["EXF", "AST01"],
  ["FRD", "AST01"],
  ["HID", "AST01"],
  ["MAN-001", "AST03"],
  ["MAN-002", "AST03"],
  ["MAN", "AST04"],
  ["OBF", "AST08"],
  ["PRM-006", "AST03"],
  ["PRM-007", "AST03"],
  ["PRM-009", "AST04"],
  ["PRM", "AST01"],
  ["SYS-003", "AST03"],
  ["SYS-004", "AST06"],
  ["SYS", "AST01"],
];

/** Throws for a rule without a class. */
export function skillRiskOf(rule: string): SkillRisk {
  const known = CLASSES.find(([prefix]) => rule.startsWith(prefix));
  if (known === undefined) throw new Error(`The rule ${rule} has no class of the ${SKILL_RISKS.list}.`);
  return known[1];
}
