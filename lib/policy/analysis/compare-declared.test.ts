import { expect, it } from "vitest";
import { compareDeclared, type Declared, expectedSends, findDifferences, usedGrants } from "./compare-declared";
import { AnalysisReport, type StepReport } from "./schema";

const DECLARED = { grants: { network: false as const, env: [], paths: [] }, named: { hosts: [], env: [], paths: [] } };

function reportWith(
  beyond: Record<string, number>,
  deeds: { kind: string; what: string }[] = [],
  network: Partial<Pick<StepReport, "names" | "addresses" | "sent" | "varying">> = {},
): AnalysisReport {
  const lists = { programs: [], reads: [], lookedFor: [], writes: [], addresses: [], names: [], sent: [], refused: [] };
  const end = { kind: "exited", exitCode: 0 };
  const step = {
    step: 0,
    end,
    durationMs: 1,
    ...lists,
    leftRunning: [],
    deeds,
    beyond,
    stdout: "",
    stderr: "",
    ...network,
  };
  const head = { schema: 1, tracer: "strace 6.1", isolation: "bubblewrap 0.8", network: "recorder", canaries: [] };
  return AnalysisReport.parse({ ...head, steps: [step], untouched: [] });
}

const rulesOf = (report: AnalysisReport) =>
  findDifferences(DECLARED, report, (step) => ({ path: "run.sh", line: step + 1 })).map(
    ({ rule, path, line, what }) => `${rule} ${path}:${line} ${what}`,
  );

it("says that a report is incomplete where a hostile act may be missing", () => {
  expect(rulesOf(reportWith({ network: 3, search: 1 }))).toEqual([
    "DRY008 run.sh:1 not all data sent to the network, encoded data sent to the network",
  ]);
  expect(rulesOf(reportWith({ events: 1 }))).toEqual(["DRY008 run.sh:1 not all recorded calls"]);
  expect(rulesOf(reportWith({ writes: 500, programs: 2 }))).toEqual([]);
  const many = Array.from({ length: 200 }, (_, index) => ({ kind: "wrote_outside", what: `/etc/${index}` }));
  expect(rulesOf(reportWith({ deeds: 9 }, many))).toContain("DRY008 run.sh:1 not all hostile acts");
});

const used = (...about: Parameters<typeof reportWith>) => usedGrants(DECLARED, reportWith(...about)).network;
const sentTo = (to: string, hosts?: string[]): StepReport["sent"] => [
  { canary: "$TOKEN", encoding: "clear", channel: "http", to, hosts },
];

it("grants no host that received a secret, however it was written or named", () => {
  const names = ["Evil.Example.", "sub.evil.example", "good.example"];
  expect(used({}, [], { names, sent: sentTo("evil.example:80", ["evil.example"]) })).toEqual(["good.example"]);
  const asOther = sentTo("evil.example:443 (as good.example)", ["evil.example", "good.example"]);
  expect(used({}, [], { names, sent: asOther })).toBe(false);
  expect(used({}, [], { names, sent: sentTo("evil.example:80") })).toEqual(["good.example"]);
  const metadata = [{ kind: "asked_metadata", what: "good.example" }];
  expect(used({}, metadata, { names: ["good.example"] })).toBe(false);
});

it("grants no host where deeds are left out, since each may have received a secret", () => {
  expect(used({ names: 3 }, [], { names: ["a.example"] })).toEqual(["a.example"]);
  expect(used({ deeds: 1 }, [], { names: ["a.example"] })).toBe(false);
});

it("grants no host that may have received a secret in an unknown form", () => {
  const names = ["a.example", "api.a.example", "b.example"];
  expect(used({}, [], { names, varying: ["A.example"] })).toEqual(["b.example"]);
});

it("grants only names that others can resolve, and none where data may be missing", () => {
  const names = ["10.0.0.5", "127.0.0.1", "intranet", "build-7", "a.example", "198.51.100.7"];
  expect(used({}, [], { names })).toEqual(["198.51.100.7", "a.example"]);
  expect(used({ search: 1 }, [], { names })).toBe(false);
});

it("grants no address to which only a datagram could go", () => {
  const address = { address: "8.8.8.8", port: 80, name: null, answered: true };
  expect(used({}, [], { addresses: [{ ...address, protocol: "udp" }] })).toBe(false);
  expect(used({}, [], { addresses: [{ ...address, protocol: "tcp" }] })).toEqual(["8.8.8.8"]);
});

