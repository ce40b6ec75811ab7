import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { cn } from "@/components/ui/cn";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { RevealedText } from "./hidden-notice";

type DiagnosticListProps = {
  diagnostics: readonly Diagnostic[];
  onJump?: (diagnostic: Diagnostic) => void;
  active?: Diagnostic | undefined;
};

export function DiagnosticList({ diagnostics, onJump, active }: DiagnosticListProps) {
  return (
    <ul className="flex flex-col gap-px text-13">
      {diagnostics.map((diagnostic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and they never move
        <li key={index}>
          {onJump && diagnostic.path ? (
            <button
              type="button"
              onClick={() => onJump(diagnostic)}
              data-active={diagnostic === active || undefined}
              className="flex w-full items-start gap-2 rounded-sm px-2 py-1.5 text-left hover:bg-accent data-active:bg-selected"
            >
              <DiagnosticText diagnostic={diagnostic} />
            </button>
          ) : (
            <div className="flex items-start gap-2 px-2 py-1.5">
              <DiagnosticText diagnostic={diagnostic} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function DiagnosticText({ diagnostic }: { diagnostic: Diagnostic }) {
  const { severity, code, path, line, message } = diagnostic;
  return (
    <>
      <SeverityIcon severity={severity} className="mt-0.5" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <RevealedText text={message} />
        <span className="block text-muted-foreground text-xs">
          {path ? (
            <>
              <RevealedText text={path} className="font-mono" />
              {line ? `:${line}` : ""} ·{" "}
            </>
          ) : null}
          <code>{code}</code>
        </span>
      </span>
    </>
  );
}

const severityStyles = {
  error: { Icon: CircleAlert, tone: "text-danger", word: "Error" },
  warning: { Icon: TriangleAlert, tone: "text-warning", word: "Warning" },
  info: { Icon: Info, tone: "text-muted-foreground", word: "Note" },
} as const;

type SeverityIconProps = { severity: Diagnostic["severity"]; className?: string };

export function SeverityIcon({ severity, className }: SeverityIconProps) {
  const { Icon, tone, word } = severityStyles[severity];
  return (
    <>
      <Icon aria-hidden className={cn("size-4 shrink-0", tone, className)} />
      <span className="sr-only">{word}: </span>
    </>
  );
}
