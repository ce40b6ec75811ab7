import { shellQuote } from "@/components/runs/start/curl-command";
import type { Connection } from "@/lib/distribution/schema";
import type { ClientKey } from "./clients";

/** One thing to do: commands for a shell, or a file to write. */
export type Step = { title: string; text?: string; label: string; code: string };

/** What was made on the page and is shown this once. */
export type MadeSecrets = { address: string | null; token: string | null };

type Facts = Pick<Connection, "url" | "scope" | "marketplace" | "privateMarketplace" | "example">;

/** What clients call the MCP server; the hook of Claude Code takes the same name for granted. */
const SERVER = "skillgate";
/** A version of the skills CLI that keeps an address to itself when it is told to. */
const SKILLS_CLI = "skills@1.7.4";
/** Where a shell reads the token when none was made on this page. */
const TOKEN_VARIABLE = "SKILLGATE_TOKEN";

/** What to do so that a client has the skills of the scope, and, where it can, their tools over MCP. */
export function clientSteps(key: ClientKey, facts: Facts, made: MadeSecrets): Step[] {
  return STEPS[key](placeholdersOf(facts, made));
}

type Placeholders = ReturnType<typeof placeholdersOf>;

function placeholdersOf(facts: Facts, { address, token }: MadeSecrets) {
  const name = facts.example?.name ?? "SKILL";
  return {
    url: facts.url,
    /** The address of what is installed from: with it, clients that cannot sign in see what its maker sees. */
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
    jsonToken: token ?? "TOKEN",
  };
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

const mcpServer = ({ mcp, jsonToken }: Placeholders, more: Record<string, string> = {}) => ({
  ...more,
  url: mcp,
  headers: { Authorization: `Bearer ${jsonToken}` },
});

/** Cursor fills in variables of its environment. */
const cursorToken = ({ jsonToken }: Placeholders) => (jsonToken === "TOKEN" ? `\${env:${TOKEN_VARIABLE}}` : jsonToken);

const STEPS: Record<ClientKey, (words: Placeholders) => Step[]> = {
  "claude-code": ({ base, name, marketplace, url, mcp, bearer }) => [
    {
      title: "Install skills as plugins",
      text: "Each skill is a plugin of this server’s marketplace, pinned to what is approved.",
      label: "Add the marketplace and install",
      code: `claude plugin marketplace add ${base}/marketplace.json\nclaude plugin install ${name}@${marketplace}`,
    },
    {
      title: "Get what was approved since",
      label: "Update",
      code: `claude plugin marketplace update ${marketplace}\nclaude plugin update ${name}@${marketplace}`,
    },
    {
      title: "Use skills and tools over MCP",
      text: "Nothing is copied: what is approved now is what it gets.",
      label: "Add the MCP server",
      code: `claude mcp add --transport http ${SERVER} ${mcp} \\\n  --header ${bearer}`,
    },
    {
      title: "Hold it to the tools of the active skill",
      text: `A hook asks this server before each tool. Add what settings.json says to ~/.claude/settings.json, and set ${TOKEN_VARIABLE}.`,
      label: "Save the hook, see the settings",
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
      title: "Get what was approved since",
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
      title: "Read the skills from here",
      text: "OpenCode reads the list itself: nothing is installed, and what is revoked is gone. The slash at the end is needed. OpenCode 2 keeps servers under mcp.servers, and we do not know whether it reads lists of skills.",
      label: "opencode.json of OpenCode 1",
      code: json({
        $schema: "https://opencode.ai/config.json",
        skills: { urls: [`${words.base}/.well-known/skills/`] },
        mcp: { [SERVER]: mcpServer(words, { type: "remote" }) },
      }),
    },
    { title: "See what it found", label: "Check", code: "opencode debug skill" },
  ],
  openclaw: ({ url, name, qualified }) => [
    {
      title: "Search and install",
      text: "OpenClaw signs nobody in here: it finds public skills.",
      label: "Search and install",
      code: `export OPENCLAW_CLAWHUB_URL=${url}\nopenclaw skills search ${name}\nopenclaw skills install ${qualified}\nopenclaw skills update --all`,
    },
  ],
  cursor: (words) => [
    {
      title: "Use skills and tools over MCP",
      text: `Cursor reads the token from the variable ${TOKEN_VARIABLE} when none stands here, and may sign in by itself (OAuth) instead.`,
      label: ".cursor/mcp.json",
      code: json({ mcpServers: { [SERVER]: mcpServer({ ...words, jsonToken: cursorToken(words) }) } }),
    },
  ],
  mcp: (words) => [
    {
      title: "Use skills and tools over MCP",
      text: "Streamable HTTP at one address. Clients that sign in by themselves (OAuth) need no header.",
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
        ? "DISABLE_TELEMETRY=1 keeps this CLI from sending the address to its maker. It needs Node 22.20: the version for Node 20 (1.5.18) sends it anyway."
        : "The skills CLI cannot sign in: it sees public skills, or what a capability URL covers.",
      label: "See what there is, and install",
      code: `${isSecret ? "export DISABLE_TELEMETRY=1\n" : ""}npx ${cli} add ${base} --list\nnpx ${cli} add ${base} --skill ${name}`,
    },
    { title: "Get what was approved since", label: "Check and update", code: `npx ${cli} check\nnpx ${cli} update` },
    { title: "Search", label: "Find", code: `SKILLS_API_URL=${url} npx skills find ${name}` },
  ],
  clawhub: ({ url, name, qualified, shellToken }) => [
    {
      title: "Sign in",
      text: "Without signing in it sees public skills.",
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
      text: "It waits for a reviewer like everything else.",
      label: "Publish a folder",
      code: "clawhub skill publish ./my-skill --slug my-skill --name 'My skill' --version 1.0.0",
    },
  ],
  git: ({ base, bearer, url }) => [
    {
      title: "Clone what is approved now",
      text: "One commit, replaced at every approval and every revocation.",
      label: "Clone",
      code: `git clone --depth 1 ${base}/git/catalog.git`,
    },
    {
      title: "With a token",
      label: "Clone what you see",
      code: `git -c http.extraHeader=${bearer} clone --depth 1 ${url}/git/catalog.git`,
    },
  ],
  curl: ({ base, url, bearer, name }) => [
    {
      title: "Read the index",
      label: "The index, with digests",
      code: `curl -sS ${base}/.well-known/agent-skills/index.json`,
    },
    {
      title: "With a token",
      label: "What you see",
      code: `curl -sS -H ${bearer} ${url}/.well-known/agent-skills/index.json\ncurl -sS -H ${bearer} "${url}/api/export?skills=${name}" -o ${name}.zip`,
    },
  ],
};
