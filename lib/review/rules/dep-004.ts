import type { Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";

type NamedPackage = { name: string; start: number };

const INSTALL = /\b(?:pip3?|uv pip|uv|npm|pnpm|yarn|bun)[ \t]+(?:install|i|add)[ \t]+([^\n;&|`"'#]{1,300})/g;

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
/** Real packages one letter away from a popular one. */
const REAL = new Set([
  "request",
  "preact",
  "ether",
  "psycopg3",
  "aredis",
  "ioredis",
  "eslintd",
  "openapi",
  "panda",
  "inquire",
]);

export const lookalikePackage: Rule = {
  id: "DEP-004",
  version: 1,
  severity: "medium",
  title: "Package named almost like a popular one",
  why: "One letter away from a well-known package is where its imitations are published.",
  owasp: ["ASI04", "LLM03"],
  decoded: false,
  checkFile: (file) =>
    namedPackages(file)
      .map((named) => ({ ...named, popular: nearest(named.name) }))
      .filter(({ popular }) => popular !== null)
      .map(({ name, start, popular }) => ({ start, end: start + name.length, text: `${name} (like ${popular})` })),
};

function nearest(name: string): string | null {
  if (name.length < 5 || POPULAR.has(name) || REAL.has(name)) return null;
  for (const popular of POPULAR)
    if (Math.abs(popular.length - name.length) <= 1 && isOneAway(name, popular)) return popular;
  return null;
}

/** One letter added, missing, replaced, or two neighbours exchanged. */
function isOneAway(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [restA, restB] = [a.slice(from, a.length - end), b.slice(from, b.length - end)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}

/** Packages that a file has installed: words of install commands, lines of requirements, dependencies of a package.json. */
function namedPackages(file: ScanFile): NamedPackage[] {
  const found: NamedPackage[] = [];
  for (const { 0: command, 1: words = "", index } of file.text.matchAll(INSTALL)) {
    const start = index + command.length - words.length;
    for (const word of words.matchAll(/(?<![\w-])@?[a-zA-Z][\w./-]{3,60}/g))
      found.push(at(word[0], start + word.index));
    if (found.length > MAX_PACKAGES) return found;
  }
  if (/^requirements[\w-]*\.txt$/.test(file.name)) {
    for (const { 0: line, index } of file.text.matchAll(/^[a-zA-Z][\w.-]{3,60}/gm)) found.push(at(line, index));
  }
  if (file.name === "package.json") {
    for (const match of file.text.matchAll(/"(@?[a-z][\w./-]{3,60})"\s*:\s*"(?:[\^~><=*\dv]|latest)/g)) {
      found.push(at(match[1] ?? "", match.index + 1));
    }
  }
  return found.slice(0, MAX_PACKAGES);
}

function at(word: string, start: number): NamedPackage {
  return { name: word.toLowerCase().replace(/(?<=.)@.*$|[.,/]+$/g, ""), start };
}
