import { expect, it } from "vitest";
import { compareDeclared, type Declared, expectedSends, findDifferences, usedGrants } from "./compare-declared";
import { AnalysisReport, type StepReport } from "./schema";

const DECLARED: Declared = { grants: { env: [] }, named: { hosts: [], env: [], paths: [] } };

function reportWith(
  beyond: Record<string, number>,
  deeds: { kind: string; what: string }[] = [],
  network: Partial<Pick<StepReport, "names" | "addresses" | "sent" | "varying">> = {},
  mentioned: string[] = [],
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
  return AnalysisReport.parse({ ...head, steps: [step], untouched: [], mentioned });
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

type Sent = StepReport["sent"][number];

const judge = (variable: string, host: string, more: Partial<Sent> = {}) => {
  const canary = more.encoding === "unknown" ? "a secret in an unknown form" : `$${variable}`;
  const sent: Sent[] = [
    { canary, encoding: "clear", channel: "tls" as const, to: `${host}:443`, hosts: [host], ...more },
  ];
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
  ["PROD_STRIPE_SECRET_KEY", "api.stripe.cx"],
  ["MY_GITHUB_TOKEN", "api.github.cx"],
  ["TEST_API_OPENAI_KEY", "openai.cx"],
  ["PROD_AWS_SECRET_ACCESS_KEY", "aws.cx"],
  ["AWS_API_TOKEN", "aws.cx"],
  ["SLACK_BOT_TOKEN", "hooks.slack.com"],
  ["SENTRY_AUTH_TOKEN", "o4506.ingest.us.sentry.io"],
  ["HUBSPOT_API_KEY", "forms.hubspot.com"],
  ["GOOGLE_API_KEY", "firestore.googleapis.com"],
  ["GEMINI_API_KEY", "sheets.googleapis.com"],
  ["constructor", "acme.example"],
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
  ["MY_GITHUB_TOKEN", "api.github.com"],
  ["PROD_AWS_ACCESS_KEY_ID", "sts.amazonaws.com"],
  ["GOOGLE_MAPS_API_KEY", "maps.googleapis.com"],
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
  expect(judge("STRIPE_API_KEY", "steal.example", { encoding: "unknown" })).toBe("DRY001 not granted");
  expect(judge("STRIPE_API_KEY", "api.stripe.com", { encoding: "unknown" })).toBe("DRY009 not granted");
  expect(judge("ACME_SECRET", "api.acme.io", { encoding: "unknown" })).toBe("DRY001 not granted");
  // It signs requests and never leaves as it is; a thief's bucket is signed for in the same way.
  expect(judge("AWS_SECRET_ACCESS_KEY", "s3.amazonaws.com", { encoding: "unknown" })).toBe("DRY009 not granted");
  expect(judge("AWS_SECRET_ACCESS_KEY", "s3.amazonaws.com")).toBe("DRY001 not granted");
  expect(judge("AWS_SECRET_ACCESS_KEY", "bucket.s3.amazonaws.com", { encoding: "unknown" })).toBe("DRY001 not granted");
});

it.for(["127.0.0.1", "127.8.0.1", "::1", "localhost"])("takes %s for the machine itself", (host) => {
  expect(judge("REDIS_PASSWORD", host)).toMatch(/^(none|DRY007) not granted$/);
});

it("says of each step what is missing, however much another one did", () => {
  const many = Array.from({ length: 70 }, (_, index) => ({ kind: "sent_canary", what: `$T to h${index}.example:80` }));
  expect(rulesOf(reportWith({ network: 1 }, many)).filter((rule) => rule.startsWith("DRY008"))).toHaveLength(1);
});

