import { domainToUnicode } from "node:url";
import { foldWord } from "../scan/decode-views";
import type { Hit, Match, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { isKnownInstaller, isOwnOrPlaceholder, isProse, speaksOfAttacks } from "./evidence";
import { passagesOf } from "./orders";
import { rulesOf } from "./rule-rows";

const BRANDS = `open-?claw|claw-?hub|clawd-?bot|molt-?bot|claw(?=-?[a-z]*(?:bridge|core|cli|driver|runtime|helper|agent))|anthropic|claude|open-?ai|codex|chat-?gpt|copilot|gemini|agent-?skills?`;
const PARTS = `cli|core|agent|driver|utility|util|provider|runtime|engine|auth(?:[ -]?tool|enticator)?|connector|bridge|tool|helper|service|launcher|module|component|client|companion|desktop|gateway|daemon|installer|updater|plugin host|link`;
/** A name like a part of the platform: `OpenClawCLI`, `Claude Core`. */
const COMPONENT = new RegExp(
  String.raw`\b(?:${BRANDS})[-_ ]?(?:(?:desktop|agent|code|skills?)[-_ ]?)?(?:${PARTS})\b`,
  "iu",
);
const BRAND_LABEL = new RegExp(
  `(?:^|[.-])(?:${BRANDS})|(?:openclaw|clawhub|clawdbot|moltbot|anthropic|claude|openai|chatgpt)`,
  "iu",
);

/** The platforms' own hosts, and places where software is published under its author's name. */
const OWN =
  /(?:^|\.)(?:openclaw\.(?:ai|bot)|clawhub\.(?:ai|com)|clawd\.bot|molt\.bot|anthropic\.com|claude\.(?:ai|com)|openai\.com|chatgpt\.com|github\.(?:com|io)|githubusercontent\.com|gitlab\.com|google\.(?:com|dev)|cursor\.com|visualstudio\.com|microsoft\.com|npmjs\.com|pypi\.org|crates\.io|docker\.com|brew\.sh|smithery\.ai|agentskills\.io|skills\.sh|modelcontextprotocol\.io|huggingface\.co|readthedocs\.io|wikipedia\.org|apple\.com)$/i;

/** Must be there first, in ten languages. */
const DEMANDED =
  /\b(?:must|required?|requires|requirement|prerequisites?|needs?|needed|necessary|before (?:using|you|the first|continuing)|ha(?:s|ve) to be|before this skill|fails? without|does(?:n['’]t| not) (?:work|start|function)|will not (?:work|start)|refuse to|install)\b|muss|müssen|erforderlich|vor der (?:benutzung|verwendung)|installier|obligatori|debe|necesari|antes de|instal[ae]|nécessaire|doit|devez|avant (?:d['’]|de )|installe[rz]|necessári|preciso|prima di|installa|необходим|перед |установ|必须|需要|之前|安装|必要|インストール|필요|설치/iu;
const FETCHED =
  /\b(?:download|get (?:it|the)|install(?:er|ation)?|visit|run (?:the|it)|execute|launch|setup|open https?:|one click|curl|wget|iwr)\b|laden sie|herunter|descárg|descarg|télécharg|baixe|scarica|скача|запуст|下载|下載|ダウンロード|다운로드/iu;
const PROGRAM =
  /\b(?:download|installer|setup|\.dmg|\.exe|\.pkg|\.msi|\.zip|run (?:the|it)|execute|curl|wget|iwr|one click|keep it running|install\.sh|terminal)\b|herunter|descárg|télécharg|baixe|scarica|скача|запуст|下载|下載|ダウンロード|다운로드/iu;
/** Also as chats and forums spell it: `hxxps://host[.]tld`. */
const ADDRESS = /\b(?:h(?:tt|xx)ps?(?::|\[:\])\/\/|www\.)((?:\[\.\]|[^\s/)\]"'`<>:?#[])+)[^\s)\]"'`<>]*/giu;

/** A named component in a demand that is about this skill, and free hosts, pastes and shorteners, where it can only come from a stranger. */
const NAMED_PART = new RegExp(String.raw`\b\p{Lu}[\p{L}\d]{2,30}(?:[ -]\p{Lu}[\p{L}\d]+)?[ -](?:${PARTS})\b`, "iu");
const ABOUT_THIS_SKILL =
  /\b(?:before|without|or|otherwise|for|so that)\b[^.\n]{0,40}\b(?:(?:this|the) skill|skill calls)\b|\bskill\b[^.\n]{0,40}\b(?:works?|fails?|runs?|starts?|functions?|requires?|needs?)\b|\bskill\b[^.\n]{0,40}\bnicht\b/iu;
const STRANGERS =
  /(?:^|\.)(?:netlify\.app|vercel\.app|pages\.dev|workers\.dev|web\.app|firebaseapp\.com|onrender\.com|herokuapp\.com|glitch\.me|surge\.sh|r2\.dev|rentry\.(?:co|org)|pastebin\.com|glot\.io|bit\.ly|tinyurl\.com|t\.ly|is\.gd|cutt\.ly)$/i;

/** Lines that name a host where the vendor itself gives the command. */
const OWN_LINE = /https:\/\/(?:[\w-]+\.)*(?:brew\.sh|rustup\.rs|github\.com|docker\.com|microsoft\.com|apple\.com)\b/i;

export const LURES: Rule[] = rulesOf([
  {
    id: "DLX-014",
    version: 2,
    severity: "critical",
    title: "Demands a look-alike of the platform",
    why: "Says that a component must be installed for the skill, named like the platform's own or offered where any stranger can place it, at an address that is not the platform's.",
    owasp: ["ASI04", "ASI09"],
    applies: isProse,
    decoded: false,
    onlyWith: [ADDRESS],
    checkFile: findDemands,
  },
  {
    id: "DLX-015",
    version: 6,
    severity: "critical",
    title: "Look-alike host",
    why: "The host is named like the platform but is not the platform's. Programs from there come from a stranger.",
    owasp: ["ASI04", "ASI09"],
    decoded: false,
    onlyWith: [ADDRESS],
    checkFile: findLookalikes,
  },
  {
    id: "DLX-017",
    version: 5,
    severity: "critical",
    title: "Leads the user past protection",
    why: "Asks the user to paste a command that a page gives, to switch off protection for a download, or to load an extension from a file.",
    owasp: ["ASI04", "ASI09"],
    applies: isProse,
    checkFile: findProtectionOff,
    patterns: [
      {
        hints: ["run dialog", "+r", "+ r", "+`r", "+ `r"],
        weigh: weighLure,
        re: String.raw`(?:\bwin(?:dows)?(?:[ -](?:key|taste))?\x60?\s*\+\s*\x60?r\b|\brun dialog\b)[^\n]{0,200}(?:\b(?:ctrl|strg)\x60?\s*\+\s*\x60?v\b|\bpaste\b|\bpega|\bcol(?:le|e|ar)\b)`,
      },
      {
        hints: ["paste"],
        re: String.raw`\bpaste\b[^.\n]{0,60}\b(?:line|command|text|code|script)\b[^.\n]{0,40}\b(?:shown|displayed|given|copied|provided) (?:at|on|by|there|to your)\b[^\n]{0,120}|\bcopy\b[^.\n]{0,40}\bpaste (?:it|them) in(?:to)? (?:the |your |a )?terminal\b|\b(?:terminal|powershell|console)\b[^.\n]{0,60}\bpaste\b[^.\n]{0,40}\b(?:line|command|text|code|script|content)s?\b[^.\n]{0,20}\b(?:from|of) \x60?https?:`,
        weigh: ({ line, before, after }) =>
          /https?:\/\//.test(`${before.slice(-200)}${line}${after.slice(0, 100)}`) &&
          (OWN_LINE.test(line) ? "medium" : weighLure({ line, before, after })),
      },
      {
        hints: [
          "real-time protection",
          "defender",
          "antivirus",
          "anti-virus",
          "gatekeeper",
          "smartscreen",
          "virenschutz",
          "virus scanner",
          "security software",
          "windows security",
          "virenscanner",
        ],
        re: String.raw`(?:\b(?:turn(?:ing)? off|disabl\w+|switch(?:ing)? off|ignor\w+|dismiss|bypass|allow (?:it|them) in|add (?:it|an? exclusion|an? exception)|desactiv\w+|désactiv\w+|desativ\w+|deaktivier\w+|pause|stop|отключи\S*|关闭|退出))[^.\n]{0,60}(?:real-time protection|\bdefender\b|\banti-?virus|gatekeeper|smartscreen|virenschutz|virenscanner|virus scanner|security software|windows security|антивирус|杀毒)|\banti-?virus\b[^.\n]{0,80}\b(?:disable|turn off|switch off|pause)\b (?:it|yours|them)\b`,
        weigh: weighDownload,
      },
      {
        // In letters of ASCII: others cost half a second where a text is full of them.
        hints: [
          "run anyway",
          "open anyway",
          "keep anyway",
          "trotzdem ausf",
          "ejecutar de todas formas",
          "cuter quand m",
          "executar assim mesmo",
          "xattr -",
        ],
        re: String.raw`\b(?:run|open|keep) anyway\b|trotzdem ausführen|ejecutar de todas formas|exécuter quand même|executar assim mesmo|仍要运行|выполнить в любом случае|\bxattr -\w+ (?:com\.apple\.quarantine|-)`,
        weigh: weighDownload,
      },
      {
        hints: [".crx"],
        re: String.raw`https?://[^\s"'\x60)>]+\.crx\b[^\n]{0,200}\b(?:chrome://extensions|developer mode|drag|drop|load)\b`,
      },
    ],
  },
]);

const FORBIDDEN = /\b(?:never|do not|don['’]t|avoid)\b[^.\n]{0,80}$/i;

/** An ordinary note about protection, unless a program that is no well-known one is downloaded here. */
function weighDownload({ line, before, after }: Match) {
  const around = `${before.slice(-300)}${line}${after.slice(0, 200)}`;
  const isLoaded =
    /\b(?:download|installer|setup|\w+\.(?:exe|dmg|pkg|msi|zip))\b|https?:\/\/(?!docs\.|learn\.|support\.)/i.test(
      around,
    );
  return isLoaded && !isKnownInstaller(around) ? weighLure({ line, before, after }) : "medium";
}

function weighLure({ line, before, after }: Pick<Match, "line" | "before" | "after">) {
  // The sentence may go on in the next line.
  const [rest = ""] = after.slice(0, 300).split("\n\n");
  const isWarning =
    speaksOfAttacks(before.slice(-250) + line) ||
    /\b(?:scams?|phishing|malware)\b/i.test(rest) ||
    /\b(?:never|do not|don['’]t)\b/i.test(line);
  return isWarning ? ("info" as const) : true;
}

/** The same in languages without hints in letters of ASCII, and in what scripts tell the user. */
const PROTECTION_OFF =
  /(?:关闭|退出|停用|禁用|關閉)[^。\n]{0,24}(?:安全软件|杀毒软件|杀毒|实时保护|防护软件|防毒|安全軟體|安全卫士|电脑管家|火绒|360|金山毒霸|卡巴斯基|[Dd]efender)|(?:セキュリティソフト|ウイルス対策)[^。\n]{0,15}(?:無効|オフ|停止|終了)|(?:백신|보안 ?프로그램)[^.\n]{0,15}(?:끄|꺼|종료|비활성|중지)|(?:отключите|выключите)[^.\n]{0,40}(?:антивирус|защит)/u;
const REFUSES_IT =
  /(?:不要|不必|无需|勿|别|不需要|不用|ないで|しない|필요 ?없|지 ?마|не (?:нужно|надо|отключай)|никогда)/u;
const LOADED = /\.(?:exe|msi|dmg|pkg|apk|zip|rar|7z|bat)\b/i;

function findProtectionOff(file: ScanFile): Hit[] {
  if (!LOADED.test(file.text)) return [];
  const match = PROTECTION_OFF.exec(file.text);
  if (match === null) return [];
  const start = match.index;
  const end = start + match[0].length;
  const from = Math.max(0, start - 300);
  const around = file.text.slice(from, end + 200);
  const [sentence = ""] = /[^。.\n]*$/.exec(file.text.slice(from, start)) ?? [];
  const [rest = ""] = file.text.slice(end, end + 80).split(/[。.\n]/, 1);
  if (!LOADED.test(around) || !around.includes("http") || REFUSES_IT.test(`${sentence}${match[0]}${rest}`)) return [];
  return [hitOf(file, start, end)];
}

function findDemands(file: ScanFile): Hit[] {
  const hits: Hit[] = [];
  const passages = passagesOf(file.text);
  for (const [at, passage] of passages.entries()) {
    // The address often stands in the next paragraph.
    const next = passages[at + 1];
    const text =
      next !== undefined && next.start - passage.start < 700 ? `${passage.text}\n${next.text}` : passage.text;
    if (!/:\/\/|\[:\]|www\./i.test(text)) continue;
    const isOfPlatform = COMPONENT.test(passage.text);
    if (!isOfPlatform && !NAMED_PART.test(passage.text)) continue;
    if (!DEMANDED.test(passage.text) || !FETCHED.test(text)) continue;
    const hosts = [...text.matchAll(ADDRESS)].map(hostOf);
    const isStranger = () =>
      ABOUT_THIS_SKILL.test(text) && PROGRAM.test(text) && hosts.some((host) => STRANGERS.test(host));
    if (!isOfPlatform && !isStranger()) continue;
    if (hosts.length === 0 || hosts.some((host) => OWN.test(host)) || isOwnOrPlaceholder(text)) continue;
    hits.push(hitOf(file, passage.start, passage.start + passage.text.length));
  }
  return hits;
}

/** Asks for a key on a page. */
const ENTERED =
  /\b(?:enter|paste|type|submit|register|confirm|log ?in with|sign ?in with)\b[^.\n]{0,60}\b(?:api[ -]?keys?|access tokens?|passwords?|credentials|seed|recovery)\b/i;
const FETCHES = /\b(?:curl|wget|iwr)\b/;

function findLookalikes(file: ScanFile): Hit[] {
  if (file.kind === "binary") return [];
  const hits: Hit[] = [];
  for (const match of file.text.matchAll(ADDRESS)) {
    const host = hostOf(match);
    if (isDisguised(host)) {
      hits.push(hitOf(file, match.index, match.index + match[0].length));
      continue;
    }
    if (OWN.test(host) || !BRAND_LABEL.test(host) || isOwnOrPlaceholder(match[0])) continue;
    const around = file.text.slice(Math.max(0, match.index - 250), match.index + match[0].length + 150);
    if (!ENTERED.test(around) && !(PROGRAM.test(around) && (DEMANDED.test(around) || FETCHES.test(around)))) continue;
    hits.push(hitOf(file, match.index, match.index + match[0].length));
    if (hits.length >= 20) break;
  }
  return hits;
}

const hostOf = (match: RegExpMatchArray) => (match[1] ?? "").replaceAll("[.]", ".").toLowerCase();

/** Hosts of platforms and of places where programs are published. */
const FAMOUS =
  /^(?:anthropic|claude|openai|chatgpt|github|gitlab|githubusercontent|google|microsoft|npmjs|pypi|pythonhosted|rubygems|docker|openclaw|clawhub)\.(?:ai|com|org)$/;

/** The same, with hyphens: `pypi.org-simple.example`, `github-com.a.example`. */
const JOINED =
  /(?:^|[.-])(?:anthropic|claude|openai|github|gitlab|npmjs|pypi|pythonhosted|rubygems|docker|openclaw|clawhub)(?:-(?:ai|com|org)[.-]|\.(?:ai|com|org)-)|(?:^|[.-])git(?:hub|lab)(?:-io\.|\.io-)/;

/** A famous host in the labels of another one (`github.com.a.example`), or with digits or letters that look alike. */
function isDisguised(host: string): boolean {
  const labels = host.split(".");
  const pairs = labels.slice(0, -1).map((label, at) => `${label}.${labels[at + 1]}`);
  if (pairs.slice(0, -1).some((pair) => FAMOUS.test(pair))) return true;
  const domain = pairs.at(-1) ?? "";
  if (JOINED.test(host) && !OWN.test(host)) return true;
  if (FAMOUS.test(domain) || !/\d|rn|vv|xn--|[^ -~]/.test(domain)) return false;
  const plain = foldWord((domain.includes("xn--") ? domainToUnicode(domain) : domain).normalize("NFKD"))
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[ıɩ]/g, "i")
    .replaceAll("ɡ", "g")
    .replaceAll("0", "o")
    .replaceAll("3", "e")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
  return ["i", "l"].some((letter) => FAMOUS.test(plain.replaceAll("1", letter)));
}

function hitOf(file: ScanFile, start: number, end: number): Hit {
  const lineStart = file.text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = file.text.indexOf("\n", start);
  const line = file.text.slice(lineStart, lineEnd === -1 ? file.text.length : lineEnd).slice(0, 1_000);
  const before = file.text.slice(Math.max(lineStart, start - 80), start);
  const isWarning = speaksOfAttacks(file.text.slice(Math.max(0, start - 250), start) + line) || FORBIDDEN.test(before);
  return { start, end, ...(isWarning ? { severity: "medium" as const } : {}) };
}
