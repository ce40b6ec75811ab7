import { parseJson } from "@/lib/skill-format/json-values";
import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { isProse, isRead, SINK } from "./evidence";
import { HIDES } from "./order-manners";
import { expressionsOf } from "./order-words";
import { rulesOf } from "./rule-rows";

const INDEXES =
  /https:\/\/(?:[a-z0-9-]+\.)*(?:pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|pytorch\.org|nvidia\.com|yarnpkg\.com|npm\.pkg\.github\.com|pkg\.dev|codeartifact\.[\w-]+\.amazonaws\.com|pkgs\.dev\.azure\.com|jsr\.io|npmmirror\.com|tuna\.tsinghua\.edu\.cn|aliyun\.com|anaconda\.org|gitlab\.com|jfrog\.io|rubygems\.org|crates\.io|googleapis\.com)(?:[/:]|$)/i;

const NPM_HOOKS = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];
const ORDINARY_HOOK =
  /^(?:husky(?: install)?|npm run build|tsc|patch-package|is-ci|lefthook install|simple-git-hooks)\b/;
const REACHES_OUT = /\b(?:curl|wget|powershell|eval|base64|bash -c|sh -c|node -e|python3? -c|nc)\b|https?:/i;

type NamedPackage = { name: string; start: number };

const INSTALL_COMMAND = /\b(?:pip3?|uv pip|uv|npm|pnpm|yarn|bun)[ \t]+(?:install|i|add)[ \t]+([^\n;&|`"'#]{1,300})/g;
const MAX_PACKAGES = 500;

const POPULAR = new Set(
  `requests urllib3 numpy pandas scipy matplotlib tensorflow pytorch transformers openai anthropic langchain fastapi flask
django pydantic sqlalchemy boto3 botocore cryptography pyyaml pillow beautifulsoup4 selenium playwright scikit-learn aiohttp httpx
paramiko setuptools colorama python-dateutil python-dotenv jinja2 pytest ansible celery redis psycopg2 pymongo opencv-python
huggingface-hub tiktoken streamlit gradio web3 ethers pycryptodome discord.py telethon
express lodash react-dom axios webpack typescript eslint prettier commander chalk dotenv mongoose puppeteer cheerio moment
jsonwebtoken socket.io node-fetch cross-env nodemailer bcrypt inquirer next tailwindcss vite vitest electron
@anthropic-ai/sdk @modelcontextprotocol/sdk`
    .split(/\s+/)
    .filter((name) => name.length >= 5),
);

const REAL_NEIGHBOURS = new Set(
  "request preact ether psycopg3 aredis ioredis eslintd openapi panda inquire".split(" "),
);

/** A host named like a public registry, and why the public one and its checks shall not be used. */
const LIKE_A_REGISTRY = /^https?:\/\/[^/]*(?:pypi|pythonhosted|npm|pip|rubygems|crates|registry|simple|packages?)/i;
const EXCUSES =
  /--trusted-host|--no-audit|--no-verify|strict-ssl[ =]+false|--insecure|\b(?:ignore|skip|expected|disregard)\b[^.\n]{0,80}\b(?:hash|warnings?|certificate|signature|audit|name)\b|\b(?:warnings?|certificate|hash(?:es)?|signature|audit)\b[^.\n]{0,60}\b(?:ignored?|expected|skipped)\b|\b(?:official|public|pypi|npm)\b[^.\n]{0,60}\b(?:broken|slow|outdated|down|blocked)\b/i;

export const DEPENDENCIES: Rule[] = rulesOf([
  {
    id: "DEP-001",
    severity: "info",
    title: "Unpinned dependency",
    why: "Installs the newest version at run time, which may differ from the reviewed one.",
    owasp: ["ASI04", "LLM03"],
    applies: isRead,
    decoded: false,
    patterns: [
      {
        hints: ["npx", "bunx", "dlx"],
        re: String.raw`\b(?:npx\s+(?:-y|--yes)|bunx|pnpm\s+dlx)\s+(?:@[\w.-]+/)?[\w.-]+(?:@latest)?(?:\s|["'\x60]|$)`,
      },
      { hints: ["uvx", "pipx"], re: String.raw`\b(?:uvx|pipx\s+run)\s+[\w.-]+(?:@latest)?(?:\s|["'\x60]|$)` },
      {
        hints: ["pip"],
        re: String.raw`\bpip3?\s+install\s+(?:-U\s+|--upgrade\s+|--user\s+|-q\s+)*[a-z][\w.\[\]-]*(?:\s|["'\x60]|$)`,
      },
      {
        hints: ["@latest"],
        re: String.raw`\b(?:npm\s+(?:i|install)|yarn\s+(?:add|dlx)|pnpm\s+add|go\s+install)\b[^\n]*@latest\b`,
      },
    ],
  },
  {
    id: "DEP-002",
    version: 6,
    severity: "medium",
    title: "Package from outside the registry",
    why: "The package comes from a private address or index, which can serve any content under any name.",
    owasp: ["ASI04", "LLM03"],
    asBad: "info",
    patterns: [
      {
        hints: ["git+", "http"],
        re: String.raw`\b(?:pip[\d.]*\s+install|uv\s+(?:pip\s+install|add|tool\s+install)|pipx\s+install|uvx\s+--from|npm\s+(?:i|install)|npx|yarn\s+add|pnpm\s+add|gem\s+install|cargo\s+install)\b[^\n;&|]*?(?:git\+(?:https?|ssh)://|\shttps?://|--git\s+https?://)[^\s"'\x60]+`,
        weigh: ({ text, line, before, after, file }) =>
          /index-url|(?<!\/)\bregistry|find-links|\s-i\s/i.test(text)
            ? false
            : isHiddenChange(text, line, file)
              ? "critical"
              : SINK.test(text) || /\bhttp:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-]))/i.test(text)
                ? "high"
                : isUnseenArchive(text, line) ||
                    isExcusedArchive(text, `${before.slice(-300)}${line}${after.slice(0, 300)}`)
                  ? "critical"
                  : true,
      },
      {
        hints: ["from http", "from `http", "from <http"],
        re: String.raw`\binstall\b[^\n]{0,80}\bfrom [\x60<]?https?://[^\s\x60>]+[^\n]{0,60}\b(?:instead of|rather than)\b[^\n]{0,30}\b(?:official|public|original|pypi|npm)\b[^\n]*`,
        weigh: ({ text }) =>
          INDEXES.test(/https?:\S+/.exec(text)?.[0] ?? "") || FORGES.test(text) || /localhost|your|[<$]/i.test(text)
            ? false
            : EXCUSES.test(text)
              ? "critical"
              : true,
      },
      {
        hints: ["index-url", "registry", "trusted-host", "index_url", "find-links"],
        re: String.raw`(?:--(?:extra-)?index-url|--registry|--find-links|\bregistry\s*=|\bset\s+registry|\b(?:extra-)?index[-_]url\s*=)[= ]*["']?(https?://[^\s"'\x60]+)`,
        weigh: ({ text, groups: [url = ""], line, before, after }) => {
          if (INDEXES.test(url) || /localhost|127\.0\.0\.1|your|<|\$|example\.(?:com|org|net)/i.test(url)) return false;
          const isExcused = EXCUSES.test(`${before.slice(-200)}${line}${after.slice(0, 400)}`);
          if (isExcused && LIKE_A_REGISTRY.test(url) && !/\.(?:internal|local|corp|lan)\b/i.test(url))
            return "critical";
          return SINK.test(text) || /^http:/i.test(url) ? "high" : true;
        },
      },
    ],
  },
  {
    id: "DEP-003",
    severity: "medium",
    title: "Package with install scripts",
    why: "These commands run automatically when the package is installed.",
    owasp: ["ASI04", "ASI05"],
    decoded: false,
    applies: ({ name }) => name === "package.json",
    checkFile: ({ text }) => {
      const scripts = readScripts(text);
      return NPM_HOOKS.flatMap((hook): Hit[] => {
        const command = scripts[hook];
        if (typeof command !== "string") return [];
        if (ORDINARY_HOOK.test(command)) return [];
        const start = Math.max(0, text.indexOf(`"${hook}"`));
        const severity = REACHES_OUT.test(command) ? "high" : "medium";
        return [{ start, end: start + hook.length + 2, text: `"${hook}": "${command}"`, severity }];
      });
    },
  },
  {
    id: "DEP-004",
    severity: "medium",
    title: "Package name similar to a popular one",
    why: "The name differs by one letter from a well-known package, as malicious imitations do.",
    owasp: ["ASI04", "LLM03"],
    decoded: false,
    checkFile: (file) =>
      namedPackages(file)
        .map((named) => ({ ...named, popular: nearest(named.name) }))
        .filter(({ popular }) => popular !== null)
        .map(({ name, start, popular }) => ({ start, end: start + name.length, text: `${name} (like ${popular})` })),
  },
  {
    id: "DEP-005",
    severity: "medium",
    title: "Code from a moving reference",
    why: "A branch or 'latest' changes with every push, so the fetched code may differ from the reviewed code.",
    owasp: ["ASI04", "LLM03"],
    hints: ["githubusercontent", "github.com", "gist.", "jsdelivr", "unpkg"],
    re: String.raw`\b(?:curl|wget|iwr|irm|fetch|urlopen|requests\.get|git\s+clone\s+--branch)\b[^\n]*https?://(?:raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/(?:refs/heads/)?(?:main|master|HEAD|dev|develop|latest)/|gist\.githubusercontent\.com/[\w.-]+/[0-9a-f]+/raw/[^/\s]*(?:\s|$|["'\x60])|github\.com/[\w.-]+/[\w.-]+/(?:raw|blob)/(?:main|master|HEAD)/|github\.com/[\w.-]+/[\w.-]+/releases/latest/download/|cdn\.jsdelivr\.net/gh/[\w.-]+/[\w.-]+@(?:main|master|latest)/)[^\s"'\x60)]*`,
  },
]);