it.for([
  ["TELEGRAM_BOT_TOKEN", "api.telegram.org", "target", "DRY009 granted"],
  ["GH_TOKEN", "api.github.com", "header", "DRY009 granted"],
  ["ACME_TOKEN", "api.acme.io", "header", "DRY009 not granted"],
  ["SLACK_BOT_TOKEN", "slack.com", "body", "DRY009 not granted"],
  ["TELEGRAM_BOT_TOKEN", "api.telegram.org", "message", "DRY001 not granted"],
  ["ACME_TOKEN", "api.acme.io", "message", "DRY001 not granted"],
  ["SLACK_BOT_TOKEN", "hooks.slack.com", "header", "DRY001 not granted"],
] as const)("judges $%s at %s by its place, in a %s", ([variable, host, place, expected]) => {
  expect(judge(variable, host, { place })).toBe(expected);
});

it("judges a key by its worst place, in the same step and in others", () => {
  const host = "api.github.com";
  const one = { canary: "$GH_TOKEN", encoding: "clear" as const, to: `${host}:443`, hosts: [host] };
  const header: Sent = { ...one, channel: "tls", place: "header" };
  const message: Sent = { ...one, channel: "http", place: "message" };
  const declared = { ...DECLARED, named: { hosts: [host], env: ["GH_TOKEN"], paths: [] } };
  const deeds = [{ kind: "sent_canary", what: `$GH_TOKEN to ${host}:443` }];
  for (const sent of [
    [header, message],
    [message, header],
  ]) {
    const report = reportWith({}, deeds, { sent, names: [host] });
    expect(findDifferences(declared, report, () => ({ path: "run.sh", line: 1 }))).toMatchObject([{ rule: "DRY001" }]);
    const [inHeader] = reportWith({}, deeds, { sent: sent.slice(0, 1), names: [host] }).steps;
    const [inMessage] = reportWith({}, deeds, { sent: sent.slice(1), names: [host] }).steps;
    if (!inHeader || !inMessage) throw new Error("no steps");
    const both = { ...report, steps: [inHeader, inMessage] };
    expect(expectedSends(declared, both).size).toBe(0);
    expect(usedGrants(declared, both).network).toBe(false);
  }
});

it("takes what a tool's settings have for a theft where it is part of a message", () => {
  const host = "github.com";
  const sent: Sent = {
    ...{ canary: "~/.git-credentials", encoding: "clear", channel: "tls", to: `${host}:443`, hosts: [host] },
  };
  const rules = (place: Sent["place"]) => {
    const deeds = [{ kind: "sent_canary", what: `~/.git-credentials to ${host}:443` }];
    return rulesOf(reportWith({}, deeds, { sent: [{ ...sent, place }], names: [host] }, [host]));
  };
  expect(rules("header")).toEqual([]);
  expect(rules("message")).toEqual(["DRY001 run.sh:1 ~/.git-credentials to github.com:443"]);
});

const differ = (what: string, kind = "sent_canary") =>
  findDifferences(DECLARED, reportWith({}, [{ kind, what }]), () => ({ path: "run.sh", line: 1 }))[0];

it.for([
  ["our-internal-telemetry-collector.com", "attackers-exfiltration-drop-host.com"],
  ["a1b2c3d4e5f6a7b8c9d0e1f2a3b4.com", "b1b2c3d4e5f6a7b8c9d0e1f2a3b5.com"],
  ["a1b2c3d4e5f6a7b8c9d0e1f2a3b4.co.uk", "b1b2c3d4e5f6a7b8c9d0e1f2a3b5.co.uk"],
  ["a1b2c3d4e5f6a7b8c9d0e1f2a3b4.me.uk", "b1b2c3d4e5f6a7b8c9d0e1f2a3b5.me.uk"],
  ["a1b2c3d4e5f6a7b8c9d0e1f2a3b4.vercel.app", "b1b2c3d4e5f6a7b8c9d0e1f2a3b5.vercel.app"],
  ["our-internal-telemetry.acme.com", "some-other-long-internal-name.acme.com"],
])("shows %s whole and takes it for another finding than %s", ([host = "", other = ""]) => {
  const [one, two] = [host, other].map((each) => differ(`$GITHUB_TOKEN to ${each}:80`));
  expect(one?.what).toBe(`$GITHUB_TOKEN to ${host}:80`);
  expect(one?.key).not.toBe(two?.key);
  const asked = findDifferences(DECLARED, reportWith({}, [], { names: [host, other] }), () => ({ path: "a", line: 1 }));
  expect(asked.map(({ what }) => what)).toEqual([host, other]);
});

