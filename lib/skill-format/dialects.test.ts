import { describe, expect, it } from "vitest";
import { NO_TOOL } from "./dialects/tools";
import { readSkill } from "./manifest/read-skill";
import { NO_REQUIREMENTS, type SkillManifest } from "./schema";
import { skillFiles } from "./testing/skill-files";

const md = (block: string, more: Record<string, string> = {}) => {
  const files = skillFiles({ "SKILL.md": `---\nname: a\ndescription: b\n${block}\n---\nbody`, ...more });
  const { manifest, diagnostics } = readSkill(files, { folder: "a" });
  return { manifest, diagnostics, codes: diagnostics.map((item) => item.code) };
};
type Case = [vendor: string, block: string, expected: Partial<SkillManifest> | { meta: object }];

describe("every dialect fills the same manifest", () => {
  it.each<Case>([
    ["Claude Code", "disallowed-tools: Bash, Write", { disallowedTools: ["Bash", "Write"] }],
    ["Claude Code", "disallowedTools: [Bash]", { disallowedTools: ["Bash"] }],
    ["Claude Code", "when-to-use: Now", { whenToUse: "Now" }],
    ["Claude Code", "argument-hint: <file>", { argumentHint: "<file>" }],
    ["Claude Code", "argument-hint: [file, line]", { argumentHint: "[file, line]" }],
    ["Claude Code", "arguments: [port, date]", { arguments: ["port", "date"] }],
    ["Claude Code", "arguments: port date", { arguments: ["port", "date"] }],
    ["Claude Code", "user-invokable: no", { userInvocable: false }],
    ["Claude Code", "disable-model-invocation: yes", { disableModelInvocation: true }],
    ["Claude Code", "context: fork\nagent: Explore", { contextFork: true, agent: "Explore" }],
    ["Claude Code", "model: opus\neffort: high\nshell: bash", { model: "opus", effort: "high", shell: "bash" }],
    ["Claude Code", 'paths: ["src/**", "docs/*"]', { paths: ["src/**", "docs/*"] }],
    ["Claude Code", "hooks: {Stop: []}", { hooks: { Stop: [] }, meta: { hooks: { Stop: [] } } }],
    ["Personal Agent", "context_fork: true", { contextFork: true }],
    ["Personal Agent", "x-list: [1, {a: null}]", { meta: { "x-list": [1, { a: null }] } }],
    ["OpenJarvis", "required_capabilities: [network:fetch]", { requiredCapabilities: ["network:fetch"] }],
    ["OpenJarvis", "user_invocable: false\ndisable_model_invocation: true", { userInvocable: false }],
    ["OpenJarvis", "depends: [other]", { depends: ["other"] }],
    ["OpenJarvis", "version: 1\nmetadata: {openjarvis: {version: 2.10}}", { version: "2.10", meta: { version: 1 } }],
    ["GSV", "always: true\nhomepage: https://example.com", { always: true, homepage: "https://example.com" }],
    ["OpenClaw", 'metadata: {"openclaw": {"emoji": "🐙", "always": true}}', { emoji: "🐙", always: true }],
    [
      "OpenClaw",
      'metadata: {"clawdbot": {"install": [{"id": "brew", "kind": "brew", "formula": "gh", "bins": ["gh"]}]}}',
      { install: [{ id: "brew", kind: "brew", label: null, bins: ["gh"], target: "gh" }] },
    ],
    ["Hermes", "metadata:\n  hermes:\n    tags: [a, b]\n    category: ops", { tags: ["a", "b"], category: "ops" }],
    ["ongrid", "activation: {mode: always}", { activation: { mode: "always", keywords: [] } }],
    ["ongrid", "activation: {keywords: [dns, tcp]}", { activation: { mode: "keyword", keywords: ["dns", "tcp"] } }],
    ["ongrid", "metadata: {ongrid: {scope: edge}}", { scope: "host" }],
    ["agentskills.io", "metadata: {author: Ada, version: 1.10}", { author: "Ada", version: "1.10" }],
    ["agentskills.io", 'tags: \'["a", "b"]\'', { tags: ["a", "b"] }],
  ])("%s: %s", (_vendor, block, expected) => {
    const { manifest, codes } = md(block);
    expect(codes.filter((code) => code !== "field_conflict" && code !== "field_unknown")).toEqual([]);
    expect(manifest).toMatchObject(expected);
  });

  it("reads ongrid's tools and uses their strongest class", () => {
    const { manifest } = md(
      "tools:\n  - {name: query, impl: builtin, class: read}\n  - {name: stop, class: destructive}",
    );
    expect(manifest.tools).toMatchObject([
      { name: "query", class: "safe", impl: "builtin" },
      { name: "stop", class: "dangerous" },
    ]);
    expect(manifest).toMatchObject({ declaredClass: "dangerous", allowedTools: null });
    expect(md("tools: [{name: query, class: read}]").manifest.declaredClass).toBeNull();
    const odd = md("tools: [{name: query, class: magic}]");
    expect(odd.codes).toEqual(["tool_class_unknown"]);
    expect(odd.manifest.tools[0]?.class).toBe("dangerous");
  });

  it("lets the vendor's activation override the top level, with a diagnostic", () => {
    const { manifest, codes } = md("activation: {mode: always}\nmetadata: {ongrid: {activation: {keywords: [dns]}}}");
    expect(manifest.activation).toEqual({ mode: "keyword", keywords: ["dns"] });
    expect(codes).toEqual(["activation_conflict"]);
  });

  it("reads tools and requirements from ongrid's own namespace too", () => {
    const { manifest } = md(
      "metadata:\n  requires: {bins: [df]}\n  ongrid:\n    requires: {bins: [du], credentials: [aws]}\n    tools: [{name: stop, class: write}]",
    );
    expect(manifest.requirements).toMatchObject({ bins: ["du", "df"], credentials: [{ slot: "aws" }], invalid: false });
    expect(manifest).toMatchObject({ tools: [{ name: "stop", class: "mutating" }], declaredClass: "mutating" });
  });

  it("never reads an unknown activation as always", () => {
    const { manifest, codes } = md("activation: {mode: sometimes}");
    expect(manifest.activation).toEqual({ mode: "keyword", keywords: [] });
    expect(codes).toEqual(["activation_unknown"]);
  });

  it("leaves metadata as written", () => {
    const text = '{"openclaw": {"requires": {"bins": ["git",],},},}';
    expect(md(`metadata: '${text}'`).manifest).toMatchObject({
      meta: { metadata: text },
      requirements: { bins: ["git"] },
    });
  });
});

