import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { cn } from "@/components/ui/cn";
import type { InputOrigin, StepInput } from "@/lib/skill-format/pipeline-flow";
import { parseTemplate, renderTemplate } from "@/lib/skill-format/pipeline-template";

export type GraphStep = {
  index: number;
  /** The name of its result. */
  stepKey: string;
  /** The name of the called skill or tool. */
  name: string;
  calls: "skill" | "tool";
  /** The link of its title; null without a page. */
  href: string | null;
  chips: ReactNode;
  inputs: readonly StepInput[];
  /** Later steps that use its result, from 0. */
  usedBy: readonly number[];
  note?: ReactNode;
  problem?: string | null;
};

type PipelineGraphProps = {
  label: string;
  steps: readonly GraphStep[];
  /** The arguments of a run, shown in place of their names. */
  args?: Readonly<Record<string, unknown>>;
};

const shownAtMost = 400;

const laneWidth = 8;
const gutter = 44;

const lanesAtMost = 4;

/**
 * The steps of a pipeline in their order, with what each gets, who uses its result, and its problem. Lines on the left join
 * a result with its users; the same is said in words.
 */
export function PipelineGraph({ label, steps, args = {} }: PipelineGraphProps) {
  const list = useRef<HTMLOListElement>(null);
  const edges = steps.flatMap(({ index, usedBy }) => usedBy.map((user) => ({ from: index, to: user })));
  return (
    <div className="relative">
      <ol ref={list} aria-label={label} className={cn("flex flex-col gap-3", edges.length > 0 && "pl-8 sm:pl-12")}>
        {steps.map((step) => (
          <li key={step.index} className="min-w-0">
            <Step step={step} args={args} />
          </li>
        ))}
      </ol>
      {/* After the list, so that the list is there when its items are measured. */}
      <GraphEdges list={list} edges={edges} />
    </div>
  );
}

function Step({ step, args }: { step: GraphStep; args: Readonly<Record<string, unknown>> }) {
  const { index, stepKey, name, calls, href, chips, inputs, usedBy, note, problem } = step;
  const title = <RevealedText text={name} />;
  return (
    <section
      aria-label={`Step ${index + 1}`}
      className="flex min-w-0 flex-col gap-1.5 rounded-md border bg-card px-3 py-2 text-13"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="text-muted-foreground text-xs">Step {index + 1}</span>
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
          {href === null ? (
            title
          ) : (
            <Link href={href} className="text-primary underline underline-offset-2">
              {title}
            </Link>
          )}
          <span className="sr-only">, a {calls}</span>
        </span>
        <span className="ml-auto flex flex-wrap items-center gap-1">{chips}</span>
      </div>
      {problem ? (
        <p className="flex items-start gap-1 text-danger text-xs">
          <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <RevealedText text={problem} />
          </span>
        </p>
      ) : null}
      <dl className="grid grid-cols-[minmax(3.5rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
        {inputs.map((input) => (
          <div key={input.argument} className="contents">
            <dt className="font-mono text-muted-foreground [overflow-wrap:anywhere]">
              <RevealedText text={input.argument} />
            </dt>
            <dd className="min-w-0">
              <Input input={input} args={args} />
            </dd>
          </div>
        ))}
        <div className="contents">
          <dt className="text-muted-foreground">Result</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <code className="font-mono">
              <RevealedText text={stepKey} />
            </code>
            {usedBy.length === 0 ? null : `, used by ${stepNames(usedBy)}`}
          </dd>
        </div>
      </dl>
      {note ? <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{note}</p> : null}
    </section>
  );
}

function Input({ input, args }: { input: StepInput; args: Readonly<Record<string, unknown>> }) {
  const preview = previewInput(input, args);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {preview === null ? null : (
        <code className="line-clamp-3 min-w-0 font-mono [overflow-wrap:anywhere]">
          <RevealedText text={preview} />
        </code>
      )}
      {input.origins.map((origin) => (
        <span key={`${origin.kind} ${origin.name}`} className="text-muted-foreground">
          {preview === null ? "" : "from "}
          <Origin origin={origin} isFirst={preview === null} />
        </span>
      ))}
    </span>
  );
}

