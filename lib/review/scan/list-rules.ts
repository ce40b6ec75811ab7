import { ALL_RULES } from "../rules/all-rules";
import type { RuleInfo } from "./schema";

/** All rules as people see them, in order of id. */
export function listRules(): RuleInfo[] {
  return ALL_RULES.map(({ id, version, severity, title, why, owasp }) => ({
    id,
    version,
    severity,
    title,
    why,
    owasp,
  })).sort((a, b) => (a.id < b.id ? -1 : 1));
}
