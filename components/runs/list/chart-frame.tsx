import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from "react";
import { cn } from "@/components/ui/cn";

/** A range of buckets; `end` is exclusive. */
export type BucketSpan = readonly [start: number, end: number];

type ChartFrameProps = {
  title: string;
  description: string;
  count: number;
  /** Label of a range: "14:00 to 14:30, 12 runs". */
  labelFor: (span: BucketSpan) => string;
  chosen: BucketSpan | null;
  onChoose: (span: BucketSpan | null) => void;
  /** Handles further keys at the focused bucket; returns whether it did. */
  onKey?: (key: string, bucket: number) => boolean;
  /** Label of the maximum, in the upper left corner. */
  top: string;
  from: string;
  to: string;
  /** What the colours mean: a box of that class each. */
  legend?: readonly { label: string; box: string }[];
  children: ReactNode;
};

/** A chart over time. A click, a drag, or arrow keys and Enter select a range. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, description, count, labelFor, chosen, onChoose, onKey, top, from, to, legend = [], children } = props;
  const id = useId();
  const [hover, setHover] = useState<number | null>(null);
  const [drawn, setDrawn] = useState<{ anchor: number; head: number } | null>(null);
  const [cursor, setCursor] = useState<{ anchor: number; head: number } | null>(null);

  const marked = spanOf(drawn) ?? spanOf(cursor) ?? (hover === null ? null : ([hover, hover + 1] as const));
  const bucketAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return clamp(Math.floor(((clientX - left) / Math.max(1, width)) * count), count);
  };
  const choose = (span: BucketSpan) => {
    const isSame = chosen !== null && chosen[0] === span[0] && chosen[1] === span[1];
    onChoose(isSame ? null : span);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const head = cursor?.head ?? chosen?.[0] ?? count - 1;
    if (onKey?.(event.key, head)) {
      setCursor(null);
      event.preventDefault();
      return;
    }
    const next = { ArrowLeft: head - 1, ArrowRight: head + 1, Home: 0, End: count - 1 }[event.key];
    if (next !== undefined) {
      const moved = clamp(next, count);
      setCursor({ anchor: event.shiftKey ? (cursor?.anchor ?? head) : moved, head: moved });
    } else if (event.key === "Enter" || event.key === " ") choose(spanOf(cursor) ?? [head, head + 1]);
    else if (event.key === "Escape" && chosen !== null) onChoose(null);
    else return;
    event.preventDefault();
  };

  return (
    <figure className="flex min-w-0 flex-col">
      <figcaption className="flex items-baseline justify-between gap-3 text-13">
        <span className="font-medium">{title}</span>
        <span aria-hidden className="truncate text-muted-foreground text-xs tabular-nums">
          {marked ? labelFor(marked) : ""}
        </span>
      </figcaption>
      <div className="relative mt-1.5 h-28 border-b">
        <svg
          role="img"
          aria-labelledby={`${id}-title ${id}-description`}
          viewBox={`0 0 ${count} 100`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-description`}>{description}</desc>
          {chosen ? <Span span={chosen} className="fill-selected" /> : null}
          {marked ? <Span span={marked} className="fill-accent" /> : null}
          {children}
        </svg>
        <span aria-hidden className="absolute top-0 left-0 text-muted-foreground text-xs tabular-nums leading-none">
          {top}
        </span>
        {/* One control for all buckets, since some are four pixels wide. */}
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${title}: select a time range`}
          aria-valuemin={1}
          aria-valuemax={count}
          aria-valuenow={(cursor?.head ?? chosen?.[0] ?? count - 1) + 1}
          aria-valuetext={labelFor(spanOf(cursor) ?? chosen ?? [count - 1, count])}
          onKeyDown={onKeyDown}
          onBlur={() => setCursor(null)}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture?.(event.pointerId);
            const bucket = bucketAt(event);
            setCursor(null);
            setDrawn({ anchor: bucket, head: bucket });
          }}
          onPointerMove={(event) => {
            const bucket = bucketAt(event);
            setHover(bucket);
            if (drawn) setDrawn({ ...drawn, head: bucket });
          }}
          onPointerUp={() => {
            const span = spanOf(drawn);
            setDrawn(null);
            if (span) choose(span);
          }}
          onPointerCancel={() => setDrawn(null)}
          onPointerLeave={() => setHover(null)}
          className="absolute inset-0 cursor-crosshair touch-pan-y rounded-sm"
        />
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-muted-foreground text-xs tabular-nums">
        <span>{from}</span>
        <span>{to}</span>
      </div>
      {legend.length > 0 ? (
        <ul aria-label={`Legend of ${title}`} className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
          {legend.map(({ label, box }) => (
            <li key={label} className="flex items-center gap-1.5 tabular-nums">
              <span aria-hidden className={cn("size-2 rounded-xs", box)} />
              {label}
            </li>
          ))}
        </ul>
      ) : null}
    </figure>
  );
}

function Span({ span: [start, end], className }: { span: BucketSpan; className: string }) {
  return <rect x={start} y={0} width={end - start} height={100} className={className} />;
}

function spanOf(ends: { anchor: number; head: number } | null): BucketSpan | null {
  return ends && [Math.min(ends.anchor, ends.head), Math.max(ends.anchor, ends.head) + 1];
}

function clamp(bucket: number, count: number): number {
  return Math.max(0, Math.min(count - 1, bucket));
}
