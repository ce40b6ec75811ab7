import type { Grants } from "@/lib/policy/grants/schema";
import { isLoopback, isOfTool, serviceOf, serviceOfUnknown, withoutData } from "./known-services";
import { type AnalysisReport, type DeedKind, textOfSent } from "./schema";

/** What a version says about itself: the variables that its author asks for, and what its files name. */
export type Declared = {
  grants: Pick<Grants, "env">;
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
  /** `what` without random data: the same when the same act is seen again. */
  key: string;
  why: string;
};

const MAX_LINES = 300;

/** Compares line by line: hosts, host paths and variables, declared and observed ones. */
export function compareDeclared(declared: Declared, report: AnalysisReport): ComparedLine[] {
  const sent = sentNames(report);
  const { env = [] } = declared.grants;
  const isNamed = namesHost(declared, report);
  const hosts = [...observedHosts(report)];
  const unknown = new Map<string, string[]>();
  for (const host of hosts.filter((each) => !isNamed(each)))
    unknown.set(withoutData(host), [...(unknown.get(withoutData(host)) ?? []), host]);
  const lines: ComparedLine[] = [
    ...hosts.filter(isNamed).map((what) => ({ kind: "host", what, declared: "named", observed: "yes" }) as const),
    ...[...unknown].map(
      ([steady, [first = steady, ...more]]): ComparedLine => ({
        ...{ kind: "host", declared: "no", observed: "yes" },
        what: more.length === 0 ? first : steady,
      }),
    ),
    ...[...observedPaths(report)].map((what): ComparedLine => {
      const isListed = declared.named.paths.includes(what);
      return { kind: "path", what, declared: isListed ? "named" : "no", observed: "yes" };
    }),
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

type Mentions = Pick<AnalysisReport, "mentioned">;

/** Whether the files of a version name a host, as an address or as a text. */
function namesHost({ named }: Declared, { mentioned = [] }: Mentions): (host: string) => boolean {
  const exact = new Set([...named.hosts, ...mentioned]);
  const patterns = named.hosts.filter((host) => /^\*\.|:\d+$/.test(host));
  return (host) => exact.has(host) || patterns.some((pattern) => matchesHost(pattern, host));
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
  asked_control: {
    ...{ rule: "DRY010", severity: "medium" },
    why: "In a dry run, it asked for a program or a service that gives out credentials or rights, or starts programs outside or later. The worker may not have it, so what it would have done is unknown.",
  },
};

const OWN_SECRET: DeedRule = {
  ...{ rule: "DRY009", severity: "medium" },
  why: "In a dry run, it sent a secret to the service that the secret's name stands for. Its files name both.",
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
  worlds: "executions without what its files name",
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
    const steady = withoutData(what);
    const key = `${rule.rule} ${place.path} ${steady}`;
    if (!found.has(key)) found.set(key, { ...rule, ...place, what, key: steady });
  };
  const isNamed = namesHost(declared, report);
  for (const step of report.steps) {
    const lost = Object.keys(LOST).filter((name) => (step.beyond[name] ?? 0) > 0);
    // First, so that no number of deeds of the same severity leaves it out.
    if (lost.length > 0) add(INCOMPLETE, step.step, `not all ${lost.map((name) => LOST[name]).join(", ")}`);
    const expected = expectedOfStep(declared, step, isNamed);
    for (const { kind, what } of step.deeds) {
      const how = kind === "sent_canary" ? expected.get(what) : null;
      if (how !== "tool") add(how ? OWN_SECRET : DEED_RULES[kind], step.step, what);
    }
    for (const host of hostsOfStep(step)) if (!isNamed(host)) add(UNDECLARED_HOST, step.step, host);
  }
  const order = ["critical", "high", "medium"];
  const all = [...found.values()].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  // What is missing in one step is said, however much another one did.
  const isIncomplete = ({ rule }: Difference) => rule === INCOMPLETE.rule;
  const listed = all.filter((one) => !isIncomplete(one)).slice(0, MAX_DIFFERENCES);
  return [
    ...listed.filter(({ severity }) => severity === "critical"),
    ...all.filter(isIncomplete),
    ...listed.filter(({ severity }) => severity !== "critical"),
  ];
}

/**
 * `tool`: a tool sent what its settings have to its own service, or it never left the machine. `own`: a variable went to the
 * known service of its name, where keys belong. `named`: to a domain with the same word, to a customer of the service, which a
 * thief may be, in the body of a request, or in an unknown form. `null`: a theft, by what is known.
 */
type Expected = "tool" | "own" | "named" | null;

/**
 * The deeds that are no theft by what is known, by their text. A variable counts as a service's own when the files name it and the
 * host, and the host is the service's (`serviceOf`). Any thief names both; few call themselves like the secret. In a message it never
 * counts: at the service of a key, a thief may have an inbox. What is a theft in one step is none of these.
 */
export function expectedSends(
  declared: Declared,
  report: Pick<AnalysisReport, "steps" | "mentioned">,
): Map<string, Exclude<Expected, null>> {
  const all = new Map<string, Expected>();
  const isNamed = namesHost(declared, report);
  for (const step of report.steps)
    for (const [text, how] of expectedOfStep(declared, step, isNamed)) all.set(text, worseOf(all.get(text), how));
  return new Map([...all].flatMap(([text, how]) => (how === null ? [] : [[text, how]])));
}

function expectedOfStep(declared: Declared, { sent }: Step, isNamed: (host: string) => boolean): Map<string, Expected> {
  const found = new Map<string, Expected>();
  for (const one of sent) {
    const text = textOfSent(one);
    found.set(text, worseOf(found.get(text), expectedOf(declared, one, isNamed)));
  }
  return found;
}

const FROM_WORST: readonly Expected[] = [null, "named", "own", "tool"];

function worseOf(one: Expected | undefined, other: Expected): Expected {
  return one === undefined || FROM_WORST.indexOf(other) < FROM_WORST.indexOf(one) ? other : one;
}

function expectedOf(
  { grants, named }: Declared,
  { canary, encoding, place, to, hosts = [to.replace(/:\d+$/, "")] }: Step["sent"][number],
  isNamed: (host: string) => boolean,
): Expected {
  const plain = hosts.map(plainHost);
  if (plain.every(isLoopback)) return "tool";
  if (place === "message") return null;
  if (plain.every((host) => isOfTool(canary, host))) return "tool";
  if (!plain.every(isNamed)) return null;
  // A signature is made of a secret that is not known.
  const isUnknown = encoding === "unknown";
  const variables = [...new Set([...(grants.env ?? []), ...named.env])];
  const kinds = variables
    .filter((name) => isUnknown || canary === `$${name}`)
    .map((name) => plain.map((host) => (isUnknown ? serviceOfUnknown(name, host) : serviceOf(name, host))))
    .filter((each) => !each.includes(null));
  if (kinds.length === 0) return null;
  return place !== "body" && kinds.some((each) => !each.includes("named")) ? "own" : "named";
}

/**
 * The permissions that cover exactly what was observed: its hosts, and the variables that the author asks for, whose use leaves no
 * trace. Never a host that received a planted secret, may have received one in
 * an unknown form, or gives out credentials, never a path of the host, for which no format of skills has a field, and nothing that only a step used which a reviewer wrote or changed.
 */
export function usedGrants(declared: Declared, report: AnalysisReport): Pick<Grants, "network" | "env" | "paths"> {
  const expected = expectedSends(declared, report);
  const suspect = new Set(
    report.steps.flatMap((step) => [...suspectsOf(step, expected), ...(step.varying ?? [])]).map(plainHost),
  );
  const isSuspect = (host: string) => [...suspect].some((bad) => host === bad || host.endsWith(`.${bad}`));
  const steps = report.steps.filter(({ ofVersion }) => ofVersion !== false);
  // A datagram cannot be permitted, and a connected socket may have sent none.
  const own = {
    steps: steps.map((step) => ({ ...step, addresses: step.addresses.filter(({ protocol }) => protocol === "tcp") })),
  };
  // Where something is left out, each of its hosts may be one that received a secret.
  const isCut = report.steps.some(({ beyond }) =>
    [...Object.keys(LOST), "sent"].some((name) => (beyond[name] ?? 0) > 0),
  );
  const observed = isCut ? [] : [...observedHosts(own)];
  const hosts = observed.filter((host) => isPublicName(host) && !isSuspect(plainHost(host)));
  return {
    network: hosts.length > 0 ? hosts.sort().slice(0, 100) : false,
    env: declared.grants.env ?? [],
    paths: [],
  };
}

/** A name with a domain, or an address that is not the machine's or its network's own. */
function isPublicName(host: string): boolean {
  if (isLoopback(plainHost(host)) || host.endsWith(".arpa") || !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/i.test(host))
    return false;
  return !/^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$/.test(host);
}

/** Hosts that received a planted secret and are not known to be its service's, or give out credentials. */
function suspectsOf({ sent, deeds }: Step, expected: ReadonlyMap<string, Expected>): string[] {
  const receivers = sent
    .filter((one) => (expected.get(textOfSent(one)) ?? "named") === "named")
    .flatMap(({ to, hosts }) => hosts ?? [to.replace(/:\d+$/, "")]);
  return [...receivers, ...deeds.flatMap(({ kind, what }) => (kind === "asked_metadata" ? [what] : []))];
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

type Step = AnalysisReport["steps"][number];

function hostsOfStep({ names, addresses }: Step): string[] {
  const outside = addresses.filter(({ address }) => !/^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address));
  // Programs also look up the names of their own addresses.
  const asked = names.filter((name) => !/\.(?:in-addr|ip6)\.arpa\.?$/i.test(name));
  const found = [...asked, ...outside.map(({ name, address }) => name ?? address)];
  return [...new Set(found.map(plainHost))];
}

/** The hosts that the steps of a report asked for or sent something to. */
export function hostsOfReport(report: Pick<AnalysisReport, "steps">): string[] {
  const received = report.steps.flatMap(({ sent }) => sent.flatMap(({ hosts = [] }) => hosts.map(plainHost)));
  return [...new Set([...observedHosts(report), ...received])];
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