const FORGES =
  /https?:\/\/(?:[\w-]+\.)*(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|huggingface\.co|pkg\.pr\.new|vercel\.(?:app|com)|amazonaws\.com|windows\.net|microsoft\.com|google\.com)\//i;
const UNSEEN = /\s(?:-q{1,3}|--quiet|-s|--silent|--no-audit)\b|\/dev\/null|2>&1/;

/** A package of a host that is no registry and no forge, installed so that its messages are not seen, and started at once. */
function isUnseenArchive(text: string, line: string): boolean {
  if (FORGES.test(text) || INDEXES.test(/https?:\S+/.exec(text)?.[0] ?? "") || /localhost|127\.|your|[<$]/i.test(text))
    return false;
  return (
    UNSEEN.test(line) && /&&|;|\s&\s*$|\|\|\s*(?:true|:|exit 0)/.test(line.slice(line.indexOf(text) + text.length))
  );
}

/** A page tells the agent to replace a package with this one and not to tell the user. */
function isHiddenChange(text: string, line: string, file: ScanFile): boolean {
  const url = /https?:\/\/\S+/.exec(text)?.[0] ?? "";
  if (!isProse(file) || INDEXES.test(url) || FORGES.test(`${url}/`) || /localhost|127\.|your|[<$]/i.test(url))
    return false;
  const said = line.toLowerCase();
  return REPLACES.test(said) && expressionsOf(HIDES).some((pattern) => said.search(pattern) !== -1);
}

