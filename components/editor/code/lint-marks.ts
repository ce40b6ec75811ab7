import type { Diagnostic as LintMark } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { Diagnostic } from "@/lib/skill-format/schema";

/** The diagnostics of one file as marks on its lines; those without a line have none. */
export function lintMarks(diagnostics: readonly Diagnostic[], path: string, doc: Text): LintMark[] {
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.path !== path || diagnostic.line === undefined) return [];
    const line = doc.line(Math.min(diagnostic.line, doc.lines));
    const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
    const { severity, message, code } = diagnostic;
    return [{ from: line.from + indent, to: line.to, severity, message, source: code }];
  });
}