function Origin({ origin, isFirst }: { origin: InputOrigin; isFirst: boolean }) {
  const word = origin.kind === "step" ? `result of step ${origin.step + 1}` : "argument";
  return (
    <>
      {isFirst ? word.slice(0, 1).toUpperCase() + word.slice(1) : word}{" "}
      <code className="font-mono [overflow-wrap:anywhere]">
        <RevealedText text={origin.name} />
      </code>
    </>
  );
}

/** "step 2", "steps 2 and 4" */
function stepNames(indexes: readonly number[]): string {
  const numbers = indexes.map((index) => String(index + 1));
  const last = numbers.pop() ?? "";
  return numbers.length === 0 ? `step ${last}` : `steps ${numbers.join(", ")} and ${last}`;
}

/**
 * What a step gets for one argument, as text: the value with the given arguments of the pipeline in it; when it needs others,
 * or results of steps, the text around their names. Null when there is nothing but such a name.
 */
function previewInput({ argument, value, isWhole }: StepInput, args: Readonly<Record<string, unknown>>): string | null {
  const parsed = parseTemplate(JSON.stringify({ [argument]: value }));
  if (!parsed.ok) return cut(textOf(value));
  const known = new Map(Object.entries(args));
  const filled = renderTemplate(parsed.template, known);
  if (filled.ok) return cut(textOf(filled.args[argument]));
  if (isWhole) return null;
  for (const name of filled.unknown) known.set(name, `{${name}}`);
  const partly = renderTemplate(parsed.template, known);
  return cut(textOf(partly.ok ? partly.args[argument] : value));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string): string {
  return text.length > shownAtMost ? `${text.slice(0, shownAtMost)}…` : text;
}

type Edge = { from: number; to: number };

type Box = { top: number; height: number };

/** Lines in the gutter of a list, from the item with a result to those that use it. Decorative: the items say it in words. */
function GraphEdges({ list, edges }: { list: RefObject<HTMLOListElement | null>; edges: readonly Edge[] }) {
  const [boxes, setBoxes] = useState<readonly Box[]>([]);
  useLayoutEffect(() => {
    const { current } = list;
    if (!current || typeof ResizeObserver === "undefined") return;
    const measure = () => {
      const next = [...current.children].map((item) => {
        const { offsetTop, offsetHeight } = item as HTMLElement;
        return { top: offsetTop, height: offsetHeight };
      });
      setBoxes((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    for (const item of current.children) observer.observe(item);
    return () => observer.disconnect();
  });
  const last = boxes.at(-1);
  if (!last || edges.length === 0) return null;
  const lanes = lanesOf(edges);
  return (
    <svg
      aria-hidden
      width={gutter}
      height={last.top + last.height}
      className="pointer-events-none absolute top-0 left-0 text-muted-foreground max-sm:-ml-3"
    >
      {edges.map(({ from, to }, index) => {
        const [start, end] = [boxes[from], boxes[to]];
        if (!start || !end) return null;
        const y1 = start.top + start.height - 14;
        const y2 = end.top + 18;
        const x = gutter - 12 - (lanes[index] ?? 0) * laneWidth;
        return (
          <g key={`${from}-${to}`} fill="none" stroke="currentColor" strokeWidth={1.5}>
            <path
              d={`M ${gutter + 4} ${y1} H ${x + 5} Q ${x} ${y1} ${x} ${y1 + 5} V ${y2 - 5} Q ${x} ${y2} ${x + 5} ${y2} H ${gutter}`}
            />
            <path d={`M ${gutter - 5} ${y2 - 4} L ${gutter} ${y2} L ${gutter - 5} ${y2 + 4}`} />
          </g>
        );
      })}
    </svg>
  );
}

/** A lane for each edge, so that edges that pass the same item do not overlap, while lanes are left. */
export function lanesOf(edges: readonly Edge[]): number[] {
  const lanes: number[] = [];
  for (const [index, { from, to }] of edges.entries()) {
    const crossing = edges
      .slice(0, index)
      .flatMap((other, at) => (other.from < to && from < other.to ? [lanes[at]] : []));
    const free = Array.from({ length: lanesAtMost }, (_, lane) => lane).find((lane) => !crossing.includes(lane));
    lanes.push(free ?? lanesAtMost - 1);
  }
  return lanes;
}
