import { TriangleAlert, X } from "lucide-react";
import Link from "next/link";
import { IconButton } from "@/components/ui/icon-button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { ShellNotice } from "./notices";

type NoticeBarProps = { notices: ShellNotice[]; onDismiss: () => void };

/** The line of notices; loaded only when there are any. */
export function NoticeBar({ notices, onDismiss }: NoticeBarProps) {
  return (
    <section
      aria-label="Server notices"
      className="flex h-9 items-center gap-2 border-warning-line border-b bg-warning-soft pr-2 pl-4 text-13 md:pl-6"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
      <NoticeLine notices={notices} />
      <IconButton label="Dismiss for now" size="sm" side="left" className="ml-auto" onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </section>
  );
}

function NoticeLine({ notices }: { notices: ShellNotice[] }) {
  const [first, ...rest] = notices;
  if (!first) return null;
  return (
    <>
      <p className="min-w-0 truncate">
        <span className="font-medium">{first.text}</span>
        <span className="max-md:hidden">{rest.map(({ text }) => ` · ${text}`).join("") || `. ${first.detail}`}</span>
      </p>
      {first.settings ? <ActionLink href={first.settings} /> : null}
      <Popover>
        <PopoverTrigger className={linkStyles}>Details</PopoverTrigger>
        <PopoverContent aria-label="Server notices" className="w-80">
          <ul className="flex flex-col gap-3">
            {notices.map((notice) => (
              <li key={notice.id}>
                <p className="font-medium">{notice.text}</p>
                <p className="text-muted-foreground">{notice.detail}</p>
                {notice.settings ? <ActionLink href={notice.settings} /> : null}
              </li>
            ))}
          </ul>
        </PopoverContent>
      </Popover>
    </>
  );
}

const linkStyles = "h-6 shrink-0 rounded-sm px-1 text-warning underline underline-offset-2";

function ActionLink({ href }: { href: string }) {
  return (
    <Link href={href} className={linkStyles}>
      Open settings
    </Link>
  );
}