describe("requirements", () => {
  it.each<[string, string, Partial<SkillManifest["requirements"]>]>([
    ["a namespace", "metadata: {gsv: {requires: {capabilities: [shell.exec]}}}", { capabilities: ["shell.exec"] }],
    [
      "bins and env",
      "metadata: {moltbot: {requires: {bins: [a], anyBins: [b], env: [C]}}}",
      { bins: ["a"], anyBins: ["b"], env: ["C"] },
    ],
    ["the primary variable", "metadata: {clawdis: {primaryEnv: KEY}}", { env: ["KEY"] }],
    ["operating systems", "metadata: {openclaw: {os: [darwin, linux]}}", { os: ["macos", "linux"] }],
    ["Hermes' variables", "required_environment_variables: [{name: A}, {name: B, required: false}]", { env: ["A"] }],
    ["Hermes' platforms", "platforms: [macos, windows]", { os: ["macos", "windows"] }],
    ["social platforms", "platforms: [instagram, linux]", { os: [] }],
    ["prerequisites", "prerequisites: {commands: [git], env_vars: [TOKEN]}", { bins: ["git"], env: ["TOKEN"] }],
    [
      "ongrid's",
      "metadata: {os: [linux], requires: {bins: [ip], config: [net.ok]}}",
      { bins: ["ip"], config: ["net.ok"] },
    ],
    [
      "credentials",
      "metadata: {requires: {credentials: [{slot: api, fields: [key]}]}}",
      { credentials: [{ slot: "api", label: null, fields: ["key"] }] },
    ],
    [
      "several dialects",
      "requires: {bins: [git]}\nmetadata: {openclaw: {requires: {bins: [jq, git]}}}",
      { bins: ["git", "jq"] },
    ],
    ["an empty namespace that hides another", "metadata: {gsv: {}, openclaw: {requires: {bins: [git]}}}", { bins: [] }],
    ["names of other skills", "requires: {mcp: [rube]}", { bins: [] }],
  ])("are read from %s", (_name, block, expected) => {
    const { manifest, codes } = md(block);
    expect(codes).toEqual([]);
    expect(manifest.requirements).toEqual({ ...NO_REQUIREMENTS, ...expected, os: manifest.requirements.os });
    if (expected.os) expect(manifest.requirements.os).toEqual(expected.os);
  });

  it.each([
    ["a capability that is no text", "metadata: {gsv: {requires: {capabilities: [1]}}}", "requirements_invalid"],
    ["an empty capability", "metadata: {gsv: {requires: {capabilities: ['']}}}", "requirements_invalid"],
    ["a text for a list", "metadata: {gsv: {requires: {capabilities: shell.exec}}}", "requirements_invalid"],
    ["requires that is no mapping", "metadata: {openclaw: {requires: git}}", "requirements_invalid"],
    ["a namespace that is no mapping", "metadata: {openclaw: git}", "requirements_invalid"],
    ["numbers for bins", "metadata: {openclaw: {requires: {bins: 7}}}", "requirements_invalid"],
    ["JSON that cannot be read", "metadata: '{\"openclaw\": {]'", "metadata_unreadable"],
    ["JSON that is cut off", 'metadata: \'{"gsv":{"requires":{"capabilities":\'', "metadata_unreadable"],
    ["JSON that is cut off earlier", 'metadata: \'{"gsv":{"requires":\'', "metadata_unreadable"],
    [
      "JSON that is cut off in a list",
      'metadata: \'{"gsv":{"requires":{"capabilities":["shell.exec"\'',
      "metadata_unreadable",
    ],
    ["JSON that is cut off before", 'metadata: \'{"gsv":{"emoji":"x"\'', "metadata_unreadable"],
    ["no JSON", "metadata: '{not json'", "metadata_unreadable"],
    ["no JSON that is closed", "metadata: '{not json}'", "metadata_unreadable"],
    ["JSON without a value", 'metadata: \'{"gsv":{"requires":}}\'', "metadata_unreadable"],
    ["YAML in braces without a value", 'metadata: {"gsv":{"requires":}}', "metadata_unreadable"],
    ["requires of an archive that is a text", "metadata: {requires: git}", "requirements_invalid"],
    ["bins of ongrid that are a number", "metadata: {requires: {bins: 7}}", "requirements_invalid"],
    ["variables of ongrid", "metadata: {requires: {env: 7}}", "requirements_invalid"],
    ["an operating system that is a number", "metadata: {os: {a: b}, requires: {os: 7}}", "requirements_invalid"],
    ["requires at the top that is a text", "requires: git", "requirements_invalid"],
    ["requires at the top that is a list", "requires: [git]", "requirements_invalid"],
    ["requires at the top that is cut off", 'requires: \'{"bins": ["git"\'', "requirements_invalid"],
    ["settings at the top that are a number", "requires: {config: 7}", "requirements_invalid"],
    ["systems at the top that are a number", "requires: {os: 7}", "requirements_invalid"],
    ["prerequisites that are a list", "prerequisites: [git]", "requirements_invalid"],
    ["variables of Hermes", "required_environment_variables: 7", "requirements_invalid"],
    ["Hermes' requires", "metadata: {hermes: {requires: [git]}}", "requirements_invalid"],
    ["capabilities of OpenJarvis", "required_capabilities: {a: b}", "requirements_invalid"],
    ["metadata that is a text", "metadata: hello", "metadata_unreadable"],
    ["metadata that is a list", "metadata: [a]", "metadata_unreadable"],
  ])("that are malformed fail closed: %s", (_name, block, code) => {
    const { manifest, diagnostics } = md(block);
    expect(manifest.requirements.invalid).toBe(true);
    expect(diagnostics).toMatchObject([{ code, severity: "warning", line: 4 }]);
  });

  it.each([
    "metadata: {openclaw: {Requires: {bins: [nope]}}}",
    "metadata: {openclaw: {require: {bins: [nope]}}}",
    "metadata: {openclaw: {requirements: {bins: [nope]}}}",
    "metadata: {openclaw: {requires.bins: nope}}",
    "metadata: {OpenClaw: {requires: {bins: [nope]}}}",
    "metadata: {OpenClaw: {os: [linux]}}",
    'metadata: {"openclaw ": {requires: {bins: [nope]}}}',
    "metadata: {openclaw.requires.bins: nope}",
    "metadata: {Requires: {bins: [nope]}}",
    "metadata: {openjarvis: required_capabilities}",
    "metadata: {openjarvis: {required_capabilities: 'bogus:y'}}",
    "metadata: {openjarvis: {requires: {bins: [nope]}}}",
    "metadata: {author: me}\nMetadata: {openclaw: {requires: {bins: [nope]}}}",
    "openclaw: {requires: {bins: [nope]}}",
    "OpenClaw: {requires: {bins: [nope]}}",
    "ongrid: '{\"requires\":'",
    "metadata.openclaw.requires: {bins: [nope]}",
    "requires.bins: nope",
    "required_capabilities: bogus",
  ])("that no dialect reads fail closed with a diagnostic: %s", (block) => {
    const { manifest, diagnostics } = md(block);
    expect(manifest.requirements.invalid).toBe(true);
    expect(diagnostics.filter(({ code }) => code !== "field_unknown")).toMatchObject([
      { code: "requirements_invalid", severity: "warning" },
    ]);
  });

  it.each([
    "metadata:\n  <<: {openclaw: {requires: {bins: [nope]}}}",
    "<<: {metadata: {openclaw: {requires: {bins: [nope]}}}}",
    "Metadata: {openclaw: {requires: {bins: [nope]}}}",
    "Requires: {bins: [nope]}",
  ])("are read by merge keys and in another letter case: %s", (block) => {
    expect(md(block).manifest.requirements).toEqual({ ...NO_REQUIREMENTS, bins: ["nope"] });
  });

  it.each([
    "metadata: {openclaw: {requires: {}}}",
    "metadata: {OpenClaw: {emoji: x}}",
    "metadata: {hermes: {tags: [a], requires_toolsets: [web]}}",
    "metadata: {requirements: Python 3}",
    "openclaw: {emoji: x}",
    "requirements: [a, b]",
  ])("are none: %s", (block) => {
    expect(md(block).manifest.requirements).toEqual(NO_REQUIREMENTS);
  });

  it("of a pack or a pipeline that are not read fail closed too", () => {
    const pack = (more: object) =>
      JSON.stringify({ name: "a_pack", description: "Does it.", entry: "run.sh", class: "safe", ...more });
    const toml = (more: string) => `[skill]\nname = "a-pipe"\ndescription = "Does it."\n${more}\n`;
    const all: Record<string, string>[] = [
      { "skill.json": pack({ requires: { Bins: ["nope"] } }) },
      { "skill.json": pack({ metadata: { openclaw: { requires: { bins: ["nope"] } } } }) },
      { "skill.toml": toml('required_capabilities = "bogus"') },
      { "skill.toml": toml('requires = {bins = ["nope"]}') },
    ];
    for (const files of all) {
      const { manifest, diagnostics } = readSkill(skillFiles({ ...files, "run.sh": "#!/bin/sh\n" }), { folder: "a" });
      const { invalid, unknown } = manifest.requirements;
      expect(invalid || unknown.length > 0, JSON.stringify(files)).toBe(true);
      expect(diagnostics.map(({ code }) => code)).toContain("requirements_invalid");
    }
  });

  it.each([
    ["cut off", 'metadata: {"gsv":{"requires":{"capabilities":', "metadata_unreadable"],
    ["cut off in a list", 'metadata: {"gsv":{"requires":{"capabilities":["shell.exec"', "metadata_unreadable"],
    ["no JSON", "metadata: {not json", "metadata_unreadable"],
    ["requires that is cut off", 'requires: {"bins":', "requirements_invalid"],
    ["metadata twice", "metadata: {gsv: {requires: {bins: [git]}}}\nmetadata: {author: me}", "requirements_invalid"],
    ["bins twice", "metadata:\n  gsv:\n    requires:\n      bins: [git]\n      bins: []", "requirements_invalid"],
    ["too deep", `metadata: ${"{a: ".repeat(9)}1${"}".repeat(9)}\nrequires: {bins: [git]}`, "requirements_invalid"],
  ])("in a frontmatter that has to be repaired fail closed: %s", (_name, block, code) => {
    const { manifest, codes } = md(block);
    expect(manifest.requirements.invalid).toBe(true);
    expect(codes).toContain(code);
  });

  it.each([
    ["the last brace", '\'{"clawdbot":{"emoji":"x","requires":{"bins":["curl"]}}\'', ["curl"]],
    ["two braces behind what it requires", '\'{"clawdbot":{"emoji":"x","requires":{"bins":["curl"]}\'', ["curl"]],
    ["the last brace of no requirement", '\'{"clawdbot":{"emoji":"x"}\'', []],
  ])("are read where metadata only lacks %s, with a diagnostic", (_name, text, bins) => {
    const { manifest, diagnostics } = md(`metadata: ${text}`);
    expect(manifest.requirements).toEqual({ ...NO_REQUIREMENTS, bins });
    expect(diagnostics).toMatchObject([{ code: "repaired_json", severity: "warning", line: 4 }]);
  });

  it("are read from JSON strings at the top level too", () => {
    const { manifest, codes } = md('requires: \'{"bins": ["git"], "os": ["linux"]}\'');
    expect(codes).toEqual([]);
    expect(manifest.requirements).toEqual({ ...NO_REQUIREMENTS, bins: ["git"], os: ["linux"] });
  });

  it("are all read in each place of a dialect", () => {
    const said = "{bins: [a], anyBins: [b], env: [C], os: [linux], config: [d.e], credentials: [f]}";
    for (const block of [
      `requires: ${said}`,
      `metadata: {requires: ${said}}`,
      `metadata: {gsv: {requires: ${said}}}`,
    ]) {
      expect(md(block).manifest.requirements, block).toMatchObject({
        ...{ bins: ["a"], anyBins: ["b"], env: ["C"], os: ["linux"], config: ["d.e"], credentials: [{ slot: "f" }] },
      });
    }
  });

  it("include unknown operating systems, so that no worker meets them", () => {
    expect(md("metadata: {os: [beos]}").manifest.requirements.os).toEqual(["beos"]);
  });

  it("of a list in a string that had to be closed are reported", () => {
    const { manifest, codes } = md('tags: \'["a", "b"\'');
    expect(manifest.tags).toEqual(["a", "b"]);
    expect(codes).toEqual(["repaired_json"]);
    expect(md('platforms: \'["linux", "macos"\'').codes).toEqual(["repaired_json"]);
  });
});

