import { type RefObject, useEffect, useRef, useState } from "react";

const nearEndPx = 40;

const upKeys = new Set(["ArrowUp", "PageUp", "Home"]);
const downKeys = new Set(["ArrowDown", "PageDown", "End", " "]);

/**
 * Keeps the end of a growing list in view until the user scrolls up, and again after they scroll back to the end. Ignores
 * scroll events without user input, which layout changes cause.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  { length, toEnd, atFirst }: { length: number; toEnd: () => void; atFirst: boolean },
) {
  const [isFollowing, setFollowing] = useState(atFirst);
  const byHand = useRef(false);
  const lastTop = useRef(0);
  const go = useRef(toEnd);
  useEffect(() => {
    go.current = toEnd;
  });
  useEffect(() => {
    if (!isFollowing || length === 0) return;
    byHand.current = false;
    go.current();
  }, [isFollowing, length]);

  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const isUp = box.scrollTop < lastTop.current;
    lastTop.current = box.scrollTop;
    if (!byHand.current) return;
    const isNearEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= nearEndPx;
    if (isUp) setFollowing(false);
    else if (isNearEnd) setFollowing(true);
  };
  const takeOver = () => {
    byHand.current = true;
  };
  return {
    isFollowing,
    setFollowing,
    handlers: {
      onWheel: ({ deltaY }: { deltaY: number }) => {
        takeOver();
        if (deltaY < 0) setFollowing(false);
      },
      onTouchMove: takeOver,
      onPointerDown: takeOver,
      onKeyDown: ({ key }: { key: string }) => {
        if (upKeys.has(key)) setFollowing(false);
        if (upKeys.has(key) || downKeys.has(key)) takeOver();
      },
      onScroll,
    },
  };
}
