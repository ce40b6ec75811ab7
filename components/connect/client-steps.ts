import { shellQuote } from "@/components/runs/start/curl-command";
import type { Connection } from "@/lib/distribution/schema";
import type { ClientKey } from "./clients";

/** One step: shell commands, or the content of a file. */
export type Step = { title: string; text?: string; label: string; code: string };

/** Secrets created on the page, which shows them once. */
export type MadeSecrets = { address: string | null; token: string | null };

type Facts = Pick<Connection, "url" | "scope" | "marketplace" | "privateMarketplace" | "example">;

/** The name of the MCP server in clients. The hook of Claude Code relies on it. */
const SERVER = "skillgate";
/** A version of the skills CLI that honours DISABLE_TELEMETRY for addresses. */
const SKILLS_CLI = "skills@1.7.4";
/** The variable that commands use when no token was created on this page. */
const TOKEN_VARIABLE = "SKILLGATE_TOKEN";

/** The steps that give a client the skills of the scope and, where supported, their tools over MCP. */
export function clientSteps(key: ClientKey, facts: Facts, made: MadeSecrets): Step[] {
  return STEPS[key](placeholdersOf(facts, made));
}

type Placeholders = ReturnType<typeof placeholdersOf>;

function placeholdersOf(facts: Facts, { address, token }: MadeSecrets) {
  const name = facts.example?.name ?? "SKILL";
  return {
    url: facts.url,
    /** The install address. A capability URL gives clients without sign-in its owner's view. */
    base: address ?? `${facts.url}${facts.scope.path}`,
    mcp: `${facts.url}/mcp`,
    name,
    qualified: `@${facts.example?.publisher ?? "PUBLISHER"}/${name}`,
    marketplace: address === null ? facts.marketplace : facts.privateMarketplace,
    isSecret: address !== null,
    skillsCli: address === null ? "skills" : SKILLS_CLI,
    bearer:
      token === null ? `"Authorization: Bearer $${TOKEN_VARIABLE}"` : shellQuote(`Authorization: Bearer ${token}`),
    shellToken: token === null ? `"$${TOKEN_VARIABLE}"` : shellQuote(token),
    token,
    jsonToken: token ?? "TOKEN",
  };
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

const mcpServer = ({ mcp, jsonToken }: Placeholders, more: Record<string, string> = {}) => ({
  ...more,
  url: mcp,
  headers: { Authorization: `Bearer ${jsonToken}` },
});

/** Cursor replaces environment variables. */
const cursorToken = ({ jsonToken }: Placeholders) => (jsonToken === "TOKEN" ? `\${env:${TOKEN_VARIABLE}}` : jsonToken);

const STEPS: Record<ClientKey, (words: Placeholders) => Step[]> = {
  "claude-code": ({ base, name, marketplace, url, mcp, bearer }) => [
    {
      title: "Install skills as plugins",
      text: "Each skill is a plugin of this server’s marketplace, pinned to its approved version.",
      label: "Add the marketplace and install",
      code: `claude plugin marketplace add ${base}/marketplace.json\nclaude plugin install ${name}@${marketplace}`,
    },
    {
      title: "Update installed skills",
      label: "Update",
      code: `claude plugin marketplace update ${marketplace}\nclaude plugin update ${name}@${marketplace}`,
    },
    {
      title: "Use skills and tools over MCP",
      text: `Nothing is copied: the client always gets the currently approved versions. Create a token and set it as ${TOKEN_VARIABLE} first.`,
      label: "Add the MCP server",
      code: `claude mcp add --transport http ${SERVER} ${mcp} \\\n  --header ${bearer}`,
    },
    {
      title: "Enforce the skill’s tool limits",
      text: `A hook asks this server before each tool call. Merge the printed settings.json into ~/.claude/settings.json, and set ${TOKEN_VARIABLE}.`,
      label: "Save the hook and print the settings",
      code: [
        "mkdir -p ~/.claude/hooks",
        `curl -fsS ${url}/connect/claude-code/authorize-tool.mjs -o ~/.claude/hooks/skillgate-authorize-tool.mjs`,
        `curl -fsS ${url}/connect/claude-code/settings.json`,
      ].join("\n"),
    },
  ],
  codex: (words) => [
    {
      title: "Install skills as plugins",
      label: "Add the marketplace and install",
      code: `codex plugin marketplace add ${words.base}/git/catalog.git\ncodex plugin add ${words.name}@${words.marketplace}`,
    },
    {
      title: "Update installed skills",
      label: "Update",
      code: `codex plugin marketplace upgrade ${words.marketplace}\ncodex plugin add ${words.name}@${words.marketplace}`,
    },
    {
      title: "Use skills and tools over MCP",
      text: `Codex reads the token from the variable ${TOKEN_VARIABLE}.`,
      label: "~/.codex/config.toml",
      code: `[mcp_servers.${SERVER}]\nurl = "${words.mcp}"\nbearer_token_env_var = "${TOKEN_VARIABLE}"`,
    },
    {
      title: "Set the variable",
      label: "In the shell that starts Codex",
      code: `export ${TOKEN_VARIABLE}=${words.jsonToken === "TOKEN" ? "TOKEN" : words.shellToken}`,
    },
  ],
  "gemini-cli": ({ base, name, mcp, bearer }) => [
    {
      title: "Install a skill",
      label: "Install",
      code: `gemini skills install ${base}/git/catalog.git --path skills/${name} --consent`,
    },
    {
      title: "Use skills and tools over MCP",
      label: "Add the MCP server",
      code: `gemini mcp add --transport http --header ${bearer} \\\n  ${SERVER} ${mcp}`,
    },
  ],
  opencode: (words) => [
    {
      title: "Read skills from this server",
      text: "OpenCode reads the list directly: nothing is installed, and revoked skills disappear. The URL must end with a slash. OpenCode 2 configures servers under mcp.servers; whether it supports skill lists is not known.",
      label: "opencode.json (OpenCode 1)",
      code: json({
        $schema: "https://opencode.ai/config.json",
        skills: { urls: [`${words.base}/.well-known/skills/`] },
        mcp: { [SERVER]: mcpServer(words, { type: "remote" }) },
      }),
    },
    { title: "Check the result", label: "Check", code: "opencode debug skill" },
  ],
  openclaw: ({ url, name, qualified }) => [
    {
      title: "Search and install",
      text: "OpenClaw does not sign in here, so it finds public skills only.",
      label: "Search and install",
      code: `export OPENCLAW_CLAWHUB_URL=${url}\nopenclaw skills search ${name}\nopenclaw skills install ${qualified}\nopenclaw skills update --all`,
    },
  ],
  cursor: (words) => [
    {
      title: "Use skills and tools over MCP",
      text: `Without a token in this file, Cursor reads it from the variable ${TOKEN_VARIABLE} or signs in by itself (OAuth).`,
      label: ".cursor/mcp.json",
      code: json({ mcpServers: { [SERVER]: mcpServer({ ...words, jsonToken: cursorToken(words) }) } }),
    },
  ],
  mcp: (words) => [
    {
      title: "Use skills and tools over MCP",
      text: "Streamable HTTP at one URL. Clients that sign in by themselves (OAuth) need no header.",
      label: "mcp.json",
      code: json({ mcpServers: { [SERVER]: mcpServer(words, { type: "http" }) } }),
    },
    {
      title: "Try it",
      label: "List the tools with the MCP inspector",
      code: `npx @modelcontextprotocol/inspector --cli ${words.mcp} --transport http \\\n  --method tools/list --header ${words.bearer}`,
    },
  ],
  skills: ({ base, url, name, isSecret, skillsCli: cli }) => [
    {
      title: "Install",
      text: isSecret
        ? "DISABLE_TELEMETRY=1 stops the CLI from sending the URL to its vendor. It needs Node 22.20; the version for Node 20 (1.5.18) sends the URL anyway."
        : "The skills CLI cannot sign in: it sees public skills, or the skills of a capability URL.",
      label: "List skills and install one",
      code: `${isSecret ? "export DISABLE_TELEMETRY=1\n" : ""}npx ${cli} add ${base} --list\nnpx ${cli} add ${base} --skill ${name}`,
    },
    { title: "Update installed skills", label: "Check and update", code: `npx ${cli} check\nnpx ${cli} update` },
    { title: "Search", label: "Find", code: `SKILLS_API_URL=${url} npx skills find ${name}` },
  ],
  clawhub: ({ url, name, qualified, shellToken }) => [
    {
      title: "Sign in",
      text: "Without sign-in, it sees public skills only.",
      label: "Sign in",
      code: `export CLAWHUB_SITE=${url}\nclawhub login --token ${shellToken} --no-browser`,
    },
    {
      title: "Search, install, update",
      label: "Install",
      code: `clawhub search ${name}\nclawhub install ${qualified}\nclawhub update --all`,
    },
    {
      title: "Publish",
      text: "The skill is pending review, as after every import.",
      label: "Publish a folder",
      code: "clawhub skill publish ./my-skill --slug my-skill --name 'My skill' --version 1.0.0",
    },
  ],
  "anthropic-sdk": ({ url, token, bearer }) => [
    {
      title: "Read approved skills by the Skills API",
      text: "The reads of Anthropic’s Skills API. The key is a token of this server. Revoked versions answer 404.",
      label: "TypeScript, @anthropic-ai/sdk",
      code: [
        "const client = new Anthropic({",
        `  baseURL: "${url}",`,
        `  apiKey: ${token === null ? `process.env.${TOKEN_VARIABLE}` : JSON.stringify(token)},`,
        "});",
        "const { skills } = client.beta;",
        "for await (const { id, latest_version_id } of skills.list()) {",
        "  const zip = await skills.versions.download(latest_version_id, { skill_id: id });",
        "}",
      ].join("\n"),
    },
    { title: "Without the SDK", label: "List", code: `curl -sS -H ${bearer} ${url}/v1/skills` },
  ],
  git: ({ base, bearer, url }) => [
    {
      title: "Clone approved skills",
      text: "The repository has a single commit, replaced at each approval and revocation.",
      label: "Clone",
      code: `git clone --depth 1 ${base}/git/catalog.git`,
    },
    {
      title: "With a token",
      label: "Clone all skills you can see",
      code: `git -c http.extraHeader=${bearer} clone --depth 1 ${url}/git/catalog.git`,
    },
  ],
  curl: ({ base, url, bearer, name }) => [
    {
      title: "Read the index",
      label: "Index with digests",
      code: `curl -sS ${base}/.well-known/agent-skills/index.json`,
    },
    {
      title: "With a token",
      label: "All skills you can see",
      code: `curl -sS -H ${bearer} ${url}/.well-known/agent-skills/index.json\ncurl -sS -H ${bearer} "${url}/api/export?skills=${name}" -o ${name}.zip`,
    },
  ],
};
