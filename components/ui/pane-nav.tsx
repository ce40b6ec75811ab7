import Link from "next/link";
import { cn } from "./cn";
import { CountBadge } from "./count-badge";
import { tabListStyles, tabStyles } from "./tab-styles";

type Pane<Key extends string> = { key: Key; label: string; count?: number /** Noun of the count. */; what?: string };

type PaneNavProps<Key extends string> = {
  label: string;
  panes: readonly Pane<Key>[];
  current: Key;
  onChoose: (key: Key) => void;
  className: string;
};

/** Switches panes on narrow screens; wide screens show all panes side by side. */
export function PaneNav<Key extends string>({ label, panes, current, onChoose, className }: PaneNavProps<Key>) {
  return (
    <nav aria-label={label} className={cn(tabListStyles, className)}>
      {panes.map(({ key, label: name, count = 0, what = "" }) => (
        <button
          key={key}
          type="button"
          aria-pressed={current === key}
          data-active={current === key}
          onClick={() => onChoose(key)}
          className={tabStyles}
        >
          {name}
          <CountBadge count={count} label={what} tone="warning" />
        </button>
      ))}
    </nav>
  );
}

type PartNavProps = {
  label: string;
  parts: readonly { key: string; label: string; href: string }[];
  current: string;
};

export function PartNav({ label, parts, current }: PartNavProps) {
  return (
    <nav aria-label={label} className={cn(tabListStyles, "mt-3")}>
      {parts.map(({ key, label: name, href }) => (
        <Link
          key={key}
          href={href}
          scroll={false}
          aria-current={key === current ? "page" : undefined}
          data-active={key === current}
          className={tabStyles}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
