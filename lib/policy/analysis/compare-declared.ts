import type { Grants } from "@/lib/policy/grants/schema";
import type { AnalysisReport, DeedKind } from "./schema";

/** What a version says about itself: the permissions that its author asks for, and what its files name. */
export type Declared = {
  grants: Pick<Grants, "network" | "env" | "paths">;
  /** Hosts, variables and paths that the capability card found in the files. */
  named: { hosts: string[]; env: string[]; paths: string[] };
};

export type ComparedLine = {
  kind: "host" | "path" | "env";
  what: string;
  /** `named`: its files name it, but its author does not ask for it. */
  declared: "declared" | "named" | "no";
  /** `unknown`: reads of variables leave no trace. */
  observed: "yes" | "no" | "unknown";
};

/** A difference that a reviewer has to judge, for one path of the version. */
export type Difference = {
  rule: string;
  severity: "critical" | "high" | "medium";
  path: string;
  line: number;
  what: string;
  why: string;
};

const MAX_LINES = 300;

/** Compares line by line: hosts, host paths and variables, declared and observed ones. */
export function compareDeclared(declared: Declared, report: AnalysisReport): ComparedLine[] {
  const hosts = observedHosts(report);
  const paths = observedPaths(report);
  const sent = sentNames(report);
  const { network = false, env = [], paths: asked = [] } = declared.grants;
  const hostPatterns = Array.isArray(network) ? network : [];
  const lines: ComparedLine[] = [
    ...[...hosts].map(
      (what): ComparedLine => ({
        ...{ kind: "host", what, observed: "yes" },
        declared:
          network === true || hostPatterns.some((pattern) => matchesHost(pattern, what))
            ? "declared"
            : declared.named.hosts.some((host) => matchesHost(host, what))
              ? "named"
              : "no",
      }),
    ),
    ...hostPatterns
      .filter((pattern) => ![...hosts].some((host) => matchesHost(pattern, host)))
      .map((what): ComparedLine => ({ kind: "host", what, declared: "declared", observed: "no" })),
    ...[...paths].map(
      (what): ComparedLine => ({
        ...{ kind: "path", what, observed: "yes" },
        declared: asked.some(({ path }) => isIn(what, path))
          ? "declared"
          : declared.named.paths.includes(what)
            ? "named"
            : "no",
      }),
    ),
    ...asked
      .filter(({ path }) => ![...paths].some((what) => isIn(what, path)))
      .map(({ path }): ComparedLine => ({ kind: "path", what: path, declared: "declared", observed: "no" })),
    ...[...new Set([...env, ...declared.named.env])].map(
      (what): ComparedLine => ({
        ...{ kind: "env", what },
        declared: env.includes(what) ? "declared" : "named",
        observed: sent.has(`$${what}`) ? "yes" : "unknown",
      }),
    ),
  ];
  return lines.slice(0, MAX_LINES);
}

/** How the ids of these rules begin; a scan leaves their findings as they are. */
export const DRY_RUN_RULES = "DRY";

type DeedRule = Pick<Difference, "rule" | "severity" | "why">;

/** Each class of deed is one rule; stable, since reviewers dismiss findings by rule and place. */
const DEED_RULES: Record<DeedKind, DeedRule> = {
  sent_canary: {
    ...{ rule: "DRY001", severity: "critical" },
    why: "In a dry run, a planted secret left for a host. With real secrets, this would have been a theft.",
  },
  asked_metadata: {
    ...{ rule: "DRY002", severity: "critical" },
    why: "In a dry run, it asked the address at which clouds give out the credentials of a machine.",
  },
  read_canary: {
    ...{ rule: "DRY003", severity: "high" },
    why: "In a dry run, it opened a file in which people keep secrets.",
  },
  wrote_outside: {
    ...{ rule: "DRY004", severity: "high" },
    why: "In a dry run, it changed, or tried to change, a file outside its own folders.",
  },
  left_process: { rule: "DRY005", severity: "high", why: "In a dry run, it left a process running after its end." },
  refused_call: {
    ...{ rule: "DRY006", severity: "high" },
    why: "In a dry run, it made a system call that the sandbox refuses and no skill needs.",
  },
};

const UNDECLARED_HOST: DeedRule = {
  ...{ rule: "DRY007", severity: "medium" },
  why: "In a dry run, it asked for a host that none of its files names.",
};

const INCOMPLETE: DeedRule = {
  ...{ rule: "DRY008", severity: "high" },
  why: "In a dry run, it did more than is recorded or searched, so that a hostile act may be missing from the report.",
};

/** Parts of a step's `beyond` in which a deed may be missing; of the other lists, only entries are left out. */
const LOST: Record<string, string> = {
  ...{ network: "data sent to the network", search: "encoded data sent to the network", payloads: "datagrams" },
  ...{ events: "recorded calls", paths: "links and renamed files", deeds: "hostile acts" },
};

const MAX_DIFFERENCES = 60;

