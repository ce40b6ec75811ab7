"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

/** A horizontally scrolling box; focusable only while it overflows, so that arrow keys can scroll it. */
export function ScrollX({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  const [overflows, setOverflows] = useState(false);

  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const measure = () => setOverflows(box.scrollWidth > box.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, []);

  return (
    <section
      ref={ref}
      className="relative w-full overflow-x-auto focus-visible:-outline-offset-2"
      {...(overflows ? { tabIndex: 0, "aria-label": `${label}, scrolls sideways` } : {})}
    >
      {children}
    </section>
  );
}
