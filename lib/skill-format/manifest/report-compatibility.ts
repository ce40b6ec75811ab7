import { findTool, parseToolPattern } from "@/lib/skill-format/dialects/tools";
import type { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";

export type HostFacts = {
  platforms: string[];
  programs: ReadonlySet<string>;
};

const PLATFORM_NAMES: Record<string, string> = {
  macos: "darwin",
  mac: "darwin",
  osx: "darwin",
  windows: "win32",
  win: "win32",
};

export function programsNamed({ requirements }: SkillManifest): string[] {
  return [...new Set([...requirements.bins, ...requirements.anyBins])];
}

/**
 * Reports what a skill needs that this server lacks, and what it reads differently from the author's agent: platform,
 * programs, variables, tools, and features that Skillgate never runs. Notes for people, none of severity error, because
 * a reviewer decides.
 */
export function reportCompatibility(manifest: SkillManifest, host: HostFacts): Diagnostic[] {
  return [
    ...platformNotes(manifest, host),
    ...programNotes(manifest, host),
    ...requirementNotes(manifest),
    ...toolNotes(manifest),
    ...ignoredNotes(manifest),
  ];
}

function platformNotes({ requirements }: SkillManifest, { platforms }: HostFacts): Diagnostic[] {
  const wanted = requirements.os.map((name) => PLATFORM_NAMES[name.toLowerCase()] ?? name.toLowerCase());
  if (wanted.length === 0 || wanted.some((name) => platforms.includes(name))) return [];
  const message = `The skill is made for ${requirements.os.join(", ")}, but skills run on ${platforms.join(", ")} here.`;
  return [warning("platform_mismatch", message)];
}

function programNotes({ requirements, install }: SkillManifest, { programs }: HostFacts): Diagnostic[] {
  const hintFor = (program: string) => {
    const method = install.find((entry) => entry.bins.includes(program) && entry.target !== null);
    return method ? ` The author names ${method.kind} ${method.target}. Skillgate does not install it.` : "";
  };
  const missing = requirements.bins
    .filter((program) => !programs.has(program))
    .map((program) => warning("program_missing", `The program “${program}” is not on this server.${hintFor(program)}`));
  const { anyBins } = requirements;
  if (anyBins.length === 0 || anyBins.some((program) => programs.has(program))) return missing;
  return [
    ...missing,
    warning("program_missing", `The skill needs one of the programs ${anyBins.join(", ")}. None is on this server.`),
  ];
}

function requirementNotes({ requirements }: SkillManifest): Diagnostic[] {
  const notes: Diagnostic[] = [];
  if (requirements.invalid) {
    notes.push(warning("requirements_unreadable", "Some requirements cannot be read. They count as not met."));
  }
  const { env, config, credentials, unknown } = requirements;
  if (unknown.length > 0) {
    const message = `Unknown requirements: ${unknown.join(", ")}. They count as not met.`;
    notes.push(warning("requirements_unreadable", message));
  }
  if (env.length > 0)
    notes.push(info("variables_needed", `The skill needs the environment variables ${env.join(", ")}.`));
  if (config.length > 0)
    notes.push(info("settings_needed", `The skill needs the settings ${config.join(", ")} of its own agent.`));
  if (credentials.length > 0) {
    notes.push(
      info("credentials_needed", `The skill needs credentials for ${credentials.map(({ slot }) => slot).join(", ")}.`),
    );
  }
  return notes;
}

function toolNotes({ allowedTools }: SkillManifest): Diagnostic[] {
  const names = [...new Set((allowedTools ?? []).map((pattern) => parseToolPattern(pattern).tool))];
  return names.flatMap((name) => {
    if (name === "*" || name === "") return [];
    const server = /^mcp__(.+?)__/.exec(name)?.[1];
    if (server !== undefined)
      return [info("tool_of_server", `The tool “${name}” belongs to the MCP server ${server}.`)];
    const tool = findTool(name);
    if (tool === null) return [warning("tool_unknown", `The tool “${name}” has no counterpart here.`)];
    return tool.claude === name ? [] : [info("tool_translated", `The tool “${name}” is read as ${tool.claude}.`)];
  });
}

function ignoredNotes(manifest: SkillManifest): Diagnostic[] {
  const notes: Diagnostic[] = [];
  if (manifest.hooks !== null) notes.push(info("hooks_not_run", "The skill's hooks are kept but never run."));
  if (manifest.inlineCommands.length > 0) {
    notes.push(
      info(
        "inline_commands_not_run",
        "Commands in the playbook are shown as text. Loading the skill does not run them.",
      ),
    );
  }
  if (manifest.install.length > 0) {
    notes.push(
      info("installers_not_run", "The skill names installers for its requirements. They are shown but never run."),
    );
  }
  return notes;
}

function info(code: string, message: string): Diagnostic {
  return { code, severity: "info", message };
}

function warning(code: string, message: string): Diagnostic {
  return { code, severity: "warning", message };
}
