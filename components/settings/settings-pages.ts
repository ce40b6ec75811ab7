import { scoreText } from "@/lib/skill-format/search-words";
import { settingGroups } from "./instance/setting-groups";
import { settingLabel } from "./instance/setting-label";

type SettingsPage = { href: string; label: string /** Further words under which people look for it. */; words: string };

type SettingsGroup = { title: string; pages: readonly SettingsPage[] };

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

/** The pages of the settings: one's own, and for admins those of the server. */
export function settingsGroups(isAdmin: boolean): readonly SettingsGroup[] {
  return isAdmin ? [personal, ...administration] : [personal];
}

type Found = {
  href: string;
  label: string /** Where it is: a page's group, or the group of a setting. */;
  place: string;
};

const MAX_FOUND = 12;

/** Pages and single settings that answer a search, the best first; typing errors are forgiven. */
export function findSettings(typed: string, isAdmin: boolean): Found[] {
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