it.for([
  ["$T to 9f86d081884c7d659a2feaa0c55ad015.evil.example:80", "$T to 60303ae22b998861bce3b28f33eec1be.evil.example:80"],
  [
    "$T to 203.0.113.5:80 (as mzxw6ytboi2dknrtgq3tqojq.evil.example)",
    "$T to 203.0.113.5:80 (as nbswy3dpeb3w64tmmqqho2lu.evil.example)",
  ].map((text) => text.replace(".evil", "a7.evil")),
  [
    "$T to 550e8400-e29b-41d4-a716-446655440000.run.evil.co.uk:80",
    "$T to c0ffee00-e29b-41d4-b716-446655440111.run.evil.co.uk:80",
  ],
])("takes random data in the name %s for the same finding", ([one = "", two = ""]) => {
  expect(differ(one)?.key).toBe(differ(two)?.key);
  expect(differ(one)?.what).toBe(one);
});

it("leaves random data out of paths, and nothing else", () => {
  const at = (name: string) => differ(`/home/dev/.config/${name}`, "wrote_outside")?.key;
  expect(at("pulse/9f86d081884c7d659a2feaa0c55ad015-runtime")).toBe(
    at("pulse/60303ae22b998861bce3b28f33eec1be-runtime"),
  );
  expect(at("autostart/our-own-helper-of-the-desktop.desktop")).not.toBe(
    at("autostart/another-helper-of-the-desktop.desktop"),
  );
});

it("calls no host undeclared that a file names without a scheme", () => {
  const host = "plainhost.example.org";
  const report = reportWith({}, [], { names: [host, "other.example.org"] }, [host]);
  expect(rulesOf(report)).toEqual(["DRY007 run.sh:1 other.example.org"]);
  expect(compareDeclared(DECLARED, report)).toContainEqual({
    ...{ kind: "host", what: host, declared: "named", observed: "yes" },
  });
  const key: Sent = { canary: "$GH_TOKEN", encoding: "clear", channel: "tls", to: "api.github.com:443" };
  const sent = [{ ...key, hosts: ["api.github.com"] }];
  const declared = { ...DECLARED, named: { ...DECLARED.named, env: ["GH_TOKEN"] } };
  expect(expectedSends(declared, reportWith({}, [], { sent }, ["api.github.com"])).size).toBe(1);
});

it("calls a host undeclared however many others its files name", () => {
  const hosts = Array.from({ length: 190 }, (_, index) => `h${index}.example`);
  const reports = [hosts, hosts.map((host) => `x${host}`), ["evil.example"]].map((names) =>
    reportWith({}, [], { names }),
  );
  const [report] = reports;
  if (!report) throw new Error("no report");
  const all = { ...report, steps: reports.flatMap(({ steps }) => steps) };
  const named = { ...DECLARED, named: { ...DECLARED.named, hosts: hosts.flatMap((host) => [host, `x${host}`]) } };
  expect(findDifferences(named, all, () => ({ path: "a", line: 1 })).map(({ what }) => what)).toEqual(["evil.example"]);
});

it("shows hosts whole, and those that differ in random data only as one", () => {
  const host = `${"a1".repeat(15)}.run.example`;
  const named = { ...DECLARED, named: { hosts: [host], env: [], paths: [] } };
  const many = ["b2", "c3"].map((part) => `${part.repeat(15)}.other.example`);
  const report = reportWith({}, [], { names: [host, ...many, `${"d4".repeat(15)}.single.example`] });
  expect(compareDeclared(named, report).map(({ what, declared }) => `${what} ${declared}`)).toEqual([
    `${host} named`,
    "*.other.example no",
    `${"d4".repeat(15)}.single.example no`,
  ]);
  expect(usedGrants(named, reportWith({}, [], { names: [host] })).network).toEqual([host]);
});
