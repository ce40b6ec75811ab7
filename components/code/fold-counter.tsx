import { ArrowDown } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";

type FoldCounterProps = { scroller: RefObject<HTMLDivElement | null>; selector?: string; noun?: string };

/** Says how much lies below what is in view, so that nothing is decided on unseen. */
export function FoldCounter({ scroller, selector = "[data-line]", noun = "line" }: FoldCounterProps) {
  const below = useBelowFold(scroller, selector);
  if (below === 0) return null;
  return (
    <button
      type="button"
      onClick={() => scroller.current?.scrollBy({ top: scroller.current.clientHeight * 0.85 })}
      className="absolute right-4 bottom-3 z-10 inline-flex h-7 items-center gap-1.5 rounded-full border bg-popover px-3 text-13 text-muted-foreground tabular-nums shadow-float hover:text-foreground"
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
  const fold = scroller.getBoundingClientRect().bottom;
  const items = scroller.querySelectorAll(selector);
  // They stand in order, so the first one below the fold is found by halving.
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
  // Of a virtual list only some lines exist: the last one in view says how many follow.
  const lastSeen = items[low - 1]?.getAttribute("data-line");
  return Number(total) - Number(lastSeen ?? 0);
}
