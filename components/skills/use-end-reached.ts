"use client";

import { type RefObject, useEffect, useRef } from "react";

/** Put the ref on an element at the end of a list: the callback runs when it comes near the view. */
export function useEndReached(onEnd: () => void, enabled: boolean): RefObject<HTMLDivElement | null> {
  const sentinel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = sentinel.current;
    if (!element || !enabled) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onEnd(), {
      rootMargin: "600px",
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [onEnd, enabled]);
  return sentinel;
}
