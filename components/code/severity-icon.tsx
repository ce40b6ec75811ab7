import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { cn } from "@/components/ui/cn";
import type { Diagnostic } from "@/lib/skill-format/schema";

const looks = {
  error: { Icon: CircleAlert, tone: "text-danger", word: "Error" },
  warning: { Icon: TriangleAlert, tone: "text-warning", word: "Warning" },
  info: { Icon: Info, tone: "text-muted-foreground", word: "Note" },
} as const;

type SeverityIconProps = { severity: Diagnostic["severity"]; className?: string };

export function SeverityIcon({ severity, className }: SeverityIconProps) {
  const { Icon, tone, word } = looks[severity];
  return (
    <>
      <Icon aria-hidden className={cn("size-4 shrink-0", tone, className)} />
      <span className="sr-only">{word}: </span>
    </>
  );
}
