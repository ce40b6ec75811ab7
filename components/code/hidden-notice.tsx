import { ArrowDown } from "lucide-react";
import { type RefObject, useEffect, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { countInvisible, revealInvisible, type Segment } from "./reveal-invisible";

type HiddenNoticeProps = { text: string; onJump: (line: number) => void };

/** Warns about hidden characters in a text, with the first line and the text that its tag characters spell. */
export function HiddenNotice({ text, onJump }: HiddenNoticeProps) {
  const { count, lines, spelled } = useMemo(() => findHidden(text), [text]);
  const [first] = lines;
  if (first === undefined) return null;
  return (
    <Notice
      tone="danger"
      className="m-2"
      title={`${count} hidden ${count === 1 ? "character" : "characters"} on ${lines.length === 1 ? `line ${first}` : `${lines.length} lines`}`}
      action={
        <Button size="sm" onClick={() => onJump(first)}>
          Go to line {first}
        </Button>
      }
    >
      The view shows them in boxes.{" "}
      {spelled ? <>Tag characters spell “{spelled}”: models read this text, people do not see it.</> : null}
    </Notice>
  );
}

function findHidden(text: string): { count: number; lines: number[]; spelled: string } {
  const lines: number[] = [];
  let count = 0;
  let spelled = "";
  text.split(/\r?\n/).forEach((line, index) => {
    const found = countInvisible(line);
    if (found.count === 0) return;
    lines.push(index + 1);
    count += found.count;
    spelled += found.spelled;
  });
  return { count, lines, spelled };
}

/** Untrusted text: hidden characters appear in boxes, and `bdi` isolates its direction. */
export function RevealedText({ text, className }: { text: string; className?: string }) {
  const segments = useMemo(() => revealInvisible(text), [text]);
  return (
    <bdi className={className}>
      {segments.map((segment, index) =>
        segment.kind === "text" ? (
          segment.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
          <HiddenCharacter key={index} segment={segment} />
        ),
      )}
    </bdi>
  );
}

export const hiddenCharacterStyles =
  "mx-px inline-block rounded-sm border border-danger-line bg-danger-soft px-0.5 align-baseline font-mono text-[0.75em] text-danger leading-tight";

function HiddenCharacter({ segment }: { segment: Extract<Segment, { kind: "hidden" }> }) {
  const { codePoint, name, tag } = segment;
  return (
    <span className={cn(hiddenCharacterStyles)} title={`${codePoint}, ${name}${tag ? ` “${tag}”` : ""}`}>
      <span className="sr-only">hidden {name} </span>
      {codePoint}
    </span>
  );
}

type FoldCounterProps = { scroller: RefObject<HTMLDivElement | null>; selector?: string; noun?: string };

/** Height of the bar that covers the last visible items. */
const BAR_PX = 28;

/** The number of items below the visible area, so that a reviewer does not overlook them. */
export function FoldCounter({ scroller, selector = "[data-line]", noun = "line" }: FoldCounterProps) {
  const below = useBelowFold(scroller, selector);
  if (below === 0) return null;
  return (
    <button
      type="button"
      onClick={() => scroller.current?.scrollBy({ top: scroller.current.clientHeight * 0.85 })}
      className="absolute inset-x-0 bottom-0 z-10 flex h-7 items-center justify-center gap-1.5 border-t bg-popover text-13 text-muted-foreground tabular-nums hover:text-foreground"
    >
      <ArrowDown aria-hidden className="size-3.5" />
      {below.toLocaleString("en-GB")} more {below === 1 ? noun : `${noun}s`} below
    </button>
  );
}

function useBelowFold(scroller: RefObject<HTMLDivElement | null>, selector: string): number {
  const [below, setBelow] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const measure = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setBelow(countBelow(element, selector)));
    };
    const resized = new ResizeObserver(measure);
    const changed = new MutationObserver(measure);
    element.addEventListener("scroll", measure, { passive: true });
    resized.observe(element);
    changed.observe(element, { childList: true, subtree: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener("scroll", measure);
      resized.disconnect();
      changed.disconnect();
    };
  }, [scroller, selector]);
  return below;
}

function countBelow(scroller: HTMLElement, selector: string): number {
  const { scrollHeight, scrollTop, clientHeight } = scroller;
  // At the end there is no bar, which would cover the last items.
  if (clientHeight > 0 && scrollHeight - scrollTop - clientHeight < 2) return 0;
  const fold = scroller.getBoundingClientRect().bottom - BAR_PX;
  const items = scroller.querySelectorAll(selector);
  // Items are in document order, so a binary search finds the first one below the fold.
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const top = items[middle]?.getBoundingClientRect().top ?? 0;
    if (top >= fold - 8) high = middle;
    else low = middle + 1;
  }
  const total = scroller.querySelector<HTMLElement>("[data-line-count]")?.dataset.lineCount;
  if (total === undefined) return items.length - low;
  // A virtual list renders only some lines; the last visible one tells how many follow.
  const lastSeen = items[low - 1]?.getAttribute("data-line");
  return Number(total) - Number(lastSeen ?? 0);
}
