import { expect, test } from "vitest";
import { clientSteps, type MadeSecrets } from "./client-steps";
import { clientOf, clients, lastCallOf } from "./clients";
import { managedSettings } from "./connect-page";

const facts = {
  url: "https://skills.example.test",
  scope: { kind: "root" as const, id: null, label: "Everything you see", path: "" },
  marketplace: "acme",
  privateMarketplace: "acme-private",
  instance: "acme",
  example: { name: "pdf", publisher: "ada" },
};
const nothing: MadeSecrets = { address: null, token: null };
const code = (key: Parameters<typeof clientSteps>[0], made = nothing, given = facts) =>
  clientSteps(key, given, made)
    .map((step) => step.code)
    .join("\n");

test("gives each client commands for this server only", () => {
  for (const { key } of clients) {
    const hosts = code(key).match(/https?:\/\/[^/\s"]+/g) ?? [];
    expect(new Set(hosts.filter((host) => !host.includes("opencode.ai"))), key).toEqual(
      new Set(["https://skills.example.test"]),
    );
  }
});

test("uses commands that the clients support", () => {
  expect(code("claude-code")).toContain("claude plugin marketplace add https://skills.example.test/marketplace.json");
  expect(code("claude-code")).toContain("claude plugin install pdf@acme\n");
  expect(code("claude-code")).toContain("claude mcp add --transport http skillgate https://skills.example.test/mcp");
  expect(code("codex")).toContain("codex plugin marketplace add https://skills.example.test/git/catalog.git");
  expect(code("gemini-cli")).toContain("https://skills.example.test/git/catalog.git --path skills/pdf --consent");
  expect(code("codex")).toContain("codex plugin marketplace upgrade acme\n");
  expect(code("gemini-cli")).toContain(
    'gemini mcp add --transport http --header "Authorization: Bearer $SKILLGATE_TOKEN" \\\n  skillgate https://skills.example.test/mcp',
  );
  expect(code("cursor")).toContain(`"Authorization": "Bearer \${env:SKILLGATE_TOKEN}"`);
  expect(code("curl")).toContain('"https://skills.example.test/api/export?skills=pdf" -o pdf.zip');
  expect(code("opencode")).toContain('"https://skills.example.test/.well-known/skills/"');
  expect(code("openclaw")).toContain("openclaw skills install @ada/pdf");
  expect(code("skills")).toContain("npx skills add https://skills.example.test --skill pdf");
  expect(code("clawhub")).toContain("clawhub install @ada/pdf");
  expect(code("anthropic-sdk")).toContain(
    'baseURL: "https://skills.example.test",\n  apiKey: process.env.SKILLGATE_TOKEN,',
  );
  expect(code("git")).toContain("git clone --depth 1 https://skills.example.test/git/catalog.git");
});

test("uses a capability URL and its marketplace name in the commands", () => {
  const made = { address: "https://skills.example.test/t/sgc_abc", token: null };
  // Without the variable this client sends the address to its maker; 1.5.18, which npm installs on Node 20, does so anyway.
  expect(code("skills", made)).toContain(
    "export DISABLE_TELEMETRY=1\nnpx skills@1.7.4 add https://skills.example.test/t/sgc_abc --list",
  );
  expect(code("opencode", made)).toContain('"https://skills.example.test/t/sgc_abc/.well-known/skills/"');
  expect(code("claude-code", made)).toContain("claude plugin install pdf@acme-private\n");
  const scoped = { ...facts, scope: { ...facts.scope, path: "/c/docs" } };
  expect(code("skills", nothing, scoped)).toContain("npx skills add https://skills.example.test/c/docs --list");
});

test("uses the created token in the commands, otherwise a variable", () => {
  const made = { address: null, token: "sgt_secret" };
  for (const key of [
    "claude-code",
    "codex",
    "gemini-cli",
    "cursor",
    "mcp",
    "clawhub",
    "anthropic-sdk",
    "git",
    "curl",
  ] as const) {
    expect(code(key, made), key).toContain("sgt_secret");
    expect(code(key), key).not.toContain("sgt_secret");
  }
  expect(code("claude-code")).toContain('"Authorization: Bearer $SKILLGATE_TOKEN"');
});

test("files are JSON", () => {
  for (const key of ["opencode", "cursor", "mcp"] as const) {
    const [file] = clientSteps(key, facts, nothing);
    expect(() => JSON.parse(file?.code ?? ""), key).not.toThrow();
  }
});

test("allows this host only in the managed settings", () => {
  const settings = JSON.parse(managedSettings({ url: "http://10.0.0.5:3000", instance: "acme" }));
  const pattern = new RegExp(settings.strictKnownMarketplaces[0].hostPattern);
  for (const host of ["10.0.0.5", "10.0.0.5:3000"]) expect(pattern.test(host), host).toBe(true);
  for (const host of ["10.0.0.50", "10x0.0.5", "10.0.0.5.evil.test", "evil.test"]) {
    expect(pattern.test(host), host).toBe(false);
  }
  expect(settings.extraKnownMarketplaces).toEqual({
    acme: { source: { source: "url", url: "http://10.0.0.5:3000/marketplace.json" }, autoUpdate: true },
  });
});

test("finds the last call of a client, and of any client at the MCP endpoint", () => {
  const at = (lastSeenAt: string, door: string, client: string) => ({ door, client, mine: true, lastSeenAt });
  const activity = [
    at("2026-01-01", "git", "git"),
    at("2026-01-03", "mcp", "cursor"),
    at("2026-01-02", "mcp", "other"),
  ];
  expect(lastCallOf("git", activity)).toBe("2026-01-01");
  expect(lastCallOf("cursor", activity)).toBe("2026-01-03");
  expect(lastCallOf("mcp", activity)).toBe("2026-01-03");
  expect(lastCallOf("clawhub", activity)).toBeNull();
  expect(clientOf("nonsense")).toBe("claude-code");
});
