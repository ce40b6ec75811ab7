"use client";

import { ChevronDown } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useId, useState } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { cn } from "@/components/ui/cn";
import { SearchInput } from "@/components/ui/search-input";
import type { Role } from "@/lib/client/me";
import { scoreText } from "@/lib/skill-format/search-words";
import { settingGroups } from "./instance/setting-groups";
import { settingLabel } from "./instance/setting-label";

const linkStyles =
  "flex min-h-8 items-center rounded-md px-2.5 py-1 text-13 text-muted-foreground hover:bg-accent hover:text-foreground aria-[current=page]:bg-accent aria-[current=page]:font-medium aria-[current=page]:text-foreground";

const personal: SettingsGroup = {
  title: "Your account",
  pages: [
    {
      href: "/settings",
      label: "Profile",
      words: "password theme sessions quotas sign out name email role provider ssh keys",
    },
    { href: "/settings/tokens", label: "API tokens", words: "bearer capability url secret" },
    { href: "/settings/integrations", label: "Integrations", words: "set up folder" },
  ],
};

const administration: readonly SettingsGroup[] = [
  {
    title: "Skills",
    pages: [
      { href: "/settings/catalog", label: "Skill catalog", words: "sources repositories GitHub token sync" },
      {
        href: "/settings/other-instances",
        label: "Other instances",
        words: "trust key bundle import foreign approvals",
      },
      { href: "/settings/procedures", label: "Procedures", words: "SOP standard operating signed keys" },
      { href: "/settings/reports", label: "Reports", words: "complaints problems" },
      { href: "/settings/advisories", label: "Advisories", words: "OSV vulnerabilities packages CVE upload" },
    ],
  },
  {
    title: "People and agents",
    pages: [
      { href: "/settings/people", label: "People", words: "users invite role reviewer admin quotas disable" },
      { href: "/settings/personas", label: "Personas", words: "agents permission mode allow deny" },
      { href: "/settings/models", label: "Models", words: "endpoint language model playground API key" },
      { href: "/settings/credentials", label: "Credentials", words: "secrets keys passwords" },
    ],
  },
  {
    title: "Server",
    pages: [
      { href: "/settings/instance", label: "This server", words: "settings limits solo mode name" },
      { href: "/settings/workers", label: "Workers", words: "edges isolation sandbox slots" },
      { href: "/settings/system", label: "System", words: "health version backup jobs configuration disk metrics" },
    ],
  },
];

const MAX_FOUND = 12;

export function SettingsFrame({ role, children }: { role: Role; children: ReactNode }) {
  const pathname = usePathname();
  const isAdmin = role === "admin";
  const page = settingsGroups(isAdmin)
    .flatMap(({ pages }) => pages)
    .find(({ href }) => href === pathname);
  useCrumbs([{ label: "Settings", href: "/settings" }, ...(page ? [{ label: page.label }] : [])]);
  return (
    <Page title="Settings">
      <div className="grid items-start gap-x-10 gap-y-5 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <SettingsNav isAdmin={isAdmin} />
        <div className="flex min-w-0 flex-col gap-8">{children}</div>
      </div>
    </Page>
  );
}

/** Groups of pages beside the content, with a search for pages and single settings; a list that opens on narrow screens. */
function SettingsNav({ isAdmin }: { isAdmin: boolean }) {
  const pathname = usePathname();
  const [text, setText] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const groups = settingsGroups(isAdmin);
  const current = groups.flatMap(({ pages }) => pages).find(({ href }) => href === pathname);
  const leave = () => {
    setText("");
    setIsOpen(false);
  };
  return (
    <nav aria-label="Settings" className="flex flex-col gap-3 lg:sticky lg:top-[calc(var(--topbar-height)+1.25rem)]">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
        className="flex h-9 items-center justify-between rounded-md border px-3 text-13 lg:hidden"
      >
        <span>
          <span className="text-muted-foreground">Page: </span>
          <span className="font-medium">{current?.label ?? "Settings"}</span>
        </span>
        <ChevronDown aria-hidden className={cn("size-4 text-muted-foreground", isOpen && "rotate-180")} />
      </button>
      <div id={listId} className={cn("flex flex-col gap-4", !isOpen && "max-lg:hidden")}>
        <SearchInput
          label="Find a setting"
          value={text}
          maxLength={100}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => key === "Escape" && setText("")}
        />
        {text.trim() === "" ? (
          groups.map(({ title, pages }) => (
            <section key={title} aria-label={title}>
              <p aria-hidden className="px-2.5 pb-1 font-medium text-muted-foreground text-xs">
                {title}
              </p>
              <ul>
                {pages.map(({ href, label }) => (
                  <li key={href}>
                    <Link
                      href={href}
                      aria-current={href === pathname ? "page" : undefined}
                      onClick={leave}
                      className={linkStyles}
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))
        ) : (
          <Found typed={text} isAdmin={isAdmin} leave={leave} />
        )}
      </div>
    </nav>
  );
}

type FoundProps = { typed: string; isAdmin: boolean; leave: () => void };

function Found({ typed, isAdmin, leave }: FoundProps) {
  const found = findSettings(typed, isAdmin);
  return (
    <>
      <p role="status" className={found.length > 0 ? "sr-only" : "px-2.5 text-13 text-muted-foreground"}>
        {found.length > 0 ? `${found.length} found` : `No setting matches “${typed.trim()}”`}
      </p>
      <ul>
        {found.map(({ href, label, place }) => (
          <li key={href}>
            <Link href={href} onClick={leave} className={cn(linkStyles, "flex-col items-start")}>
              <span className="text-foreground">{label}</span>
              <span className="text-muted-foreground text-xs">{place}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

type SettingsPage = { href: string; label: string /** Further words under which people look for it. */; words: string };

type SettingsGroup = { title: string; pages: readonly SettingsPage[] };

/** The pages of the settings: one's own, and for admins those of the server. */
export function settingsGroups(isAdmin: boolean): readonly SettingsGroup[] {
  return isAdmin ? [personal, ...administration] : [personal];
}

type FoundPage = {
  href: string;
  label: string /** Where it is: a page's group, or the group of a setting. */;
  place: string;
};

/** Pages and single settings that answer a search, the best first; typing errors are forgiven. */
export function findSettings(typed: string, isAdmin: boolean): FoundPage[] {
  const pages = settingsGroups(isAdmin).flatMap(({ title, pages }) =>
    pages.map(({ href, label, words }) => ({
      found: { href, label, place: title },
      score: 2 * scoreText(typed, label) || scoreText(typed, `${label} ${words}`),
    })),
  );
  const settings = (isAdmin ? settingGroups : []).flatMap(({ title, keys }) =>
    keys.map((key) => ({
      found: { href: `/settings/instance#${key}`, label: settingLabel(key), place: title },
      score: 1.5 * scoreText(typed, settingLabel(key)) || 0.5 * scoreText(typed, `${title} ${settingLabel(key)}`),
    })),
  );
  return [...pages, ...settings]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ found }) => found);
}
