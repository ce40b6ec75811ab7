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
  const howOf = (host: string) => {
    if (network === true || hostPatterns.some((pattern) => matchesHost(pattern, host))) return "declared";
    return declared.named.hosts.some((named) => matchesHost(named, host)) ? "named" : "no";
  };
  const known = [...hosts].filter((host) => howOf(host) !== "no");
  const unknown = new Set([...hosts].filter((host) => howOf(host) === "no").map(steady));
  const lines: ComparedLine[] = [
    ...known.map((what): ComparedLine => ({ kind: "host", what, declared: howOf(what), observed: "yes" })),
    ...[...unknown].map((what): ComparedLine => ({ kind: "host", what, declared: "no", observed: "yes" })),
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
  asked_control: {
    ...{ rule: "DRY010", severity: "medium" },
    why: "In a dry run, it asked for a program or a service that gives out credentials or starts programs later. The worker may not have it, so what it would have done is unknown.",
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
    const expected = expectedOfStep(declared, step);
    for (const { kind, what } of step.deeds) {
      const how = kind === "sent_canary" ? expected.get(what) : undefined;
      if (how !== "tool") add(how !== undefined ? OWN_SECRET : DEED_RULES[kind], step.step, steady(what));
    }
    for (const host of hostsOfStep(step).map(steady)) if (undeclared.has(host)) add(UNDECLARED_HOST, step.step, host);
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

/** Hosts to which ordinary tools send what is planted in their settings. */
const OF_TOOLS: Record<string, readonly string[]> = {
  "~/.npmrc": ["registry.npmjs.org"],
  "~/.netrc": ["artifacts.corp.example"],
  "~/.git-credentials": ["github.com"],
  "~/.pypirc": ["upload.pypi.org"],
  "~/.docker/config.json": ["registry.corp.example"],
  "~/.config/gh/hosts.yml": ["api.github.com", "github.com"],
};
/** A service's own domains. `*.` before one: its names below it belong to customers, of whom a thief may be one. */
const SERVICES: readonly (readonly [prefixes: string[], domains: string[]])[] = [
  "GITHUB GH: github.com; GITLAB GL: gitlab.com; BITBUCKET: bitbucket.org; OPENAI: openai.com",
  "ANTHROPIC CLAUDE: anthropic.com; GEMINI GOOGLE YOUTUBE GCP GCLOUD: googleapis.com",
  "HF HUGGINGFACE HUGGING_FACE HUGGINGFACEHUB: huggingface.co; MISTRAL: mistral.ai",
  "COHERE: cohere.com cohere.ai; GROQ: groq.com; XAI: x.ai; DEEPSEEK: deepseek.com; OPENROUTER: openrouter.ai",
  "PERPLEXITY PPLX: perplexity.ai; REPLICATE: replicate.com; ELEVENLABS ELEVEN: elevenlabs.io",
  "TAVILY: tavily.com; BRAVE: search.brave.com; SERPAPI: serpapi.com; NPM: registry.npmjs.org",
  "PYPI TWINE: pypi.org; DOCKER DOCKERHUB: docker.com docker.io; CF CLOUDFLARE: api.cloudflare.com",
  "DO DIGITALOCEAN: api.digitalocean.com; HETZNER HCLOUD: hetzner.cloud; VERCEL: vercel.com",
  "NETLIFY: netlify.com; HEROKU: api.heroku.com; FLY: api.fly.io api.machines.dev",
  "SUPABASE: *.supabase.co api.supabase.com; STRIPE: stripe.com; PAYPAL: paypal.com; TWILIO: twilio.com",
  "SENDGRID: sendgrid.com; MAILGUN: mailgun.net; SLACK: slack.com; DISCORD: discord.com",
  "TELEGRAM: api.telegram.org; TWITTER X: x.com twitter.com; NOTION: notion.com; LINEAR: linear.app",
  "ASANA: asana.com; TRELLO: trello.com; AIRTABLE: airtable.com; FIGMA: figma.com",
  "HUBSPOT: hubapi.com hubspot.com; JIRA CONFLUENCE ATLASSIAN: *.atlassian.net api.atlassian.com",
  "ZENDESK: *.zendesk.com; SHOPIFY: *.myshopify.com; SALESFORCE SF: *.salesforce.com",
  "AZURE: *.openai.azure.com management.azure.com; DATADOG DD: datadoghq.com datadoghq.eu; SENTRY: sentry.io",
  "OPENWEATHER OPENWEATHERMAP OWM: openweathermap.org",
]
  .flatMap((line) => line.split("; "))
  .map((row) => row.split(": ").map((words) => words.split(" ")) as [string[], string[]]);
/** More exact than prefixes: what never leaves as it is, or only in requests to AWS that it signs (Signature Version 4). */
const AWS =
  /^(?:s3|sts|ec2|iam|sqs|sns|dynamodb|lambda|logs|monitoring|secretsmanager|ssm|kms|ecr|api\.ecr|ecs|eks|ses|email|events|states|cloudformation|bedrock|bedrock-runtime)(?:\.[a-z]{2}(?:-[a-z]+)+-\d)?\.amazonaws\.com$/;
const SECRETS: Record<string, RegExp | null> = {
  ...{ AWS_SECRET_ACCESS_KEY: null, DATABASE_PASSWORD: null, AWS_ACCESS_KEY_ID: AWS, AWS_SESSION_TOKEN: AWS },
};
/** Secrets that sign what another one stands for. */
const SIGNS_FOR: Record<string, string> = { AWS_SECRET_ACCESS_KEY: "AWS_ACCESS_KEY_ID" };
/** Domains of shared hosting: a name or a folder there belongs to the customer who asks for it, such as a thief. */
const SHARED = [
  "vercel.app github.io gitlab.io herokuapp.com workers.dev pages.dev netlify.app web.app firebaseapp.com",
  "run.app appspot.com storage.googleapis.com firebasestorage.googleapis.com onrender.com azurewebsites.net",
  "windows.net azure-api.net cloudapp.net cloudfront.net amazonaws.com amazonaws.com.cn on.aws awsapprunner.com",
  "elasticbeanstalk.com ngrok.io ngrok.app ngrok.dev ngrok-free.app trycloudflare.com r2.dev fly.dev deno.dev",
  "railway.app render.com surge.sh glitch.me repl.co replit.dev replit.app digitaloceanspaces.com",
  "ondigitalocean.app hf.space pythonanywhere.com loca.lt localhost.run serveo.net duckdns.org no-ip.org nip.io",
  "sslip.io pipedream.net webhook.site requestbin.com wordpress.com blogspot.com wixsite.com myshopify.com",
  "atlassian.net",
].flatMap((line) => line.split(" "));
/** Words of a variable that say what it is and not whose. */
const GENERIC = new Set(
  [
    "api apis app auth access key keys token tokens secret secrets bot session password passwd pass pwd user",
    "username email id account client bearer refresh service server web webhook hook url uri host port endpoint",
    "base public private prod dev test staging my the data db database config cloud org team admin login signing",
    "master root http https www",
  ].flatMap((line) => line.split(" ")),
);

/**
 * `tool`: a tool sent what its settings have to its own service, or it never left the machine. `own`: a variable went to the
 * known service of its name. `named`: to a domain with the same word, or to a customer of the service, which a thief may be.
 */
type Expected = "tool" | "own" | "named";

/**
 * The deeds that are no theft by what is known, by their text. A variable counts as a service's own when the files name it and the
 * host, and the host is the service's by `SERVICES`, or its domain is the variable's own word: `$WEATHER_KEY` and
 * `api.weather.example`. Any thief names both; few call themselves like the secret.
 */
export function expectedSends(declared: Declared, { steps }: Pick<AnalysisReport, "steps">): Map<string, Expected> {
  return new Map(steps.flatMap((step) => [...expectedOfStep(declared, step)]));
}

function expectedOfStep({ grants, named }: Declared, { sent }: Step): Map<string, Expected> {
  const found = new Map<string, Expected>();
  const variables = [...new Set([...(grants.env ?? []), ...named.env])];
  for (const { canary, encoding, to, hosts = [to.replace(/:\d+$/, "")] } of sent) {
    const plain = hosts.map(plainHost);
    const ofTool = (host: string) => OF_TOOLS[canary]?.includes(host) === true;
    if (plain.every(isLoopback) || plain.every(ofTool)) found.set(`${canary} to ${to}`, "tool");
    if (found.has(`${canary} to ${to}`) || !plain.every((host) => named.hosts.includes(host))) continue;
    // A signature is made of a secret that is not known.
    const candidates = variables.filter((name) => encoding === "unknown" || canary === `$${name}`);
    const kinds = candidates
      .map((name) => plain.map((host) => serviceOf(encoding === "unknown" ? (SIGNS_FOR[name] ?? name) : name, host)))
      .filter((each) => !each.includes(null));
    if (kinds.length === 0) continue;
    const asks = Array.isArray(grants.network) ? grants.network : [];
    const isAsked = plain.every((host) => asks.some((pattern) => matchesHost(pattern, host)));
    const isOwn = isAsked || kinds.some((each) => !each.includes("named"));
    found.set(`${canary} to ${to}`, isOwn ? "own" : "named");
  }
  return found;
}

/** Whether a host belongs to the service of a variable, by what is known of both. */
function serviceOf(variable: string, host: string): "own" | "named" | null {
  const exact = SECRETS[variable];
  if (exact !== undefined) return exact?.test(host) ? "own" : null;
  const isOf = (prefix: string) => `${variable.toUpperCase()}_`.startsWith(`${prefix}_`);
  const known = SERVICES.flatMap(([prefixes, domains]) => (prefixes.some(isOf) ? domains : []));
  // A bucket is below the domain of its service and belongs to a customer.
  const isShared = SHARED.some((shared) => isBelow(host, shared) && !known.includes(host));
  if (!isShared && known.some((domain) => isBelow(host, domain))) return "own";
  if (known.some((domain) => domain.startsWith("*.") && host.endsWith(domain.slice(1)))) return "named";
  return known.length === 0 && isNamedFor(variable, host) ? "named" : null;
}

const isBelow = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

/** Whether the first words of a variable's name, without generic ones, are the label that its owner registered. */
function isNamedFor(variable: string, host: string): boolean {
  if (SHARED.some((shared) => isBelow(host, shared))) return false;
  const labels = host.split(".");
  // Countries under which names are registered at the third level.
  const isCountry = /^(?:ac|co|com|edu|gob|gov|gv|ne|net|nom|or|org)\.[a-z]{2}$/.test(labels.slice(-2).join("."));
  const label = labels.at(isCountry ? -3 : -2)?.replaceAll("-", "") ?? "";
  const words = variable.toLowerCase().split("_");
  const own = words.filter((word) => !GENERIC.has(word));
  return label.length > 2 && own.some((_word, end) => own.slice(0, end + 1).join("") === label);
}

/** Not the network: the sandbox has a loopback of its own. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\]|0\.0\.0\.0|::|.+\.localhost)$/.test(host);
}

/**
 * The permissions that cover exactly what was observed: its hosts, and of the paths and variables that the author asks
 * for those that were used, or whose use leaves no trace. Never a host that received a planted secret, may have received one in
 * an unknown form, or gives out credentials, never a path that the author did not ask for, and nothing that only a step used which a reviewer wrote or changed.
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
  const paths = observedPaths(own);
  return {
    network: hosts.length > 0 ? hosts.sort().slice(0, 100) : false,
    env: declared.grants.env ?? [],
    paths: (declared.grants.paths ?? []).filter(({ path }) => [...paths].some((what) => isIn(what, path))),
  };
}

/** A name with a domain, or an address that is not the machine's or its network's own. */
function isPublicName(host: string): boolean {
  if (isLoopback(plainHost(host)) || !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/i.test(host)) return false;
  return !/^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$/.test(host);
}

/** Hosts that received a planted secret and are not known to be its service's, or give out credentials. */
function suspectsOf({ sent, deeds }: Step, expected: ReadonlyMap<string, Expected>): string[] {
  const receivers = sent
    .filter(({ canary, to }) => (expected.get(`${canary} to ${to}`) ?? "named") === "named")
    .flatMap(({ to, hosts }) => hosts ?? [to.replace(/:\d+$/, "")]);
  return [...receivers, ...deeds.flatMap(({ kind, what }) => (kind === "asked_metadata" ? [what] : []))];
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

type Step = AnalysisReport["steps"][number];

function hostsOfStep({ names, addresses }: Step): string[] {
  const outside = addresses.filter(({ address }) => !/^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address));
  const found = [...names, ...outside.map(({ name, address }) => name ?? address)];
  return [...new Set(found.map(plainHost))];
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
