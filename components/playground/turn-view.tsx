import { type ReactNode, useMemo } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import type { EndReason, Turn } from "@/lib/agent/playground/schema";
import type { PlaygroundLimits } from "@/lib/client/playground";
import { CallRow } from "./call-row";
import { readTurn, type TurnReading } from "./read-turn";

type TurnViewProps = {
  turn: Pick<Turn, "prompt" | "events" | "state">;
  limits: PlaygroundLimits;
  /** Shown next to the figures of a finished answer. */
  rating?: ReactNode;
};

export function TurnView({ turn, limits, rating }: TurnViewProps) {
  const reading = useMemo(() => readTurn(turn.events), [turn.events]);
  const isGoing = turn.state === "running";
  return (
    <article aria-label={`Asked: ${turn.prompt.slice(0, 80)}`} className="flex flex-col gap-3">
      <p className="ml-auto max-w-[85%] whitespace-pre-wrap break-words rounded-md bg-muted px-3 py-2 text-sm">
        {turn.prompt}
      </p>
      {reading.parts.map((part) =>
        part.kind === "text" ? (
          <Markdown key={part.key} text={part.text} className="text-sm" />
        ) : (
          <CallRow key={part.key} call={part} />
        ),
      )}
      {isGoing ? <RunningStatus reading={reading} /> : <TurnEnd reading={reading} limits={limits} rating={rating} />}
    </article>
  );
}

function RunningStatus({ reading: { parts } }: { reading: TurnReading }) {
  const last = parts.at(-1);
  const words = last?.kind === "call" && last.result === null ? `Running ${last.tool}…` : "The model is answering…";
  return (
    <p role="status" className="flex items-center gap-2 text-13 text-muted-foreground">
      <span aria-hidden className="size-2 animate-pulse rounded-full bg-primary motion-reduce:animate-none" />
      {words}
    </p>
  );
}

type EndingProps = Pick<TurnViewProps, "limits" | "rating"> & { reading: TurnReading };

function TurnEnd({ reading: { end, parts, usage }, limits, rating }: EndingProps) {
  const words = end
    ? describeEnd(end, limits)
    : "The answer was interrupted because the server stopped. Send the message again.";
  const said = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  const isFault = end === null || end.reason === "error";
  return (
    <>
      {words === null ? null : (
        <Notice tone={isFault ? "danger" : end && isLimit(end.reason) ? "warning" : "neutral"}>
          {words}
          {end && isLimit(end.reason) ? " Start a new conversation to choose higher limits." : ""}
        </Notice>
      )}
      <footer className="flex min-h-7 flex-wrap items-center gap-2 text-muted-foreground text-xs tabular-nums">
        {said === "" ? null : <CopyButton value={said} label="Copy the answer" className="-ml-1.5" />}
        {usage ? (
          <span>
            {usage.steps} {usage.steps === 1 ? "step" : "steps"}, {usage.tokens.toLocaleString("en-GB")} tokens
          </span>
        ) : null}
        {rating}
      </footer>
    </>
  );
}

export const reasonLabels: Record<EndReason, string> = {
  done: "Answered",
  steps: "Step limit reached",
  tokens: "Token limit reached",
  time: "Time limit reached",
  stopped: "Stopped",
  error: "Ended with an error",
};

type End = { reason: EndReason; message: string | null };

export function describeEnd({ reason, message }: End, limits: PlaygroundLimits): string | null {
  switch (reason) {
    case "done":
      return null;
    case "steps":
      return `The answer reached its limit of ${count(limits.steps, "step")}.`;
    case "tokens":
      return `The answer reached its limit of ${count(limits.tokens, "token")}.`;
    case "time":
      return `The answer reached its limit of ${count(limits.seconds, "second")}.`;
    case "stopped":
      return "The answer was stopped, with the runs it was waiting for.";
    case "error":
      return message ?? "The answer ended with an unknown error. Send the message again.";
  }
}

function isLimit(reason: EndReason): boolean {
  return reason === "steps" || reason === "tokens" || reason === "time";
}

export function describeTools(tools: readonly string[] | null): string {
  if (tools === null) return "every offered tool";
  if (tools.length === 0) return "Skillgate’s built-in tools only";
  return tools.join(", ");
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString("en-GB")} ${noun}${value === 1 ? "" : "s"}`;
}
