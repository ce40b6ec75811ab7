import {
  Blocks,
  Bot,
  CalendarClock,
  ClipboardCheck,
  FlaskConical,
  Library,
  type LucideIcon,
  Play,
  ScrollText,
  Settings,
  UserRoundCheck,
} from "lucide-react";
import type { Me } from "@/lib/auth/schema";
import type { Role } from "@/lib/client/me";

export type NavigationItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  hint: string;
  shortcut?: string;
  /** Further addresses whose pages belong to this entry. */
  covers?: readonly string[];
  /** Roles that see the page; all when absent. */
  roles?: readonly Role[];
  count?: { of: (me: Me) => number; label: string };
};

/** The main pages in order. The bottom bar of a phone shows the first four. */
export const navigation: readonly NavigationItem[] = [
  {
    href: "/skills",
    label: "My skills",
    icon: Blocks,
    hint: "Skills you own or may use",
    shortcut: "g s",
    covers: ["/collections"],
  },
  {
    href: "/catalog",
    label: "Catalog",
    icon: Library,
    hint: "Skills from repositories that admins added",
    shortcut: "g c",
    covers: ["/publishers"],
  },
  { href: "/runs", label: "Runs", icon: Play, hint: "Every execution with its log and result", shortcut: "g r" },
  {
    href: "/approvals",
    label: "Approvals",
    icon: UserRoundCheck,
    hint: "Runs awaiting approval",
    shortcut: "g p",
    count: { of: (me) => me.counts.approvals, label: "awaiting your decision" },
  },
  {
    href: "/schedules",
    label: "Schedules",
    icon: CalendarClock,
    hint: "Skills that run at set times",
    shortcut: "g d",
  },
  {
    href: "/reviews",
    label: "Reviews",
    icon: ClipboardCheck,
    hint: "Versions pending review",
    shortcut: "g v",
    roles: ["reviewer", "admin"],
    count: { of: (me) => me.counts.reviews, label: "pending review" },
  },
  {
    href: "/agents",
    label: "Agents",
    icon: Bot,
    hint: "What agents see, load and run, and what was refused",
    shortcut: "g b",
    covers: ["/connect"],
  },
  {
    href: "/playground",
    label: "Playground",
    icon: FlaskConical,
    hint: "Watch an agent use your skills",
    shortcut: "g l",
  },
  { href: "/audit", label: "Audit", icon: ScrollText, hint: "Who did what, and when", shortcut: "g a" },
  { href: "/settings", label: "Settings", icon: Settings, hint: "Your account, tokens and this server" },
];

export function navigationFor(role: Role): NavigationItem[] {
  return navigation.filter((item) => !item.roles || item.roles.includes(role));
}

export function isCurrent(item: NavigationItem, pathname: string): boolean {
  return [item.href, ...(item.covers ?? [])].some((href) => pathname === href || pathname.startsWith(`${href}/`));
}
