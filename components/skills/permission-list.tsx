import { ShieldAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { formatLimit } from "@/components/ui/format-time";
import { Notice } from "@/components/ui/notice";
import type { Grants } from "@/lib/policy/grants/schema";
import { NO_TOOL, parseToolPattern } from "@/lib/skill-format/dialects/tools";
import { isScript } from "@/lib/skill-format/executables";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { Version, VersionFile } from "@/lib/skills/versions/schema";
import { countOf } from "./skill-labels";

type PermissionListProps = {
  manifest: SkillManifest;
  files: readonly Pick<VersionFile, "path" | "mode">[];
  /** What a version gets: as approved, else as declared. Absent where there is no version yet, as in the catalog. */
  version?: Pick<Version, "grants" | "declaredGrants" | "entry" | "timeLimitSeconds">;
};

/** What a skill does and gets. The grants of a version come from one place, so that every page shows the same. */
export function PermissionList({ manifest, files, version }: PermissionListProps) {
  const entry = manifest.entry ?? version?.entry?.path ?? null;
  const executables = files.filter((file) => file.mode === "755" && file.path !== entry);
  const scripts = files.filter((file) => isScript(file) && file.mode !== "755" && file.path !== entry);
  return (
    <div className="flex flex-col gap-4 text-13">
      {manifest.kind === "pack" && manifest.allowedTools === null ? null : (
        <AllowedTools allowedTools={version?.grants?.tools ?? manifest.allowedTools} />
      )}
      <ul className="flex flex-col gap-1.5">
        {entry ? (
          <Fact>
            Runs the program <Name>{entry}</Name>
          </Fact>
        ) : manifest.kind === "pipeline" ? null : (
          <Fact>Skillgate runs no program of this skill</Fact>
        )}
        {version ? (
          <GrantFacts
            grants={version.grants ?? version.declaredGrants}
            timeLimitSeconds={entry ? version.timeLimitSeconds : null}
          />
        ) : (
          <AskedFacts manifest={manifest} />
        )}
        {executables.length > 0 ? (
          <Fact tone="warning">
            Contains {countOf(executables.length, entry ? "more executable file" : "executable file")}:{" "}
            <Names files={executables} />
          </Fact>
        ) : null}
        {scripts.length > 0 ? (
          <Fact tone="warning">
            Contains {countOf(scripts.length, "script")} that agents can run: <Names files={scripts} />
          </Fact>
        ) : null}
        {manifest.meta.hooks === undefined ? null : (
          <Fact tone="danger">Declares hooks, which run commands automatically</Fact>
        )}
        {/(^|\s)!`[^`\n]+`/.test(manifest.body) ? (
          <Fact tone="danger">Contains inline commands that run when an agent opens the playbook</Fact>
        ) : null}
        {manifest.always ? <Fact tone="warning">Requests to be included in every conversation</Fact> : null}
        {manifest.contextFork ? <Fact>Runs in a separate conversation</Fact> : null}
      </ul>
    </div>
  );
}

/** What files ask for that are no version yet. */
function AskedFacts({ manifest: { envAllow, timeoutSeconds } }: { manifest: SkillManifest }) {
  return (
    <>
      {envAllow.length > 0 ? (
        <Fact tone="warning">
          Asks for the environment {envAllow.length === 1 ? "variable" : "variables"} <Name>{envAllow.join(", ")}</Name>
        </Fact>
      ) : (
        <Fact>Asks for no environment variables</Fact>
      )}
      {timeoutSeconds === null ? null : <Fact>Asks for a time limit of {formatLimit(timeoutSeconds)}</Fact>}
    </>
  );
}

type GrantListProps = {
  grants: Grants;
  /** Null where no run starts. */
  timeLimitSeconds: number | null;
};

/** The grants in sentences; what reaches out of the sandbox stands out. */
export function GrantList({ grants, timeLimitSeconds }: GrantListProps) {
  return (
    <ul className="flex flex-col gap-1 text-13">
      <GrantFacts grants={grants} timeLimitSeconds={timeLimitSeconds} />
      {grants.tools ? (
        <Fact>
          Tools used without asking: {grants.tools.length > 0 ? <Name>{grants.tools.join(", ")}</Name> : "none"}
        </Fact>
      ) : null}
    </ul>
  );
}

function GrantFacts({ grants, timeLimitSeconds }: GrantListProps) {
  const { network, scripts, env, credentials, paths, namespaces, capabilities, workspace } = grants;
  const isRun = timeLimitSeconds !== null;
  return (
    <>
      {network === true ? (
        <Fact tone="warning">Network: any address that the worker’s operator allows</Fact>
      ) : Array.isArray(network) && network.length > 0 ? (
        <Fact tone="warning">
          Network: only <Name>{network.join(", ")}</Name>
        </Fact>
      ) : isRun ? (
        <Fact>No network</Fact>
      ) : null}
      {env && env.length > 0 ? (
        <Fact tone="warning">
          Gets the environment {env.length === 1 ? "variable" : "variables"} <Name>{env.join(", ")}</Name>
        </Fact>
      ) : isRun ? (
        <Fact>Gets no environment variables</Fact>
      ) : null}
      {credentials?.map(({ slot, credential, as, name }) => (
        <Fact key={`${as} ${name}`} tone="warning">
          Gets the credential <Name>{credential}</Name> as the {as === "env" ? "variable" : "file"}{" "}
          <Name>{as === "env" ? name : `/run/secrets/${name}`}</Name>
          {slot === name ? null : (
            <>
              , for <Name>{slot}</Name>
            </>
          )}
        </Fact>
      ))}
      {scripts ? <Fact tone="warning">Agents may read and run its scripts</Fact> : null}
      {paths?.map(({ path, mode }) => (
        <Fact key={path} tone="warning">
          {mode === "rw" ? "Reads and writes" : "Reads"} <Name>{path}</Name> on the host
        </Fact>
      ))}
      {workspace ? <Fact>Reads and writes the workspace of its session</Fact> : null}
      {namespaces && namespaces.length > 0 ? (
        <Fact tone="warning">
          Host namespaces: <Name>{namespaces.join(", ")}</Name>
        </Fact>
      ) : null}
      {capabilities && capabilities.length > 0 ? (
        <Fact tone="warning">
          Linux capabilities: <Name>{capabilities.join(", ")}</Name>
        </Fact>
      ) : null}
      {timeLimitSeconds === null ? null : <Fact>Time limit: {formatLimit(timeLimitSeconds)}</Fact>}
    </>
  );
}

export function AllowedTools({ allowedTools }: { allowedTools: readonly string[] | null }) {
  if (allowedTools === null) {
    return (
      <p className="text-13 text-muted-foreground">No allowed tools declared: agents ask before they use any tool.</p>
    );
  }
  if (allowedTools.length === 0) {
    return <p className="text-13 text-muted-foreground">No tools allowed: agents ask before they use any tool.</p>;
  }
  return (
    <div className="flex flex-col gap-1.5 text-13">
      <p className="text-muted-foreground">Runs without asking in Claude Code:</p>
      <ul className="flex flex-col gap-1.5">
        {permissionsOf(allowedTools).map(({ patterns, text, tone }) => (
          <Fact key={text} tone={tone}>
            <RevealedText text={text} /> <Patterns patterns={patterns} text={text} />
          </Fact>
        ))}
      </ul>
    </div>
  );
}

function Patterns({ patterns, text }: { patterns: readonly string[]; text: string }) {
  const unsaid = patterns.filter((pattern) => !text.endsWith(pattern) && !isScoped(pattern));
  return unsaid.length > 0 ? (
    <span className="text-muted-foreground">
      (<Name>{unsaid.join(", ")}</Name>)
    </span>
  ) : null;
}

function isScoped(pattern: string): boolean {
  return pattern.includes("(");
}

export function Fact({ tone = "neutral", children }: { tone?: Permission["tone"]; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2" data-fact={tone}>
      <span className="flex h-5 w-4 shrink-0 items-center justify-center">
        {tone === "danger" ? (
          <ShieldAlert aria-hidden className="size-4 text-danger" />
        ) : tone === "warning" ? (
          <TriangleAlert aria-hidden className="size-4 text-warning" />
        ) : (
          <span aria-hidden className="size-1 rounded-full bg-muted-foreground" />
        )}
      </span>
      <span
        className={cn(
          "min-w-0 [overflow-wrap:anywhere]",
          tone !== "neutral" && "font-medium",
          tone === "danger" && "text-danger",
        )}
      >
        {children}
      </span>
    </li>
  );
}

export function Name({ children }: { children: string }) {
  return (
    <code className="font-mono font-normal text-xs [overflow-wrap:anywhere]">
      <RevealedText text={children} />
    </code>
  );
}

function Names({ files }: { files: readonly Pick<VersionFile, "path">[] }) {
  const shown = files.slice(0, 5);
  return (
    <>
      {shown.map((file, index) => (
        <span key={file.path}>
          {index > 0 ? ", " : ""}
          <Name>{file.path}</Name>
        </span>
      ))}
      {files.length > shown.length ? ` and ${files.length - shown.length} more` : ""}
    </>
  );
}

export function ToolWarnings({ tools }: { tools: readonly string[] }) {
  const sensitive = permissionsOf(tools).filter(({ tone }) => tone !== "neutral");
  if (sensitive.length === 0) return null;
  return (
    <Notice tone="warning">
      {sensitive.map(({ text }) => (
        <p key={text}>{text}, without asking.</p>
      ))}
    </Notice>
  );
}

export type Permission = { text: string; tone: "neutral" | "warning" | "danger" };

const writers = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit", "str_replace_editor"]);
const readers = new Set(["Read", "Glob", "Grep", "LS", "NotebookRead"]);
const agents = new Set(["Task", "Agent", "Skill", "SlashCommand"]);

/** Programs that run arbitrary commands from their arguments. */
const anyCommand =
  /^(?:sudo|doas|env|xargs|eval|exec|ba?sh|zsh|sh|dash|fish|pwsh|powershell|python[\d.]*|node|deno|bun|npx|uvx|bunx|perl|ruby|php|ssh|docker|find|awk)$/;

/** One `allowed-tools` entry as a sentence with its severity. */
export function permissionOf(pattern: string): Permission {
  const { tool, specifier } = parseToolPattern(pattern);
  const isOpen = specifier === null || /^[*:\s]*$/.test(specifier);
  if (tool === "*") return { text: "Uses every tool without asking", tone: "danger" };
  if (tool === "Bash" || tool === "Shell" || tool === "PowerShell") return shellPermission(isOpen ? null : specifier);
  if (writers.has(tool)) {
    return isOpen
      ? { text: "Writes and changes any file", tone: "warning" }
      : { text: `Writes and changes files that match ${specifier}`, tone: "neutral" };
  }
  if (readers.has(tool)) {
    return { text: isOpen ? "Reads and searches files" : `Reads files that match ${specifier}`, tone: "neutral" };
  }
  if (tool === "WebFetch") {
    return isOpen
      ? { text: "Fetches any web address", tone: "warning" }
      : { text: `Fetches pages of ${specifier.replace(/^domain:/, "")}`, tone: "neutral" };
  }
  if (tool === "WebSearch") return { text: "Searches the web", tone: "neutral" };
  if (agents.has(tool)) return { text: `Starts other agents or skills (${tool})`, tone: "neutral" };
  if (tool.startsWith("mcp__")) return mcpPermission(tool);
  if (pattern === NO_TOOL) return { text: "Allows no tools (invalid list)", tone: "neutral" };
  return { text: `Uses the tool ${pattern.trim()}`, tone: "neutral" };
}

function shellPermission(specifier: string | null): Permission {
  if (specifier === null) return { text: "Runs any shell command", tone: "danger" };
  const command = specifier.replace(/:?\s*\*$/, "").trim();
  const [program = ""] = command.split(/\s+/);
  if (anyCommand.test(program.replace(/^.*\//, "")) && /\*\s*$/.test(specifier)) {
    return { text: `Runs ${command} with any arguments, which can run anything`, tone: "danger" };
  }
  return /\*\s*$/.test(specifier)
    ? { text: `Runs shell commands that begin with ${command}`, tone: "neutral" }
    : { text: `Runs the shell command ${command}`, tone: "neutral" };
}

function mcpPermission(tool: string): Permission {
  const [, server = "", name = ""] = tool.split("__");
  if (server === "" || server === "*") return { text: "Uses every tool of every MCP server", tone: "danger" };
  if (name === "" || name === "*") return { text: `Uses every tool of the MCP server ${server}`, tone: "warning" };
  return { text: `Uses ${name} of the MCP server ${server}`, tone: "warning" };
}

/** The `allowed-tools` list as sentences, most severe first and without duplicates. */
export function permissionsOf(allowedTools: readonly string[]): (Permission & { patterns: string[] })[] {
  const order = ["danger", "warning", "neutral"];
  const sentences = new Map<string, Permission & { patterns: string[] }>();
  for (const pattern of allowedTools) {
    const permission = permissionOf(pattern);
    const known = sentences.get(permission.text);
    if (known) known.patterns.push(pattern);
    else sentences.set(permission.text, { ...permission, patterns: [pattern] });
  }
  return [...sentences.values()].sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
}

type ToolChipsProps = { tools: readonly string[] | null; shown?: number; className?: string };

/** Allowed tools as chips: the most severe first, then the number of the others. */
export function ToolChips({ tools, shown = 3, className }: ToolChipsProps) {
  if (!tools || tools.length === 0) return null;
  // The most severe tools must not be among the hidden ones.
  const sorted = [...tools].sort((a, b) => rank(b) - rank(a));
  const rest = sorted.slice(shown);
  return (
    <span className={cn("flex min-w-0 items-center gap-1", className)}>
      {sorted.slice(0, shown).map((tool) => (
        <Badge
          key={tool}
          tone={permissionOf(tool).tone}
          title={`${tool}: ${permissionOf(tool).text}`}
          className="min-w-0 max-w-44 shrink font-mono font-normal"
        >
          <RevealedText text={tool} className="truncate" />
        </Badge>
      ))}
      {rest.length > 0 ? (
        <span className="shrink-0 text-muted-foreground text-xs tabular-nums" title={rest.join("\n")}>
          +{rest.length}
        </span>
      ) : null}
    </span>
  );
}

/** The number of allowed tools in the colour of the most severe; the tooltip names each. */
export function ToolCount({ tools, className }: Pick<ToolChipsProps, "tools" | "className">) {
  if (!tools || tools.length === 0) return null;
  const sorted = [...tools].sort((a, b) => rank(b) - rank(a));
  const title = sorted.map((tool) => `${tool}: ${permissionOf(tool).text}`).join("\n");
  return (
    <Badge tone={permissionOf(sorted[0] ?? "").tone} title={title} className={className}>
      {countOf(tools.length, "tool")}
    </Badge>
  );
}

function rank(tool: string): number {
  return ["neutral", "warning", "danger"].indexOf(permissionOf(tool).tone);
}
