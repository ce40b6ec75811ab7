"use client";

import { TriangleAlert, X } from "lucide-react";
import { useEffect } from "react";
import { useMe } from "@/components/state/use-me";
import { useStoredValue, writeStored } from "@/components/state/use-stored-value";
import { IconButton } from "@/components/ui/icon-button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { Me } from "@/lib/auth/schema";
import { bannerStorageKey } from "./start-script";

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
    <div className="in-data-banner:h-9">
      {hasNotices ? (
        <section
          aria-label="Server notices"
          className="flex h-9 items-center gap-2 border-warning-line border-b bg-warning-soft pr-2 pl-4 text-13 md:pl-6"
        >
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
          <NoticeLine notices={notices} />
          <IconButton label="Dismiss for now" size="sm" side="left" className="ml-auto" onClick={dismiss}>
            <X aria-hidden />
          </IconButton>
        </section>
      ) : null}
    </div>
  );
}

function NoticeLine({ notices }: { notices: ShellNotice[] }) {
  const [first, ...rest] = notices;
  if (!first) return null;
  if (rest.length === 0) {
    return (
      <p className="min-w-0 truncate" title={`${first.text}. ${first.detail}`}>
        <span className="font-medium">{first.text}.</span> {first.detail}
      </p>
    );
  }
  return (
    <>
      <p className="min-w-0 truncate font-medium">
        {first.text}
        {rest.map((notice) => (
          <span key={notice.id} className="max-md:hidden">
            <span aria-hidden className="mx-2 font-normal text-muted-foreground">
              ·
            </span>
            {notice.text}
          </span>
        ))}
      </p>
      <Popover>
        <PopoverTrigger className="h-6 shrink-0 rounded-sm px-1 text-warning underline underline-offset-2">
          <span className="max-md:hidden">Details</span>
          <span className="md:hidden">and {rest.length} more</span>
        </PopoverTrigger>
        <PopoverContent aria-label="Server notices" className="w-80">
          <ul className="flex flex-col gap-3">
            {notices.map((notice) => (
              <li key={notice.id}>
                <p className="font-medium">{notice.text}</p>
                <p className="text-muted-foreground">{notice.detail}</p>
              </li>
            ))}
          </ul>
        </PopoverContent>
      </Popover>
    </>
  );
}

type ShellNotice = { id: string; text: string; detail: string };

/** Notices about the server's state, the most urgent first. */
export function noticesFor(me: Me): ShellNotice[] {
  const notices: ShellNotice[] = [];
  if (me.workersOnline === 0) {
    notices.push({ id: "no-worker", text: "No worker is online", detail: "Runs wait until a worker connects." });
  }
  if (me.workersOnline > 0 && me.isolation === "none") {
    notices.push({
      id: "no-isolation",
      text: "A worker has no sandbox",
      detail: "Skills run on it only if an admin allows it under Settings, This server.",
    });
  }
  if (me.workersOnline > 0 && me.isolation === "process") {
    notices.push({
      id: "weak-isolation",
      text: "A worker has no sandbox",
      detail:
        "Its runs have their own user. Only safe skills run unless an admin allows more under Settings, This server.",
    });
  }
  if (me.soloMode && me.user.role !== "user") {
    const isOffered = me.user.role === "admin" && me.reviewers > 1;
    notices.push({
      id: isOffered ? "solo-mode-offer" : "solo-mode",
      text: "Solo mode is on",
      detail: isOffered
        ? `${me.reviewers} people can review now: switch it off under Settings, This server.`
        : "One person may import and approve the same skill.",
    });
  }
  return notices;
}
