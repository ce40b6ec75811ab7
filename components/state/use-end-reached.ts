"use client";

import { useEffect, useRef } from "react";

/** Calls back when the returned element comes within 400 px of the view. */
export function useEndReached(onReached: () => void, isOn: boolean) {
  const marker = useRef<HTMLDivElement>(null);
  const latest = useRef(onReached);
  useEffect(() => {
    latest.current = onReached;
  });
  useEffect(() => {
    const element = marker.current;
    if (!isOn || !element) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: "400px",
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOn]);
  return marker;
}