describe("unreadable limits", () => {
  it.each([
    ...["7", "0", "true", "false", "{}", "{Bash: true}", "[null]", "['']", "[[Read]]", "','"].map(
      (value): [string, object] => [`allowed-tools: ${value}`, { allowedTools: [NO_TOOL] }],
    ),
    ["allowed-tools: [Read, [Bash]]", { allowedTools: ["Read"] }],
    ["disallowed-tools: {Bash: true}", { disallowedTools: ["*"] }],
    ["disallowed-tools: [Bash, 7]", { disallowedTools: ["*"] }],
    ["disallowed-tools: Bash(git push", { disallowedTools: ["*"] }],
    ...[
      ...[`'["Bash"]'`, "[{Bash: x}]", "Bash|Write", `"'Bash'"`, '"`Bash`"', "Bash; Write", "Bash.", "'Ba*'", "all"],
      ...["Bash - Write", "','", "['']", "Bash(rm)x", "Bash(rm:*)(ls:*)", "B\u0430sh", "Bash:rm"],
    ].map((value): [string, object] => [`disallowed-tools: ${value}`, { disallowedTools: ["*"] }]),
    ["Disallowed-tools: Bash", { disallowedTools: ["Bash"] }],
    ["DISALLOWED-TOOLS: Bash", { disallowedTools: ["Bash"] }],
    ["DISALLOWED_TOOLS: Bash", { disallowedTools: ["Bash"] }],
    ["ALLOWED-TOOLS: Read", { allowedTools: ["Read"] }],
    ["Disable-Model-Invocation: true", { disableModelInvocation: true }],
    ["disable-model-invocation: sometimes", { disableModelInvocation: true }],
  ])("permit nothing: %s", (block, expected) => {
    const { manifest, diagnostics } = md(block);
    expect(manifest).toMatchObject(expected);
    expect(diagnostics).toMatchObject([{ severity: "warning", line: 4 }]);
  });

  it.each([
    ["<<: {disallowed-tools: Bash}", { disallowedTools: ["Bash"] }],
    [
      "<<: [{disallowed-tools: Bash}, {disallowed-tools: Read, allowed-tools: Write}]",
      { disallowedTools: ["Bash"], allowedTools: ["Write"] },
    ],
    ["disallowed-tools: Read\ndisallowed_tools: [Bash]", { disallowedTools: ["Read", "Bash"] }],
    ["disallowed-tools: Read\nDisallowed-tools: {a: 1}", { disallowedTools: ["*"] }],
    ["disallowed-tools: Read\nDISALLOWED-TOOLS: 'Bash; Write'", { disallowedTools: ["*"] }],
    [
      "disallowed-tools:\n- Bash(rm: *)\n- mcp__*\n- 'Read(**)'\n- csv_summary",
      { disallowedTools: ["Bash(rm:*)", "mcp__*", "Read(**)", "csv_summary"] },
    ],
    ["disallowed-tools: []", { disallowedTools: [] }],
  ])("apply in every spelling: %s", (block, expected) => {
    expect(md(block).manifest).toMatchObject(expected);
  });

  it("are read in title case", () => {
    expect(md("Allowed-Tools: Read").manifest.allowedTools).toEqual(["Read"]);
  });

  it("allow nothing when the whole frontmatter cannot be read", () => {
    const { manifest } = md(`allowed-tools: Read\nmetadata: ${"{a: ".repeat(9)}1${"}".repeat(9)}`);
    expect(manifest).toMatchObject({ allowedTools: [NO_TOOL], requirements: { invalid: true } });
  });

  it.each([
    ["a capability", "metadata: {gsv: {requires: {capabilities: [shell.exce]}}}", { capabilities: ["shell.exce"] }],
    ["an older one", "metadata: {gsv: {requires: {anyCapabilities: [shell.exec]}}}", { unknown: ["anyCapabilities"] }],
    ["other skills that cannot be read", "metadata: {openclaw: {requires: {skills: {a: b}}}}", { unknown: ["skills"] }],
    ["a role", "metadata: {gsv: {requires: {hostRoles: [execution]}}}", { unknown: ["hostRoles"] }],
    ["a typo", "metadata: {openclaw: {requires: {bin: [git], bins: [jq]}}}", { unknown: ["bin"], bins: ["jq"] }],
    ["another namespace", "metadata: {ongrid: {requires: {bin: [git]}}}", { unknown: ["bin"] }],
  ])("that are unknown are kept by name: %s", (_name, block, expected) => {
    const { manifest, diagnostics } = md(block);
    expect(manifest.requirements).toEqual({ ...NO_REQUIREMENTS, ...expected });
    expect(diagnostics).toMatchObject([{ code: "requirements_invalid", severity: "warning" }]);
  });

  it.each(["[pdf, csv]", "pdf"])("of other skills are no requirements of a worker: %s", (skills) => {
    const { manifest, codes } = md(`metadata: {openclaw: {requires: {bins: [git], skills: ${skills}}}}`);
    expect(codes).toEqual([]);
    expect(manifest.requirements).toEqual({ ...NO_REQUIREMENTS, bins: ["git"] });
  });

  it("whose name says optional are ignored", () => {
    const { manifest, codes } = md("metadata: {openclaw: {requires: {bins: [git], optionalEnv: [A]}}}");
    expect(codes).toEqual([]);
    expect(manifest.requirements).toEqual({ ...NO_REQUIREMENTS, bins: ["git"] });
  });
});

