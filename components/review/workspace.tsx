"use client";

import { useRef, useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import type { Skill, Version } from "@/lib/skills/schema";
import { DecisionPanel } from "./decision-panel";
import { FilesPane } from "./files-pane";
import { SourcePane } from "./source-pane";
import { useReviewState } from "./use-review-state";
import { WorkspaceHeader } from "./workspace-header";

type WorkspaceProps = { skill: Skill; version: Version };
type Pane = "files" | "source" | "decision";

/** Files and diagnostics, the source, the decision: side by side, or one at a time where there is no room. */
export function Workspace({ skill, version }: WorkspaceProps) {
  const review = useReviewState(version);
  const [pane, setPane] = useState<Pane>("source");
  const comment = useRef<HTMLTextAreaElement>(null);
  const approve = useRef<HTMLButtonElement>(null);
  const reject = useRef<HTMLButtonElement>(null);
  const group = { group: "Review" };

  const focusIn = (element: { current: HTMLElement | null }) => {
    setPane("decision");
    requestAnimationFrame(() => element.current?.focus());
  };
  useShortcut("n", "Next file", () => review.moveFile(1), group);
  useShortcut("p", "Previous file", () => review.moveFile(-1), group);
  useShortcut("f", "Next finding", review.nextFinding, group);
  useShortcut("d", "Next diagnostic", review.nextDiagnostic, group);
  useShortcut("a", "Go to “Approve version”", () => focusIn(approve), group);
  useShortcut("x", "Go to “Reject”", () => focusIn(reject), group);
  useShortcut("c", "Write a comment", () => focusIn(comment), group);

  const openFindings = version.findings.filter(({ dismissed }) => dismissed === null).length;
  const unopened = review.files.length - review.opened.size;
  const tabs = [
    { key: "files", label: "Files", count: openFindings, what: "open findings" },
    { key: "source", label: "Source", count: unopened, what: "files not opened yet" },
    { key: "decision", label: "Decision", count: 0, what: "" },
  ] as const;
  const shown = (key: Pane) => cn("min-h-0 min-w-0 flex-col xl:flex", pane === key ? "flex flex-1" : "hidden");

  return (
    <div className="flex min-h-0 flex-1 flex-col xl:h-[calc(100dvh-var(--topbar-height))] xl:flex-none xl:in-data-banner:h-[calc(100dvh-var(--topbar-height)-2.25rem)]">
      <WorkspaceHeader skill={skill} version={version} />
      <nav aria-label="Parts of the review" className={cn(tabListStyles, "px-4 xl:hidden")}>
        {tabs.map(({ key, label, count, what }) => (
          <button
            key={key}
            type="button"
            aria-pressed={pane === key}
            data-active={pane === key}
            onClick={() => setPane(key)}
            className={tabStyles}
          >
            {label}
            <CountBadge count={count} label={what} tone="warning" />
          </button>
        ))}
      </nav>
      <div className="flex min-h-0 flex-1 flex-col xl:grid xl:grid-cols-[19rem_minmax(0,1fr)_24rem]">
        <section aria-label="Files and findings" className={cn(shown("files"), "xl:border-r")}>
          <FilesPane version={version} review={review} onOpened={() => setPane("source")} />
        </section>
        <section aria-label="Source" className={shown("source")}>
          <SourcePane skill={skill} version={version} review={review} />
        </section>
        <section aria-label="Decision" className={cn(shown("decision"), "xl:border-l")}>
          <DecisionPanel
            skill={skill}
            version={version}
            unopened={review.files.filter(({ path }) => !review.opened.has(path))}
            onOpen={(path, line) => {
              review.open(path, line);
              setPane("source");
            }}
            commentRef={comment}
            approveRef={approve}
            rejectRef={reject}
          />
        </section>
      </div>
    </div>
  );
}
