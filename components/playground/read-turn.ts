import type { EndReason, PlaygroundEvent } from "@/lib/agent/playground/schema";

type EventOf<T extends PlaygroundEvent["type"]> = Extract<PlaygroundEvent, { type: T }>;

export type Call = { key: string; tool: string; args: unknown; result: EventOf<"result"> | null };

type ChatPart = { kind: "text"; key: string; text: string } | ({ kind: "call" } & Call);

/** A node of the trace. The events of a sub-agent are inside its node. */
export type TraceNode =
  | { kind: "preamble"; key: string; text: string; tools: string[] }
  | ({ kind: "call" } & Call)
  | { kind: "limit"; key: string; skill: string; tools: string[] | null }
  | ForkNode
  | { kind: "end"; key: string; reason: EndReason; message: string | null };

export type ForkNode = {
  kind: "fork";
  key: string;
  skill: string;
  tools: string[] | null;
  nodes: TraceNode[];
  text: string;
  usage: Usage | null;
  joined: { result: string; reason: EndReason } | null;
};

type Usage = { steps: number; tokens: number };

export type TurnReading = {
  parts: ChatPart[];
  trace: TraceNode[];
  usage: Usage | null;
  end: { reason: EndReason; message: string | null } | null;
};

/** Appends events in order; joins adjacent pieces of text. */
export function addEvents(events: readonly PlaygroundEvent[], more: readonly PlaygroundEvent[]): PlaygroundEvent[] {
  const all = [...events];
  for (const event of more) {
    const last = all.at(-1);
    if (event.type === "text" && last?.type === "text" && last.fork === event.fork) {
      all[all.length - 1] = { ...last, text: last.text + event.text };
    } else all.push(event);
  }
  return all;
}

/**
 * Turns the events of a turn into chat and trace. Models may reuse call ids, so a result belongs to the oldest open call
 * with its id and agent. Events of unknown sub-agents are ignored.
 */
export function readTurn(events: readonly PlaygroundEvent[]): TurnReading {
  const reading: TurnReading = { parts: [], trace: [], usage: null, end: null };
  const forks = new Map<string, ForkNode>();
  const open: { id: string; fork: string | null; call: Call }[] = [];
  events.forEach((event, index) => {
    const key = String(index);
    const fork = event.fork === null ? null : (forks.get(event.fork) ?? null);
    if (event.type === "fork") {
      const node: ForkNode = { kind: "fork", key, ...pick(event), nodes: [], text: "", usage: null, joined: null };
      if (event.fork !== null) forks.set(event.fork, node);
      reading.trace.push(node);
      return;
    }
    if (event.fork !== null && fork === null) return;
    const trace = fork?.nodes ?? reading.trace;
    if (event.type === "preamble") trace.push({ kind: "preamble", key, text: event.text, tools: event.tools });
    else if (event.type === "limit") trace.push({ kind: "limit", key, ...pick(event) });
    else if (event.type === "text") addText(reading, fork, { key, text: event.text });
    else if (event.type === "call") {
      const call = { kind: "call" as const, key, tool: event.tool, args: event.args, result: null };
      trace.push(call);
      // Shares the object with the list above, so that its result shows in both places.
      if (fork === null) reading.parts.push(call);
      open.push({ id: event.id, fork: event.fork, call });
    } else if (event.type === "result") {
      const at = open.findIndex(({ id, fork: of }) => id === event.id && of === event.fork);
      const [answered] = at < 0 ? [] : open.splice(at, 1);
      if (answered) answered.call.result = event;
    } else if (event.type === "usage") {
      const usage = { steps: event.steps, tokens: event.tokens };
      if (fork) fork.usage = usage;
      else reading.usage = usage;
    } else if (event.type === "joined") {
      if (fork) fork.joined = { result: event.result, reason: event.reason };
    } else {
      const end = { reason: event.reason, message: event.message };
      if (fork === null) reading.end = end;
      trace.push({ kind: "end", key, ...end });
    }
  });
  return reading;
}

function pick({ skill, tools }: { skill: string; tools: string[] | null }) {
  return { skill, tools };
}

function addText(reading: TurnReading, fork: ForkNode | null, { key, text }: { key: string; text: string }): void {
  if (fork) fork.text += text;
  else reading.parts.push({ kind: "text", key, text });
}