describe("files beside a SKILL.md", () => {
  it("agents/openai.yaml gives an interface, and forbids implicit use", () => {
    const yaml =
      "interface:\n  display_name: Tides\n  brand_color: '#fff'\npolicy:\n  allow_implicit_invocation: false\n";
    const { manifest } = md("", { "agents/openai.yaml": yaml });
    expect(manifest).toMatchObject({ label: "Tides", disableModelInvocation: true, interface: { brandColor: "#fff" } });
    expect(md("disable-model-invocation: false", { "agents/openai.yaml": yaml }).manifest.disableModelInvocation).toBe(
      false,
    );
  });

  it("_meta.json fills missing fields", () => {
    const json = '{"owner": "ada", "displayName": "Tides", "latest": {"version": "2.0.1"}}';
    expect(md("", { "_meta.json": json }).manifest).toMatchObject({ author: "ada", label: "Tides", version: "2.0.1" });
    expect(md("version: 3", { "_meta.json": json }).manifest.version).toBe("3");
  });

  it("optimized.toml gives examples and another description, with a diagnostic", () => {
    const toml =
      '[optimized]\noptimizer = "dspy"\ntrace_count = 4\ndescription = "Better."\n[[optimized.few_shot]]\ninput = "i"\noutput = "o"';
    const { manifest, codes } = md("", { "optimized.toml": toml });
    expect(manifest.description).toBe("Better.");
    expect(manifest.overlay).toMatchObject({
      optimizer: "dspy",
      traceCount: 4,
      fewShot: [{ input: "i", output: "o" }],
    });
    expect(codes).toEqual(["overlay_applied"]);
  });

  it.each([
    ["_meta.json", "{", "sidecar_unreadable"],
    ["agents/openai.yaml", "a: [", "sidecar_unreadable"],
    ["optimized.toml", "= 1", "overlay_unreadable"],
  ])("are ignored when they cannot be read: %s", (path, text, code) => {
    const { manifest, codes } = md("", { [path]: text });
    expect(codes).toEqual([code]);
    expect(manifest.description).toBe("b");
  });
});

