"use client";

import { useEffect } from "react";
import { useMe } from "@/components/state/use-me";
import { useStoredValue, writeStored } from "@/components/state/use-stored-value";
import { deferred } from "@/components/ui/deferred/deferred";
import { noticesFor } from "./notices";
import { bannerStorageKey } from "./start-script";

const NoticeBar = deferred(async () => (await import("./notice-bar")).NoticeBar);

/** Notices about the server's state in one line. A dismissal lasts for the session and for these notices only. */
export function Banner() {
  const me = useMe();
  const [dismissed, setDismissed] = useStoredValue<string>("skillgate.dismissed-notices", "", "session");
  const notices = me ? noticesFor(me).filter((notice) => !dismissed.split(",").includes(notice.id)) : [];
  const isKnown = me !== undefined;
  const hasNotices = notices.length > 0;

  // The next page load reserves the line before the answer arrives.
  useEffect(() => {
    if (!isKnown) return;
    document.documentElement.toggleAttribute("data-banner", hasNotices);
    writeStored(bannerStorageKey, hasNotices ? "1" : null, "session");
  }, [isKnown, hasNotices]);

  const dismiss = () =>
    setDismissed([...dismissed.split(","), ...notices.map((notice) => notice.id)].filter(Boolean).join(","));

  return (
    <div className="in-data-banner:h-9">{hasNotices ? <NoticeBar notices={notices} onDismiss={dismiss} /> : null}</div>
  );
}
