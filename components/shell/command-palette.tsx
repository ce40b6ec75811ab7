"use client";

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Blocks, FolderUp, Keyboard, LogOut, type LucideIcon, Search } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import * as RadixDialog from "radix-ui/dialog";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { signOut } from "@/components/auth/session";
import { errorText } from "@/components/state/describe-error";
import { useDebounced } from "@/components/state/use-debounced";
import { overlayStyles, useDialogFocus } from "@/components/ui/deferred/dialog-focus";
import { Kbd } from "@/components/ui/kbd";
import { useToast } from "@/components/ui/toast";
import { api, listOf, withQuery } from "@/lib/client/api";
import { scoreText } from "@/lib/skill-format/search-words";
import type { Skill } from "@/lib/skills/schema";
import { takeEarlyKeys } from "./early-keys";
import type { NavigationItem } from "./navigation";
import { importEvent, useShellActions } from "./shell-actions";
import { themes } from "./theme-menu";

type FoundSkills = { items: Pick<Skill, "id" | "name" | "label" | "description">[] };

const paletteSkillsQuery = (text: string) =>
  queryOptions({
    queryKey: ["palette-skills", text],
    queryFn: ({ signal }) =>
      api(withQuery("/api/skills", { q: text, limit: 8 }), { shape: listOf<FoundSkills>(), signal }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });

type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  items: readonly NavigationItem[];
};

export function CommandPalette({ open, onOpenChange, items }: CommandPaletteProps) {
  const focus = useDialogFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayStyles} />
        <RadixDialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[12dvh] z-50 mx-auto max-w-xl animate-pop overflow-hidden rounded-lg border bg-popover text-popover-foreground shadow-float focus:outline-none max-md:top-4"
        >
          <RadixDialog.Title className="sr-only">Search or go to</RadixDialog.Title>
          <PaletteBody items={items} close={() => onOpenChange(false)} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function PaletteBody({ items, close }: { items: readonly NavigationItem[]; close: () => void }) {
  const [text, setText] = useState("");
  useLayoutEffect(() => setText(takeEarlyKeys()), []);
  const router = useRouter();
  const go = (href: string) => {
    close();
    router.push(href);
  };
  return (
    // Without vim bindings: Ctrl+K, which opens the palette, would select the last entry, "Sign out".
    <Command label="Search or go to" loop vimBindings={false} filter={scorePaletteEntry}>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Find a skill, a page or an action"
          className="h-12 w-full bg-transparent text-sm outline-none max-md:text-base"
        />
        <Kbd keys="escape" />
      </div>
      <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-13 text-muted-foreground">
          No results for “{text}”
        </Command.Empty>
        <PaletteGroup heading="Go to">
          {items.map(({ href, label, hint, icon, shortcut }) => (
            <PaletteItem
              key={href}
              icon={icon}
              value={label}
              keywords={[hint]}
              shortcut={shortcut}
              onSelect={() => go(href)}
            >
              {label}
            </PaletteItem>
          ))}
        </PaletteGroup>
        <SkillItems text={text} go={go} />
        <ActionItems close={close} />
      </Command.List>
    </Command>
  );
}

function SkillItems({ text, go }: { text: string; go: (href: string) => void }) {
  const settled = useDebounced(text.trim());
  const { data } = useQuery(paletteSkillsQuery(settled));
  if (!data || data.items.length === 0) return null;
  return (
    <PaletteGroup heading="Skills">
      {data.items.map(({ id, name, label, description }) => (
        // The server may have matched text that this list lacks, so the search text is a keyword of each result.
        <PaletteItem
          key={id}
          icon={Blocks}
          value={`${name} ${id}`}
          keywords={[settled, name, label ?? ""]}
          onSelect={() => go(`/skills/${encodeURIComponent(name)}`)}
        >
          <span className="shrink-0">{label || name}</span>
          <span className="truncate text-muted-foreground">{description}</span>
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

function ActionItems({ close }: { close: () => void }) {
  const router = useRouter();
  const pathname = usePathname();
  const { setTheme } = useTheme();
  const { openHelp } = useShellActions();
  const { toast } = useToast();

  const importSkill = () => {
    close();
    if (pathname === "/skills") window.dispatchEvent(new CustomEvent(importEvent));
    else router.push("/skills?import=1");
  };
  const leave = () => {
    close();
    void signOut().catch((error: unknown) => toast({ title: errorText(error), tone: "danger" }));
  };
  return (
    <PaletteGroup heading="Actions">
      <PaletteItem
        icon={FolderUp}
        value="Import a skill"
        keywords={["upload", "zip", "folder", "add", "new"]}
        onSelect={importSkill}
      >
        Import a skill
      </PaletteItem>
      {themes.map(({ value, label, icon }) => (
        <PaletteItem
          key={value}
          icon={icon}
          value={`Theme: ${label}`}
          keywords={["colour", "color", "mode"]}
          onSelect={() => {
            setTheme(value);
            close();
          }}
        >
          Theme: {label.toLowerCase()}
        </PaletteItem>
      ))}
      <PaletteItem
        icon={Keyboard}
        value="Keyboard shortcuts"
        keywords={["help"]}
        shortcut="?"
        onSelect={() => {
          close();
          openHelp();
        }}
      >
        Keyboard shortcuts
      </PaletteItem>
      <PaletteItem icon={LogOut} value="Sign out" keywords={["log out", "leave"]} onSelect={leave}>
        Sign out
      </PaletteItem>
    </PaletteGroup>
  );
}

function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  );
}

type PaletteItemProps = {
  icon: LucideIcon;
  value: string;
  keywords?: string[];
  shortcut?: string | undefined;
  onSelect: () => void;
  children: ReactNode;
};

function PaletteItem({ icon: Icon, value, keywords = [], shortcut, onSelect, children }: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-13 data-[selected=true]:bg-accent"
    >
      <Icon aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-muted-foreground" />
      {children}
      {shortcut ? <Kbd keys={shortcut} className="ml-auto" /> : null}
    </Command.Item>
  );
}

/**
 * The score of an entry, 0 for no match. Matches the starts of words, not scattered letters: "csv" must not find
 * "account, tokens and this server". Typing errors are forgiven in names only.
 */
export function scorePaletteEntry(value: string, typed: string, keywords: readonly string[] = []): number {
  const wanted = typed.trim().toLowerCase();
  const name = value.toLowerCase();
  if (name.startsWith(wanted)) return 1;
  if (hasWordPrefix(name, wanted)) return 0.8;
  if (name.includes(wanted)) return 0.6;
  const words = wanted.split(/\s+/);
  const everything = [name, ...keywords.map((keyword) => keyword.toLowerCase())].join(" ");
  if (words.every((word) => hasWordPrefix(everything, word))) return 0.4;
  return scoreText(wanted, name) > 0 ? 0.2 : 0;
}

function hasWordPrefix(text: string, start: string): boolean {
  return text.split(/[\s\-_.:,]+/).some((word) => word.startsWith(start));
}