describe("the requirements in the API", () => {
  it.each<[string, object]>([
    ["requires: {bins: [git], mcp: [rube]}", { bins: ["git"], mcp: ["rube"] }],
    ["metadata: {os: [darwin], requires: {config: [a.b]}}", { os: ["macos"], config: ["a.b"] }],
    ["metadata: {ongrid: {requires: {bins: [df]}}}", { bins: ["df"] }],
    ["metadata: {openclaw: {requires: {env: [KEY], anyBins: [a, b]}}}", { env: ["KEY"], anyBins: ["a", "b"] }],
    ["metadata: {clawdbot: {requires: {bins: [old]}}}", { bins: ["old"] }],
    [
      "metadata: {gsv: {requires: {capabilities: [shell.exec]}}, openclaw: {requires: {bins: [b]}}, clawdbot: {requires: {bins: [c]}}}",
      { capabilities: ["shell.exec"] },
    ],
    ["metadata: {openclaw: {requires: {bins: [b]}}, clawdbot: {requires: {bins: [c]}}}", { bins: ["b"] }],
    ["requires: {bins: [git]}\nmetadata: {gsv: {requires: {bins: [jq]}}}", { bins: ["git", "jq"] }],
    ["metadata: {gsv: {requires: {hostRoles: [a]}}}", { unknown: ["hostRoles"] }],
    ["metadata: {gsv: {requires: 7}}", { invalid: true }],
    ["license: MIT", {}],
  ])("are those that decide eligibility: %s", (block, expected) => {
    expect(md(block).manifest.requires).toEqual(expected);
  });
});

