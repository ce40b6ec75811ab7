import { isolationLabel } from "@/components/runs/detail/run-facts";
import type { Me } from "@/lib/auth/schema";
import type { Grants } from "@/lib/policy/grants/schema";
import type { Run } from "@/lib/runner/schema";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";

/** What a run may touch before anything is started. */
export type RunTerms = { class: Run["class"]; grants: Grants; timeoutSeconds: number };

/** What is said of one thing; `loud` where it reaches further than a run usually does. */
type TermLine = { term: string; text: string; highlighted: boolean };

const usualTimeoutSeconds = 30;

/** As the reviewers granted it. Where nothing was approved yet, what a decision would give that names nothing else. */
export function termsOf(skill: Pick<Skill, "class">, version: Version | undefined): RunTerms {
  const grants: Grants = version?.grants ?? version?.declaredGrants ?? {};
  return {
    class: skill.class,
    grants: { ...grants, env: grants.env ?? version?.manifest.envAllow ?? [] },
    timeoutSeconds: grants.timeoutSeconds ?? version?.manifest.timeoutSeconds ?? usualTimeoutSeconds,
  };
}

const classLabels: Record<Run["class"], string> = {
  safe: "Only reads",
  mutating: "Changes things",
  dangerous: "May do harm that cannot be undone",
};

/** One line for each kind of thing, quiet ones too: that there is no network is worth knowing. */
export function describeTerms({ class: runClass, grants, timeoutSeconds }: RunTerms): TermLine[] {
  const { env = [], paths = [], namespaces = [], capabilities = [] } = grants;
  const more: TermLine[] = [];
  if (namespaces.length > 0) {
    more.push({ term: "Host namespaces", text: namespaces.join(", "), highlighted: true });
  }
  if (capabilities.length > 0) {
    more.push({ term: "Capabilities", text: capabilities.join(", "), highlighted: true });
  }
  return [
    { term: "Class", text: classLabels[runClass], highlighted: runClass !== "safe" },
    networkLine(grants.network),
    {
      term: "Files",
      text: ["Its own folder, read only", ...workspaceTexts(grants), ...paths.map(pathText)].join("; "),
      highlighted: paths.some(({ mode }) => mode === "rw"),
    },
    { term: "Environment", text: env.length === 0 ? "No variables" : env.join(", "), highlighted: false },
    ...credentialLines(grants),
    ...more,
    { term: "Time limit", text: `${timeoutSeconds} s`, highlighted: false },
  ];
}

function networkLine(network: Grants["network"]): TermLine {
  if (network === true)
    return { term: "Network", text: "Any address that the worker’s operator allows", highlighted: true };
  if (!Array.isArray(network) || network.length === 0) return { term: "Network", text: "None", highlighted: false };
  return { term: "Network", text: `Only ${network.join(", ")}`, highlighted: true };
}

function pathText({ path, mode }: { path: string; mode: "ro" | "rw" }): string {
  return `${path}${mode === "rw" ? ", and changes it" : ", read only"}`;
}

function workspaceTexts(grants: Grants & { workspace?: boolean | undefined }): string[] {
  return grants.workspace ? ["/workspace, kept for the session"] : [];
}

function credentialLines(grants: Grants): TermLine[] {
  const { credentials = [] } = grants;
  if (credentials.length === 0) return [];
  const words = credentials.map(
    ({ credential, as, name }) => `${credential} as ${as === "file" ? `/run/secrets/${name}` : name}`,
  );
  return [{ term: "Credentials", text: words.join("; "), highlighted: true }];
}

/** How far apart from its host it will run. Only workers that are there can say; of several the weakest counts. */
export function describeIsolation(
  isolation: Me["isolation"] | undefined,
  workersOnline: number | undefined,
): TermLine | null {
  if (isolation === undefined || workersOnline === undefined) return null;
  if (workersOnline === 0) {
    return { term: "Isolation", text: "No worker is online; the run waits until one is", highlighted: true };
  }
  const isApart = isolation === "sandbox" || isolation === "namespaces";
  return { term: "Isolation", text: isolationLabel(isolation), highlighted: !isApart };
}

type Rights = NonNullable<Me["rights"]>;
type StartOutcome = Rights["runs"][Run["class"]]["outcome"];

/** What a click on Run leads to for this person; null while that is not known yet. */
export function startOutcome(me: Me | undefined, runClass: Run["class"]): StartOutcome | null {
  return me?.rights?.runs[runClass].outcome ?? null;
}

/** One line before a run: what happens when it is asked for. */
export function startText(me: Me | undefined, runClass: Run["class"]): string | null {
  const right = me?.rights?.runs[runClass];
  if (!right) return null;
  switch (right.outcome) {
    case "start":
      return "Starts at once.";
    case "confirm":
      return "Asks you to confirm the exact arguments first.";
    case "park":
      return right.rule === "dangerous-needs-two-others"
        ? "Waits for two other people to sign it, then starts by itself."
        : "Waits for a person to decide, then starts by itself.";
    case "refuse":
      return `Is refused: ${right.reason}`;
  }
}

type RunObstacle = {
  tone: "neutral" | "warning";
  title: string;
  text: string;
  link: { href: string; label: string } | null;
};

/** Why a skill cannot be run now, and what leads on; null when it can. */
export function findRunObstacle(skill: Skill, me: Me | undefined): RunObstacle | null {
  const page = `/skills/${encodeURIComponent(skill.name)}`;
  if (!skill.runnable && skill.schema === null) {
    return {
      tone: "neutral",
      title: "This skill is a playbook",
      text: "Agents follow its instructions; there is nothing to run here.",
      link: { href: `${page}?tab=use`, label: "Read the playbook" },
    };
  }
  if (!skill.userInvocable) {
    return {
      tone: "neutral",
      title: "People do not run this skill",
      text: "Its author wrote user-invocable: false. Agents run it, and pipelines that have it as a step.",
      link: null,
    };
  }
  if (!skill.currentVersion) {
    const { pendingVersion } = skill;
    return {
      tone: "warning",
      title: "No version is approved yet",
      text: "Nothing runs until a person has approved these exact bytes.",
      link: pendingVersion
        ? { href: `/reviews/${skill.id}/${pendingVersion.digest}`, label: "Open review" }
        : { href: page, label: "View skill" },
    };
  }
  if (!skill.enabled) {
    return {
      tone: "warning",
      title: "The skill is switched off",
      text: "Switch it on first; its approved version is ready.",
      link: { href: page, label: "View skill" },
    };
  }
  if (skill.scope === "host" && skill.offered === false) {
    return {
      tone: "warning",
      title: "No worker offers this skill any longer",
      text: "Its approved version is kept. It can be run again when a worker has it.",
      link: { href: page, label: "View skill" },
    };
  }
  const right = me?.rights?.runs[skill.class];
  if (right?.outcome === "refuse") {
    return { tone: "warning", title: "You may not run this skill", text: right.reason, link: null };
  }
  return null;
}
