import { isolationLabel } from "@/components/runs/detail/run-facts";
import { formatLimit } from "@/components/ui/format-time";
import type { Me } from "@/lib/auth/schema";
import type { Grants } from "@/lib/policy/grants/schema";
import type { Run } from "@/lib/runner/schema";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";

export type RunTerms = {
  class: Run["class"];
  grants: Grants /** Null while unknown. */;
  timeoutSeconds: number | null;
};

/** One permission; highlighted when it exceeds the usual ones. */
type TermLine = { term: string; text: string; highlighted: boolean };

/** The approved grants; without an approval the declared ones. */
export function termsOf(skill: Pick<Skill, "class">, version: Version | undefined): RunTerms {
  const grants: Grants = version?.grants ?? version?.declaredGrants ?? {};
  return {
    class: skill.class,
    grants: { ...grants, env: grants.env ?? version?.manifest.envAllow ?? [] },
    timeoutSeconds: version?.timeLimitSeconds ?? null,
  };
}

const classLabels: Record<Run["class"], string> = {
  safe: "Safe: only reads",
  mutating: "Mutating: changes data or systems",
  dangerous: "Dangerous: may do irreversible harm",
};

/** One line per kind of permission, including absent ones such as "Network: None". */
export function describeTerms({ class: runClass, grants, timeoutSeconds }: RunTerms): TermLine[] {
  const { env = [], paths = [], namespaces = [], capabilities = [] } = grants;
  const more: TermLine[] = [];
  if (namespaces.length > 0) {
    more.push({ term: "Host namespaces", text: namespaces.join(", "), highlighted: true });
  }
  if (capabilities.length > 0) {
    more.push({ term: "Linux capabilities", text: capabilities.join(", "), highlighted: true });
  }
  return [
    { term: "Class", text: classLabels[runClass], highlighted: runClass !== "safe" },
    networkLine(grants.network),
    {
      term: "Files",
      text: ["Skill folder (read-only)", ...workspaceTexts(grants), ...paths.map(pathText)].join("; "),
      highlighted: paths.some(({ mode }) => mode === "rw"),
    },
    { term: "Environment variables", text: env.length === 0 ? "None" : env.join(", "), highlighted: false },
    ...credentialLines(grants),
    ...more,
    ...(timeoutSeconds === null ? [] : [{ term: "Time limit", text: formatLimit(timeoutSeconds), highlighted: false }]),
  ];
}

function networkLine(network: Grants["network"]): TermLine {
  if (network === true)
    return { term: "Network", text: "Any address that the worker’s operator allows", highlighted: true };
  if (!Array.isArray(network) || network.length === 0) return { term: "Network", text: "None", highlighted: false };
  return { term: "Network", text: `Only ${network.join(", ")}`, highlighted: true };
}

function pathText({ path, mode }: { path: string; mode: "ro" | "rw" }): string {
  return `${path} (${mode === "rw" ? "read and write" : "read-only"})`;
}

function workspaceTexts(grants: Grants & { workspace?: boolean | undefined }): string[] {
  return grants.workspace ? ["/workspace (shared by the session)"] : [];
}

function credentialLines(grants: Grants): TermLine[] {
  const { credentials = [] } = grants;
  if (credentials.length === 0) return [];
  const texts = credentials.map(
    ({ credential, as, name }) => `${credential} as ${as === "file" ? `/run/secrets/${name}` : name}`,
  );
  return [{ term: "Credentials", text: texts.join("; "), highlighted: true }];
}

/** The isolation of the next run: the weakest among the online workers; null while unknown. */
export function describeIsolation(
  isolation: Me["isolation"] | undefined,
  workersOnline: number | undefined,
): TermLine | null {
  if (isolation === undefined || workersOnline === undefined) return null;
  if (workersOnline === 0) {
    return { term: "Isolation", text: "No worker is online. The run waits for one.", highlighted: true };
  }
  const isApart = isolation === "sandbox" || isolation === "namespaces";
  return { term: "Isolation", text: isolationLabel(isolation), highlighted: !isApart };
}

type Rights = NonNullable<Me["rights"]>;
type StartOutcome = Rights["runs"][Run["class"]]["outcome"];

/** The policy outcome of a run for this user; null while loading. */
export function startOutcome(me: Me | undefined, runClass: Run["class"]): StartOutcome | null {
  return me?.rights?.runs[runClass].outcome ?? null;
}

export function startText(me: Me | undefined, runClass: Run["class"]): string | null {
  const right = me?.rights?.runs[runClass];
  if (!right) return null;
  switch (right.outcome) {
    case "start":
      return "Runs immediately.";
    case "confirm":
      return "Asks you to confirm the arguments first.";
    case "park":
      return right.rule === "dangerous-needs-two-others"
        ? "Waits for two other people to approve it, then starts automatically."
        : "Waits for an approval, then starts automatically.";
    case "refuse":
      return `Refused: ${right.reason}`;
  }
}

type RunObstacle = {
  tone: "neutral" | "warning";
  title: string;
  text: string;
  link: { href: string; label: string } | null;
};

/** Why a skill cannot run now, with a link to the next step; null when it can. */
export function findRunObstacle(skill: Skill, me: Me | undefined): RunObstacle | null {
  const page = `/skills/${encodeURIComponent(skill.name)}`;
  if (!skill.runnable && skill.schema === null) {
    return {
      tone: "neutral",
      title: "This skill is a playbook",
      text: "Agents follow its instructions. It has no program to run.",
      link: { href: `${page}?tab=use`, label: "Read the playbook" },
    };
  }
  if (!skill.userInvocable) {
    return {
      tone: "neutral",
      title: "Only agents can run this skill",
      text: "The author set user-invocable: false. Agents and pipelines can run it.",
      link: null,
    };
  }
  if (!skill.currentVersion) {
    const { pendingVersion } = skill;
    return {
      tone: "warning",
      title: "No approved version",
      text: "The skill can run once a reviewer has approved a version.",
      link: pendingVersion
        ? { href: `/reviews/${skill.id}/${pendingVersion.digest}`, label: "Open review" }
        : { href: page, label: "View skill" },
    };
  }
  if (!skill.enabled) {
    return {
      tone: "warning",
      title: "The skill is switched off",
      text: "Switch it on to run its approved version.",
      link: { href: page, label: "View skill" },
    };
  }
  if (skill.scope === "host" && skill.offered === false) {
    return {
      tone: "warning",
      title: "No worker offers this skill",
      text: "The approved version is kept. The skill can run again once a worker offers it.",
      link: { href: page, label: "View skill" },
    };
  }
  const right = me?.rights?.runs[skill.class];
  if (right?.outcome === "refuse") {
    return { tone: "warning", title: "You may not run this skill", text: right.reason, link: null };
  }
  return null;
}