/** What was observed and is not declared, as findings; most severe first. `placeOf` names the file and line of a step. */
export function findDifferences(
  declared: Declared,
  report: AnalysisReport,
  placeOf: (step: number) => Pick<Difference, "path" | "line">,
): Difference[] {
  const found = new Map<string, Difference>();
  const add = (rule: DeedRule, step: number, what: string) => {
    const place = placeOf(step);
    const key = `${rule.rule} ${place.path} ${what}`;
    if (!found.has(key)) found.set(key, { ...rule, ...place, what });
  };
  const undeclared = new Set(
    compareDeclared(declared, report)
      .filter(({ kind, declared: how, observed }) => kind === "host" && how === "no" && observed === "yes")
      .map(({ what }) => what),
  );
  for (const step of report.steps) {
    const lost = Object.keys(LOST).filter((name) => (step.beyond[name] ?? 0) > 0);
    // First, so that no number of deeds of the same severity leaves it out.
    if (lost.length > 0) add(INCOMPLETE, step.step, `not all ${lost.map((name) => LOST[name]).join(", ")}`);
    for (const { kind, what } of step.deeds) add(DEED_RULES[kind], step.step, steady(what));
    for (const host of hostsOfStep(step)) if (undeclared.has(host)) add(UNDECLARED_HOST, step.step, host);
  }
  const order = ["critical", "high", "medium"];
  return [...found.values()]
    .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
    .slice(0, MAX_DIFFERENCES);
}

/**
 * The permissions that cover exactly what was observed: its hosts, and of the paths and variables that the author asks
 * for those that were used, or whose use leaves no trace. Never a host that received a planted secret or gives out
 * credentials, never a path that the author did not ask for, and nothing that only a step used which a reviewer wrote or changed.
 */
export function usedGrants(
  declared: Declared["grants"],
  report: AnalysisReport,
): Pick<Grants, "network" | "env" | "paths"> {
  const suspect = new Set(report.steps.flatMap(suspectsOf).map(plainHost));
  const isSuspect = (host: string) => [...suspect].some((bad) => host === bad || host.endsWith(`.${bad}`));
  const own = { steps: report.steps.filter(({ ofVersion }) => ofVersion !== false) };
  // Where deeds are left out, each of its hosts may be one that received a secret.
  const isCut = report.steps.some(({ beyond }) => (beyond.deeds ?? 0) + (beyond.sent ?? 0) > 0);
  const observed = isCut ? [] : [...observedHosts(own)];
  const hosts = observed.filter((host) => /^[a-z0-9_.-]+$/i.test(host) && !isSuspect(plainHost(host)));
  const paths = observedPaths(own);
  return {
    network: hosts.length > 0 ? hosts.sort().slice(0, 100) : false,
    env: declared.env ?? [],
    paths: (declared.paths ?? []).filter(({ path }) => [...paths].some((what) => isIn(what, path))),
  };
}

/** Hosts that received a planted secret or give out credentials. */
function suspectsOf({ sent, deeds }: Step): string[] {
  const receivers = sent.flatMap(({ to, hosts }) => hosts ?? [to.replace(/:\d+$/, "")]);
  return [...receivers, ...deeds.flatMap(({ kind, what }) => (kind === "asked_metadata" ? [what] : []))];
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

type Step = AnalysisReport["steps"][number];

function hostsOfStep({ names, addresses }: Step): string[] {
  const outside = addresses.filter(({ address }) => !/^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address));
  const found = [...names, ...outside.map(({ name, address }) => name ?? address)];
  return [...new Set(found.map((host) => steady(plainHost(host))))];
}

/** A label that long carries data, such as a planted secret, which is another one in the next analysis. */
function steady(text: string): string {
  return text.replace(/[A-Za-z0-9_=+-]{25,}/g, "*");
}

function observedHosts({ steps }: Pick<AnalysisReport, "steps">): Set<string> {
  return new Set(steps.flatMap(hostsOfStep));
}

/** Absolute paths that a worker would have to open for it: not its home, its temporary files or its own folder. */
function observedPaths({ steps }: Pick<AnalysisReport, "steps">): Set<string> {
  const all = steps.flatMap(({ reads, lookedFor, writes }) =>
    [...reads, ...lookedFor, ...writes].map(({ path }) => path),
  );
  return new Set(all.filter((path) => path.startsWith("/") && !OWN.some((folder) => isIn(path, folder))));
}

const OWN = ["/home/dev", "/tmp", "/skill", "/dev", "/proc", "/sys", "/etc/ca-bundle.pem", "/workspace"];

function sentNames({ steps }: AnalysisReport): Set<string> {
  return new Set(steps.flatMap(({ sent }) => sent.map(({ canary }) => canary)));
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** `*.example.org` covers every name below it; a port of the pattern does not count, since names have none. */
function matchesHost(pattern: string, host: string): boolean {
  const plain = pattern.toLowerCase().replace(/:\d+$/, "");
  return plain.startsWith("*.") ? host.endsWith(plain.slice(1)) : host === plain;
}