const REPLACES =
  /\b(?:in (?:its|their) place|in place of|instead of|rather than|replac\w+|swap\w*|substitut\w+|drop-in|exchange|switch\w* (?:over )?to|migrat\w+)\b/;

/** The same, while certificates and signatures are not checked. */
function isExcusedArchive(text: string, near: string): boolean {
  return (
    /https:\S{1,200}\.(?:tgz|tar\.gz|whl|zip|gem)\b/i.test(text) &&
    !(
      FORGES.test(text) ||
      INDEXES.test(/https?:\S+/.exec(text)?.[0] ?? "") ||
      /localhost|127\.|your|[<$]/i.test(text)
    ) &&
    /strict-ssl[ =]+false|--trusted-host|--insecure|NODE_TLS_REJECT_UNAUTHORIZED|--no-verify/i.test(near)
  );
}

/** Package managers do not run invalid JSON either. */
function readScripts(text: string): Record<string, unknown> {
  const manifest = parseJson(text);
  const scripts = typeof manifest === "object" && manifest !== null && "scripts" in manifest ? manifest.scripts : null;
  return typeof scripts === "object" && scripts !== null ? { ...scripts } : {};
}

function nearest(name: string): string | null {
  if (name.length < 5 || POPULAR.has(name) || REAL_NEIGHBOURS.has(name)) return null;
  for (const popular of POPULAR)
    if (Math.abs(popular.length - name.length) <= 1 && isOneAway(name, popular)) return popular;
  return null;
}

/** Whether the words differ by one added, missing or replaced letter, or by two swapped neighbours. */
function isOneAway(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [restA, restB] = [a.slice(from, a.length - end), b.slice(from, b.length - end)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}

/** Packages named by install commands, requirements files and package.json. */
function namedPackages(file: ScanFile): NamedPackage[] {
  const found: NamedPackage[] = [];
  for (const { 0: command, 1: words = "", index } of file.text.matchAll(INSTALL_COMMAND)) {
    const start = index + command.length - words.length;
    for (const word of words.matchAll(/(?<![\w-])@?[a-zA-Z][\w./-]{3,60}/g))
      found.push(packageAt(word[0], start + word.index));
    if (found.length > MAX_PACKAGES) return found;
  }
  if (/^requirements[\w-]*\.txt$/.test(file.name)) {
    for (const { 0: line, index } of file.text.matchAll(/^[a-zA-Z][\w.-]{3,60}/gm)) found.push(packageAt(line, index));
  }
  if (file.name === "package.json") {
    for (const match of file.text.matchAll(/"(@?[a-z][\w./-]{3,60})"\s*:\s*"(?:[\^~><=*\dv]|latest)/g)) {
      found.push(packageAt(match[1] ?? "", match.index + 1));
    }
  }
  return found.slice(0, MAX_PACKAGES);
}

function packageAt(word: string, start: number): NamedPackage {
  return { name: word.toLowerCase().replace(/(?<=.)@.*$|[.,/]+$/g, ""), start };
}