it("takes a secret that goes to its own service for no theft", () => {
  const key = (canary: string, to: string, hosts: string[]): StepReport["sent"][number] => ({
    ...{ canary, encoding: "clear", channel: "tls", to, hosts },
  });
  const names = (host: string, env: string): Declared => ({
    ...DECLARED,
    named: { hosts: [host], env: [env], paths: [] },
  });
  const about = (declared: Declared, sent: StepReport["sent"]) => {
    const deeds = sent.map(({ canary, to }) => ({ kind: "sent_canary", what: `${canary} to ${to}` }));
    const report = reportWith({}, deeds, { sent, names: sent.flatMap(({ hosts = [] }) => hosts) });
    const rules = findDifferences(declared, report, () => ({ path: "run.sh", line: 1 })).map(({ rule }) => rule);
    return { rules, expected: expectedSends(declared, report).size, network: usedGrants(declared, report).network };
  };
  const weather = "api.weather.example";
  const own = key("$WEATHER_KEY", `${weather}:443`, [weather]);
  expect(about(names(weather, "WEATHER_KEY"), [own])).toEqual({ rules: ["DRY009"], expected: 1, network: false });
  const asked = { ...names(weather, "WEATHER_KEY"), grants: { ...DECLARED.grants, network: [weather] } };
  expect(about(asked, [own])).toEqual({ rules: ["DRY009"], expected: 1, network: [weather] });
  const map = key("$OPENWEATHER_API_KEY", "api.openweathermap.org:443", ["api.openweathermap.org"]);
  expect(about(names("api.openweathermap.org", "OPENWEATHER_API_KEY"), [map]).rules).toEqual(["DRY009"]);
  const github = key("$GITHUB_TOKEN", "api.github.com:443", ["api.github.com"]);
  expect(about(names("api.github.com", "GITHUB_TOKEN"), [github]).rules).toEqual(["DRY009"]);
  const npm = key("~/.npmrc", "registry.npmjs.org:443", ["registry.npmjs.org"]);
  expect(about(DECLARED, [npm])).toMatchObject({ rules: ["DRY007"], expected: 1 });

  const evil = "steal.example";
  const thefts: [Declared, StepReport["sent"][number]][] = [
    [names(evil, "GH_TOKEN"), key("$GH_TOKEN", `${evil}:443`, [evil])],
    [names(weather, "WEATHER_KEY"), key("$WEATHER_KEY", `${evil}:443 (as ${weather})`, [evil, weather])],
    [
      names("x1.amazonaws.com", "AWS_SECRET_ACCESS_KEY"),
      key("$AWS_SECRET_ACCESS_KEY", "x1.amazonaws.com:443", ["x1.amazonaws.com"]),
    ],
    [
      names("github.evil.example", "GITHUB_TOKEN"),
      key("$GITHUB_TOKEN", "github.evil.example:443", ["github.evil.example"]),
    ],
    [names(weather, "WEATHER_KEY"), key("~/.ssh/id_rsa", `${weather}:443`, [weather])],
    [names(evil, "X"), key("~/.npmrc", `${evil}:443`, [evil])],
  ];
  for (const [declared, sent] of thefts) {
    const { rules, expected, network } = about(declared, [sent]);
    expect(rules).toContain("DRY001");
    expect({ expected, network }).toEqual({ expected: 0, network: false });
  }
});

const judge = (variable: string, host: string, encoding: "clear" | "unknown" = "clear") => {
  const canary = encoding === "unknown" ? "a planted secret" : `$${variable}`;
  const sent = [{ canary, encoding, channel: "tls" as const, to: `${host}:443`, hosts: [host] }];
  const declared = { ...DECLARED, named: { hosts: [host], env: [variable], paths: [] } };
  const deeds = sent.map(({ canary, to }) => ({ kind: "sent_canary", what: `${canary} to ${to}` }));
  const report = reportWith({}, deeds, { sent, names: [host] });
  const [first] = findDifferences(declared, report, () => ({ path: "run.sh", line: 1 }));
  return `${first?.rule ?? "none"} ${usedGrants(declared, report).network === false ? "not granted" : "granted"}`;
};

