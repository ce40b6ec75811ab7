import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { permissionOf } from "./permissions";

type ToolChipsProps = { tools: readonly string[] | null; shown?: number; className?: string };

/** The tools a skill asks to use without a question: the first few, then how many more. */
export function ToolChips({ tools, shown = 3, className }: ToolChipsProps) {
  if (!tools || tools.length === 0) return null;
  // What stands out must not be the one that is left out.
  const sorted = [...tools].sort((a, b) => rank(b) - rank(a));
  const rest = sorted.slice(shown);
  return (
    <span className={cn("flex min-w-0 items-center gap-1", className)}>
      {sorted.slice(0, shown).map((tool) => (
        <Badge
          key={tool}
          tone={permissionOf(tool).tone}
          title={`${tool}: ${permissionOf(tool).text}`}
          className="min-w-0 max-w-28 shrink font-mono font-normal"
        >
          <RevealedText text={tool} className="truncate" />
        </Badge>
      ))}
      {rest.length > 0 ? (
        <span className="shrink-0 text-muted-foreground text-xs tabular-nums" title={rest.join("\n")}>
          +{rest.length}
        </span>
      ) : null}
    </span>
  );
}

function rank(tool: string): number {
  return ["neutral", "warning", "danger"].indexOf(permissionOf(tool).tone);
}
