import { useQuery } from "@tanstack/react-query";
import { Check, FolderUp, Plus, X } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { useMe } from "@/components/state/use-me";
import { useStoredValue } from "@/components/state/use-stored-value";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { Skeleton } from "@/components/ui/skeleton";
import { catalogStatusQuery } from "@/lib/client/catalog";
import { clientActivityQuery } from "@/lib/client/connect";
import type { Role } from "@/lib/client/me";
import type { Skill } from "@/lib/skills/schema";

type GetStartedProps = {
  skills: readonly Skill[];
  onImport: () => void;
  onCreate: () => void;
  /** Shown without steps: when they are done or hidden. */
  children?: ReactNode;
};

/** More skills than this need no guide. */
const MAX_SKILLS = 3;

/** Leads through an empty server, step by step; the next step is open, and what is done is ticked off. */
export function GetStarted({ skills, onImport, onCreate, children = null }: GetStartedProps) {
  const me = useMe();
  const [dismissed, setDismissed] = useStoredValue<"" | "yes">("skillgate.get-started-dismissed", "");
  const catalog = useQuery(catalogStatusQuery);
  const activity = useQuery({ ...clientActivityQuery, refetchInterval: false });
  if (dismissed === "yes") return children;
  if (me === undefined || catalog.isPending || activity.isPending) {
    // With an active skill or many of them the steps may be done: a placeholder for nothing would make the page jump.
    const isCertain = skills.length <= MAX_SKILLS && !skills.some(isActive);
    return isCertain ? <GetStartedSkeleton steps={me?.user.role === "admin" ? 5 : 4} /> : null;
  }
  const steps = getStartedSteps({
    role: me.user.role,
    sources: catalog.data?.sources.length,
    skills,
    hasClient: activity.data?.items.some(({ mine }) => mine),
  });
  if (steps.length === 0) return children;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section aria-labelledby="get-started" className="mb-4 rounded-md border">
      <header className="flex items-center gap-3 border-b py-2 pr-2 pl-4">
        <h2 id="get-started" className="text-sm">
          Get started
        </h2>
        <span className="text-13 text-muted-foreground tabular-nums">
          {steps.filter(({ isDone }) => isDone).length} of {steps.length} done
        </span>
        <IconButton label="Hide these steps" size="sm" className="ml-auto" onClick={() => setDismissed("yes")}>
          <X aria-hidden />
        </IconButton>
      </header>
      <ol className="divide-y">
        {steps.map(({ id, title, detail, isDone, href }, index) => (
          <li
            key={id}
            aria-current={id === next?.id ? "step" : undefined}
            className="flex flex-wrap gap-3 px-4 py-2.5 text-13"
          >
            <span
              aria-hidden
              className={cn(
                "inline-flex size-5 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums",
                isDone ? "border-success-line bg-success-soft text-success" : "text-muted-foreground",
              )}
            >
              {isDone ? <Check strokeWidth={3} className="size-3" /> : index + 1}
            </span>
            <div className="min-w-48 flex-1">
              <p className={isDone ? "text-muted-foreground" : "font-medium"}>
                {href === null || isDone ? (
                  title
                ) : (
                  <Link href={href} className="rounded-sm hover:underline">
                    {title}
                  </Link>
                )}
                {isDone ? <span className="sr-only"> (done)</span> : null}
              </p>
              {isDone ? null : <p className="text-muted-foreground">{detail}</p>}
            </div>
            {id === "import" && !isDone ? (
              <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:pl-8">
                <Button size="sm" onClick={onImport}>
                  <FolderUp aria-hidden />
                  Import a skill
                </Button>
                <Button size="sm" variant="ghost" onClick={onCreate}>
                  <Plus aria-hidden />
                  Create a skill
                </Button>
              </div>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

function GetStartedSkeleton({ steps }: { steps: number }) {
  return (
    <div role="status" aria-busy="true" className="mb-4 rounded-md border">
      <span className="sr-only">Loading the first steps</span>
      <div className="flex h-11 items-center border-b px-4">
        <Skeleton className="w-32" />
      </div>
      <div className="divide-y">
        {Array.from({ length: steps }, (_, step) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps without identity
          <div key={step} className="flex gap-3 px-4 py-2.5">
            <Skeleton className="size-5 shrink-0 rounded-full" />
            <div className="flex h-10 flex-1 flex-col justify-around">
              <Skeleton className="w-28" />
              <Skeleton className="w-3/5" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

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

function isActive({ enabled, currentVersion }: Pick<Skill, "enabled" | "currentVersion">): boolean {
  return enabled && currentVersion !== null;
}

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
      isDone: skills.some(isActive),
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
