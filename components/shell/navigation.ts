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
  /** Said in the palette and searched there. */
  hint: string;
  /** Keys that go there. */
  shortcut?: string;
  /** Who sees it; left out: everybody. */
  roles?: readonly Role[];
  /** A live number beside the word, and what it counts. */
  count?: { of: (me: Me) => number; label: string };
};

/** The pages of the product, in order. The first four are on a phone's bottom bar when there are more than five. */
export const navigation: readonly NavigationItem[] = [
  { href: "/skills", label: "My skills", icon: Blocks, hint: "Skills you own or may use", shortcut: "g s" },
  {
    href: "/catalog",
    label: "Catalog",
    icon: Library,
    hint: "Skills of the repositories that admins offer",
    shortcut: "g c",
  },
  { href: "/runs", label: "Runs", icon: Play, hint: "Every execution with its log and result", shortcut: "g r" },
  {
    href: "/approvals",
    label: "Approvals",
    icon: UserRoundCheck,
    hint: "Runs that wait for a person",
    shortcut: "g p",
    count: { of: (me) => me.counts.approvals, label: "waiting for your decision" },
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
    hint: "Versions that wait for a decision",
    shortcut: "g v",
    roles: ["reviewer", "admin"],
    count: { of: (me) => me.counts.reviews, label: "waiting for review" },
  },
  {
    href: "/agents",
    label: "Agents",
    icon: Bot,
    hint: "What agents see, loaded and ran, and what was refused to them",
    shortcut: "g b",
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
  return pathname === item.href || pathname.startsWith(`${item.href}/`);
}
