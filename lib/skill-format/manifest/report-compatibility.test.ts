import { expect, test } from "vitest";
import { readSkill } from "./read-skill";
import { programsNamed, reportCompatibility } from "./report-compatibility";

const HOST = { platforms: ["linux"], programs: new Set(["git"]) };

function codes(frontmatter: string, body = "# Do it\n"): string[] {
  const bytes = new TextEncoder().encode(`---\nname: x\ndescription: Does x.\n${frontmatter}---\n\n${body}`);
  const { manifest } = readSkill([{ path: "SKILL.md", mode: "644", bytes }], { folder: "x" });
  return reportCompatibility(manifest, HOST).map(({ code }) => code);
}

const openclaw = (metadata: object) => `metadata: ${JSON.stringify({ openclaw: metadata })}\n`;

test.each([
  ["nothing special", "allowed-tools: Read, Bash(git:*)\n", []],
  ["another platform", openclaw({ os: ["darwin"] }), ["platform_mismatch"]],
  ["this platform by another name among others", openclaw({ os: ["macos", "linux"] }), []],
  ["a program that is not here", openclaw({ requires: { bins: ["git", "ffmpeg"] } }), ["program_missing"]],
  ["one of several programs", openclaw({ requires: { anyBins: ["ffmpeg", "git"] } }), []],
  ["none of several programs", openclaw({ requires: { anyBins: ["ffmpeg", "sox"] } }), ["program_missing"]],
  ["a variable", openclaw({ requires: { env: ["API_KEY"] } }), ["variables_needed"]],
  ["a tool under another name", "allowed-tools: Terminal\n", ["tool_translated"]],
  ["an unknown tool", "allowed-tools: Frobnicate\n", ["tool_unknown"]],
  ["a tool of a server", "allowed-tools: mcp__github__create_issue\n", ["tool_of_server"]],
])("reports on a skill with %s", (_what, frontmatter, expected) => {
  expect(codes(frontmatter)).toEqual(expected);
});

test("names every program once", () => {
  const bytes = new TextEncoder().encode(
    `---\nname: x\ndescription: y\n${openclaw({ requires: { bins: ["a", "b"], anyBins: ["b"] } })}---\n`,
  );
  const { manifest } = readSkill([{ path: "SKILL.md", mode: "644", bytes }], { folder: "x" });
  expect(programsNamed(manifest)).toEqual(["a", "b"]);
});