describe("fields that no dialect knows", () => {
  it("are kept, and named once", () => {
    const { manifest, diagnostics } = md("x-list: [1]\nx-map: {a: 1}\nlicense: MIT\ncontext: inline");
    expect(manifest.meta).toEqual({ "x-list": [1], "x-map": { a: 1 }, context: "inline" });
    expect(diagnostics).toMatchObject([{ code: "field_unknown", severity: "info", path: "SKILL.md" }]);
    expect(diagnostics[0]?.message).toContain("x-list, x-map");
  });

  it("are named in a skill.toml too", () => {
    const toml = '[skill]\nname = "a"\ncolour = "red"\n[[skill.steps]]\ntool_name = "t"\n';
    const { diagnostics } = readSkill(skillFiles({ "skill.toml": toml }), { folder: "a" });
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "field_unknown", path: "skill.toml" }));
  });
});

describe("the version of a manifest", () => {
  const toml = (more: string) => `[skill]\nname = "a"\ndescription = "b"\n${more}[[skill.steps]]\ntool_name = "t"\n`;

  it("is 0.1.0 by default in a skill.toml only", () => {
    const version = (contents: Record<string, string>) =>
      readSkill(skillFiles(contents), { folder: "a" }).manifest.version;
    expect(version({ "skill.toml": toml("") })).toBe("0.1.0");
    expect(version({ "skill.toml": toml('version = "2.1"\n') })).toBe("2.1");
    expect(version({ "skill.toml": toml(""), "SKILL.md": "---\nname: a\nversion: 3\n---\n" })).toBe("3");
    expect(version({ "skill.toml": "= 1", "SKILL.md": "---\nname: a\n---\n" })).toBeNull();
    expect(version({ "SKILL.md": "---\nname: a\ndescription: b\n---\n" })).toBeNull();
    expect(version({ "skill.json": '{"name":"a","description":"b","entry":"run.sh"}' })).toBeNull();
  });
});

it("the author's signature is read from each manifest", () => {
  expect(md("signature: abc=").manifest.signature).toBe("abc=");
  expect(md("metadata: {openjarvis: {signature: abc=}}").manifest.signature).toBe("abc=");
  expect(md("signature: ''").manifest.signature).toBeNull();
  const json = '{"name":"a","description":"b","entry":"run.sh","signature":"abc="}';
  expect(readSkill(skillFiles({ "skill.json": json }), { folder: "a" }).manifest.signature).toBe("abc=");
  const toml = '[skill]\nname = "a"\nsignature = "abc="\n';
  expect(readSkill(skillFiles({ "skill.toml": toml }), { folder: "a" }).manifest.signature).toBe("abc=");
});
