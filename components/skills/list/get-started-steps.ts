import type { Role } from "@/lib/client/me";
import type { Skill } from "@/lib/skills/schema";

type Step = {
  id: "source" | "import" | "review" | "switch-on" | "connect";
  title: string;
  detail: string;
  isDone: boolean;
  /** The page of the step; null when it is done on this page or by other people. */
  href: string | null;
};

type Known = {
  role: Role;
  /** Number of catalog sources; undefined while unknown. */
  sources: number | undefined;
  skills: readonly Pick<Skill, "enabled" | "currentVersion">[];
  /** Whether a client of this person has called the server; undefined while unknown. */
  hasClient: boolean | undefined;
};

/** More skills than this need no guide. */
const MAX_SKILLS = 3;

/** The way from an empty server to a connected agent; empty once it is done, or while it is unknown. */
export function getStartedSteps({ role, sources, skills, hasClient }: Known): Step[] {
  if (sources === undefined || hasClient === undefined || skills.length > MAX_SKILLS) return [];
  const isReviewer = role !== "user";
  const hasSkill = skills.length > 0;
  const source: Step = {
    id: "source",
    title: "Add a source",
    detail: "A GitHub repository with skills fills the catalog. This step is optional.",
    isDone: sources > 0,
    href: "/settings/catalog?add=1",
  };
  const steps: Step[] = [
    ...(role === "admin" ? [source] : []),
    {
      id: "import",
      title: "Import a skill",
      detail: "From the catalog, or as a folder, zip or SKILL.md. Nothing runs yet.",
      isDone: hasSkill,
      href: sources > 0 ? "/catalog" : null,
    },
    {
      id: "review",
      title: isReviewer ? "Review it" : "A reviewer approves it",
      detail: isReviewer
        ? "Read what it may do, and approve exactly these bytes."
        : "You see the decision on the skill’s page.",
      isDone: skills.some(({ currentVersion }) => currentVersion !== null),
      href: isReviewer && hasSkill ? "/reviews" : null,
    },
    {
      id: "switch-on",
      title: "Switch it on",
      detail: "With the switch in its row. Then you can run it, and agents are offered it.",
      isDone: skills.some(({ enabled, currentVersion }) => enabled && currentVersion !== null),
      href: null,
    },
    {
      id: "connect",
      title: "Connect an agent",
      detail: "Claude Code, Codex, Gemini CLI and other clients use your skills over MCP or install them.",
      isDone: hasClient,
      href: "/connect",
    },
  ];
  return steps.every(({ isDone, id }) => isDone || id === "source") ? [] : steps;
}
