import { cn } from "@/components/ui/cn";
import { Section } from "@/components/ui/section";
import type { AgentView } from "@/lib/agent/preamble/schema";

type Budget = AgentView["budget"];

/** The share of an agent's context that the preamble takes, and the limits at which clients cut it off. */
export function BudgetMeter({ budget }: { budget: Budget }) {
  const { characters, tokens, share, window, estimate, lines } = budget;
  return (
    <Section
      title="Context budget"
      description={`${count(characters)} characters, about ${count(tokens)} tokens: ${percent(share)} of a window of ${count(window)}.`}
    >
      <ul className="flex flex-col gap-3 text-13">
        {lines.map((line) => (
          <Line key={line.name} line={line} window={window} used={line.unit === "tokens" ? tokens : characters} />
        ))}
      </ul>
      <p className="text-muted-foreground text-xs">
        The mark in a bar is the limit. {estimate} Measured on the XML format.
      </p>
    </Section>
  );
}

function Line({ line, window, used }: { line: Budget["lines"][number]; window: number; used: number }) {
  // The bar extends beyond the limit, so that an excess is visible.
  const whole = Math.max(used, line.limit) * 1.1;
  const place = (value: number) => `${((value / whole) * 100).toFixed(1)}%`;
  return (
    <li className="flex flex-col gap-1">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span>{lineName(line, window)}</span>
        <span className={cn("tabular-nums", line.over ? "text-warning" : "text-muted-foreground")}>
          {line.over ? describeOverflow(line) : `${count(line.limit - used)} ${line.unit} left`}
        </span>
      </p>
      {/* The text above has the same figures. */}
      <div aria-hidden className="relative h-2 rounded-full bg-accent">
        <div
          className={cn("h-full rounded-full", line.over ? "bg-warning-mark" : "bg-primary")}
          style={{ width: place(used), minWidth: used > 0 ? 3 : 0 }}
        />
        <span className="absolute -inset-y-1 w-px bg-foreground" style={{ left: place(line.limit) }} />
      </div>
      {line.cut.length > 0 ? (
        <p className="break-words text-muted-foreground text-xs">
          Cut off: {line.cut.slice(0, 8).join(", ")}
          {line.cutCount > 8 ? ` and ${line.cutCount - 8} more` : ""}
        </p>
      ) : null}
    </li>
  );
}

function lineName({ unit, limit }: Budget["lines"][number], window: number): string {
  return unit === "tokens"
    ? `${percent(limit / window)} of the window: ${count(limit)} tokens`
    : `${count(limit)} characters`;
}

function describeOverflow({ kept, cutCount }: Budget["lines"][number]): string {
  if (cutCount === 0) return "Over the limit";
  return `Over the limit: clients show ${kept} of ${kept + cutCount} skills`;
}

function percent(share: number): string {
  return `${(share * 100).toLocaleString("en-GB", { maximumFractionDigits: 2 })} %`;
}

function count(value: number): string {
  return value.toLocaleString("en-GB");
}
