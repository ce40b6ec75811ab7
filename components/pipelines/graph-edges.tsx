import { type RefObject, useLayoutEffect, useState } from "react";

type Edge = { from: number; to: number };

type Box = { top: number; height: number };

const laneWidth = 8;
const gutter = 44;

/** Lines in the gutter of a list, from the item with a result to those that use it. Decorative: the items say it in words. */
export function GraphEdges({ list, edges }: { list: RefObject<HTMLOListElement | null>; edges: readonly Edge[] }) {
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

const lanesAtMost = 4;

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
