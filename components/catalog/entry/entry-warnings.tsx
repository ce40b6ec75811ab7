import { DiagnosticList } from "@/components/code/diagnostic-list";
import type { CatalogDetail } from "@/lib/catalog/schema";
import type { Diagnostic } from "@/lib/skill-format/schema";

/** What the reader and the scan noticed, the gravest first. Evidence for a person, not a verdict. */
export function EntryWarnings({ entry }: { entry: CatalogDetail }) {
  return (
    <div className="-mx-2">
      <DiagnosticList diagnostics={warningsOf(entry)} />
    </div>
  );
}

const ranks: Record<Diagnostic["severity"], number> = { error: 0, warning: 1, info: 2 };

export function warningsOf({ diagnostics, findings }: CatalogDetail): Diagnostic[] {
  const found = findings.map(
    ({ rule, severity, path, line, text }): Diagnostic => ({
      code: rule,
      severity: severityOf(severity),
      path,
      ...(line === null ? {} : { line }),
      message: text,
    }),
  );
  return [...diagnostics, ...found].sort((a, b) => ranks[a.severity] - ranks[b.severity]);
}

/** Rules have more degrees than the reader: what is high or critical is shown as an error. */
function severityOf(severity: string): Diagnostic["severity"] {
  if (/^(critical|high|error|danger)/.test(severity)) return "error";
  return /^(info|low|note)/.test(severity) ? "info" : "warning";
}