it.for([
  ["GH_TOKEN", "secure.token.io"],
  ["AWS_SESSION_TOKEN", "session-token.net"],
  ["STRIPE_API_KEY", "x.apikey.dev"],
  ["STRIPE_API_KEY", "stripe-metrics.com"],
  ["SLACK_BOT_TOKEN", "bot.tk"],
  ["SLACK_BOT_TOKEN", "slack-bots.xyz"],
  ["VERCEL_TOKEN", "collect-x9.vercel.app"],
  ["GEMINI_API_KEY", "bucket.storage.googleapis.com"],
  ["AWS_ACCESS_KEY_ID", "bucket.s3.amazonaws.com"],
  ["ACME_TOKEN", "acme.github.io"],
  ["ACME_TOKEN", "acme-metrics.com"],
  ["ACME_TOKEN", "acme.evil.io"],
  ["CO_TOKEN", "evil.co.uk"],
  ["MY_BOT_API_KEY", "mybot.dev"],
])("takes $%s to %s for a theft", ([variable = "", host = ""]) => {
  expect(judge(variable, host)).toBe("DRY001 not granted");
});

it.for([
  ["GH_TOKEN", "api.github.com"],
  ["HF_TOKEN", "huggingface.co"],
  ["CF_API_TOKEN", "api.cloudflare.com"],
  ["TWITTER_BEARER_TOKEN", "api.x.com"],
  ["GEMINI_API_KEY", "generativelanguage.googleapis.com"],
  ["YOUTUBE_API_KEY", "www.googleapis.com"],
  ["CLAUDE_API_KEY", "api.anthropic.com"],
  ["DO_TOKEN", "api.digitalocean.com"],
  ["AWS_ACCESS_KEY_ID", "s3.amazonaws.com"],
  ["AWS_SESSION_TOKEN", "sts.eu-west-1.amazonaws.com"],
  ["OPENWEATHER_API_KEY", "api.openweathermap.org"],
])("knows that $%s belongs to %s", ([variable = "", host = ""]) => {
  expect(judge(variable, host)).toBe("DRY009 granted");
});

it.for([
  ["ACME_TOKEN", "acme.com"],
  ["ACME_PROD_TOKEN", "api.acme.io"],
  ["ACME_TOKEN", "api.acme.co.uk"],
  ["JIRA_API_TOKEN", "acme.atlassian.net"],
])("leaves the grant of $%s to %s to the reviewer", ([variable = "", host = ""]) => {
  expect(judge(variable, host)).toBe("DRY009 not granted");
});

it("judges a secret in an unknown form by the variables that the files name", () => {
  expect(judge("STRIPE_API_KEY", "steal.example", "unknown")).toBe("DRY001 not granted");
  expect(judge("STRIPE_API_KEY", "api.stripe.com", "unknown")).toBe("DRY009 granted");
  expect(judge("ACME_SECRET", "api.acme.io", "unknown")).toBe("DRY009 not granted");
  // It signs requests and never leaves as it is.
  expect(judge("AWS_SECRET_ACCESS_KEY", "s3.amazonaws.com", "unknown")).toBe("DRY009 granted");
  expect(judge("AWS_SECRET_ACCESS_KEY", "s3.amazonaws.com")).toBe("DRY001 not granted");
  expect(judge("AWS_SECRET_ACCESS_KEY", "bucket.s3.amazonaws.com", "unknown")).toBe("DRY001 not granted");
});

it.for(["127.0.0.1", "127.8.0.1", "::1", "localhost"])("takes %s for the machine itself", (host) => {
  expect(judge("REDIS_PASSWORD", host)).toMatch(/^(none|DRY007) not granted$/);
});

it("says of each step what is missing, however much another one did", () => {
  const many = Array.from({ length: 70 }, (_, index) => ({ kind: "sent_canary", what: `$T to h${index}.example:80` }));
  expect(rulesOf(reportWith({ network: 1 }, many)).filter((rule) => rule.startsWith("DRY008"))).toHaveLength(1);
});

it("shows a host with a long label as it is, if the files name it", () => {
  const host = `${"a".repeat(30)}.run.example`;
  const named = { ...DECLARED, named: { hosts: [host], env: [], paths: [] } };
  const report = reportWith({}, [], { names: [host, `${"b".repeat(30)}.other.example`] });
  expect(compareDeclared(named, report).map(({ what, declared }) => `${what} ${declared}`)).toEqual([
    `${host} named`,
    "*.other.example no",
  ]);
  expect(usedGrants(named, reportWith({}, [], { names: [host] })).network).toEqual([host]);
});
