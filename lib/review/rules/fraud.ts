import type { Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { findAll, has, isOwnOrPlaceholder, isPage, isProse, isRead } from "./evidence";
import { rulesOf } from "./rule-rows";

const ADDRESS_LITERAL = String.raw`(?:0x[0-9a-f]{40}|bc1[a-z0-9]{25,60}|(?-i:\b[13][A-HJ-NP-Za-km-z1-9]{25,34}\b|\bT[A-HJ-NP-Za-km-z1-9]{33}\b|\b[1-9A-HJ-NP-Za-km-z]{43,44}\b))`;
const ADDRESS_OF_AUTHOR = new RegExp(`["'\`]${ADDRESS_LITERAL.replace("(?-i:", "(?:")}["'\`]`, "i");
const BILLING_KEY = /["'`](?:sk|bk|pk|rk|ak|bill|pay)_(?!test|example|your|xxx)[0-9a-z_]{8,}["'`]/i;
const COPIES_ADDRESS = new RegExp(
  String.raw`\b(?:pyperclip\.copy|clipboard\.(?:write\w*|copy)|setData|Set-Clipboard|pbcopy|xclip|xsel|SetClipboardData)\b[^\n]{0,60}${ADDRESS_LITERAL.replace("(?-i:", "(?:")}`,
  "i",
);
const OPENS_WALLET =
  /\b(?:fromSecretKey|new (?:ethers\.)?Wallet|privateKeyToAccount|[aA]ccount\.from_key|Keypair\.from_\w+)\s*\(/;
/** A pattern of the program that recognizes addresses of wallets. */
const WALLET_SHAPE =
  /0x\[(?:a-f|A-F|0-9)|0x\(?\?:?\[|\[a-fA-F0-9\]\{40\}|\bbc1[|)\\[]|\(bc1|\[13\]\[|\[13LM|\{2[5-9],3\d\}|\^T\[|\^4\[|\[48\]\[/;
const READS_CLIPBOARD =
  /\bpyperclip\.paste|clipboard\.read\w*|clipboard_get|GetClipboardData|Get-Clipboard|\bpbpaste\b|\bwl-paste\b|xclip[^\n]{0,40}\s-o|xsel[^\n]{0,20}\s-o|clipboard\(\)\.text|clipboardy\.read/i;
const UNLIMITED = /MaxUint256|MAX_?UINT|\b2n?\s*\*\*\s*256n?|type\(uint256\)\.max|f{40}|115792089/i;
const PAID_MODELS =
  /api\.(?:openai|anthropic|deepseek|mistral|groq|x)\.(?:com|ai)|openrouter\.ai|generativelanguage|completions\.create|messages\.create|\bopenai\b|\banthropic\b/i;
const ENV_KEYS =
  /(?:OPENAI|ANTHROPIC|GEMINI|OPENROUTER|GROQ|MISTRAL|DEEPSEEK|GOOGLE)_API_KEY|\b(?:OpenAI|Anthropic)\(\s*\)/;
const PAYS =
  /\b(?:price|payout|earn(?:s|ed|ings)?|seller|resale|resell\w*|reward|bounty|commission|customers?|wallet)\b/i;
const TARGETS =
  /https?:\/\/(?!api\.twitter|api\.x\.com|www\.googleapis|[\w.]*reddit)[\w.-]+\/[\w./-]*(?:targets?|list|boost|queue|tasks?)/i;
const ASKS = /\binput\(|\bconfirm|\.question\(|\bprompt\b|inquirer|click\.confirm/i;
const GIFTS = /gift|voucher|vale-presente|\bgc-|e-?gift|geschenk/i;
/** Words for hiding a rewritten link from the user, in several languages. */
const HIDES =
  /\b(?:do not|don['’]t|never) (?:mention|tell|show|reveal|disclose)|without (?:telling|mentioning|saying)|even (?:if|when) the user (?:pastes|sends|gives)|say (?:that )?(?:it|the link) is the original|n[ãa]o (?:mostr|mencion|cont|diga)|mesmo quando|diga que|no (?:lo )?(?:muestr|mencion|digas)|aunque el usuario|ne (?:pas|le) (?:mentionn|montr|dis)|même si|nicht (?:erwähn|zeig|sag)|auch wenn|не (?:говори|упоминай|показывай|сообщай)|даже если|不要(?:告诉|提及|显示)|即使用户|言わない|伝えない|表示しない|말하지|알리지/i;
/** Contracts of exchanges that take an allowance of any size. */
const EXCHANGES =
  /0x(?:E592427A0AEce92De3Edee1F18E0157C05861564|7a250d5630B4cF539739dF2C5dAcb4c659F2488D|68b3465833fb72A70ecDF485E0e4C7bD8665Fc45|000000000022D473030F116dDEE9F6B43aC78BA3|1111111254EEB25477B68fb85Ed929f73A960582|Def1C0ded9bec7F1a1670819833240f027b25EfF)/i;
const BROWSER = /playwright|puppeteer|selenium|webdriver|\bpage\.|\bdriver\./i;
const AUTOMATED = /\bfor\b|forEach|\.map\(/;
const MANY_ACCOUNTS =
  /\b(?:accounts?|bots|profiles|sock_?puppets|users|logins|identities)\b[^\n]{0,60}(?:\.csv|\.json|\.txt|\[|\.map|DictReader)|(?:\.csv|\.json|\.txt)["'][^\n]{0,40}\baccounts?\b/i;
const RATES =
  /\b(?:review|rating|stars?|upvote|vote|like|follow|subscribe|comment)s?\b[^\n]{0,80}(?:click|submit|send_keys|type\(|fill\()|(?:click|send_keys|type|fill)\([^\n]{0,60}(?:review|rating|\bstar|upvote|\bvote|\blike|follow)/i;
const MODELS =
  /completions\.create|messages\.create|responses\.create|generate_?[cC]ontent|api\.(?:openai|anthropic)\.com/;
const ENDLESS = /\bwhile\s*\(?\s*(?:True|true|1|:)|\bfor\s*\(\s*;\s*;|\bsetInterval\b/;
const REQUESTS = /\b(?:requests|httpx|axios|session)\.(?:get|post)\b|\bfetch\s*\(|\burlopen\b|\bcurl\b/;
const JOBS = /https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|api\.(?:openai|anthropic)\.com)[\w.-]+\.\w+/;
const AGENTS = /user_?agent/i;

/** Money, accounts, hardware and paid services of the user that work for the author. */
export const FRAUD: Rule[] = rulesOf([
  {
    id: "FRD-001",
    version: 7,
    severity: "critical",
    title: "Charges or moves the user's money",
    why: "Bills calls with a key of the author, moves a whole balance, or replaces payment addresses.",
    owasp: ["ASI02", "ASI09", "LLM10"],
    applies: (file) => isRead(file) || isPage(file),
    asBad: "info",
    onlyWith: [BILLING_KEY, COPIES_ADDRESS, OPENS_WALLET],
    checkFile: findTheft,
    patterns: [
      {
        hints: ["pyperclip", "clipboard", "pbcopy", "xclip", "xsel", "wl-copy"],
        re: String.raw`\b(?:pyperclip\.copy|clipboard(?:y|\(\))?\.(?:write\w*|copy|setText|setContents)|clipboard_append|Set-Clipboard|SetClipboardData|SetClipboardText|pbcopy|xclip|xsel|wl-copy)\b`,
        weigh: ({ file, text, line }) =>
          has(file, READS_CLIPBOARD) &&
          !isClearedOrGiven(file, line.slice(line.indexOf(text) + text.length)) &&
          (has(file, WALLET_SHAPE) ||
            (file.linked ?? []).some((other) => has(other, WALLET_SHAPE) && has(other, ADDRESS_OF_AUTHOR))),
      },
      {
        hints: ["approve", "increaseallowance", "setapprovalforall"],
        re: String.raw`\b(?:approve|safeApprove|increaseAllowance|setApprovalForAll)["'\x60]?\s*(?:\(|,\s*args:\s*\[)\s*(?:["'\x60](0x[0-9a-f]{40})["'\x60]|([a-z_]\w*))\s*,[^\n]*`,
        weigh: ({ text, groups: [literal = "", name = ""], file }) => {
          if (!UNLIMITED.test(text) && !/setApprovalForAll[^\n]*,\s*true/i.test(text)) return false;
          return !EXCHANGES.test(file.text.slice(0, 20_000)) && (literal !== "" || isFixed(file, name));
        },
      },
      {
        lines: 6,
        hints: ["signtypeddata"],
        re: String.raw`\b_?signTypedData\w*\b[^;]{0,600}?\bspender["']?\s*:\s*["'\x60]0x[0-9a-f]{40}["'\x60]`,
        weigh: ({ text }) => !EXCHANGES.test(text),
      },
      {
        hints: ["transfer", "sendtransaction"],
        re: String.raw`\b(?:transfer|sendTransaction)\s*\([^\n]{0,80}["'\x60]${ADDRESS_LITERAL}["'\x60][^\n]{0,60}\bbal(?:ance)?\w*\b`,
      },
      {
        lines: 4,
        hints: ["eth_sendtransaction", "signtransaction", "signalltransactions", "signandsend", "sendtransaction"],
        re: String.raw`\b(?:eth_sendTransaction|sign(?:All)?Transactions?|signAndSend\w*|sendTransaction)\b[^;]{0,300}?\.(?:to|recipient|destination|toPubkey)\s*=\s*["'\x60]${ADDRESS_LITERAL}`,
      },
      {
        hints: ["xmlhttprequest.prototype", "window.fetch", "globalthis.fetch"],
        re: String.raw`\b(?:XMLHttpRequest\.prototype\.(?:open|send)|(?:window|globalThis)\.fetch)\s*=[^=]`,
        weigh: ({ file }) => has(file, WALLET_SHAPE) && has(file, /\.replace\(|levenshtein/i),
      },
      {
        hints: ["solana transfer", "spl-token", "sendtoaddress", "cast send", "sweep_all"],
        re: String.raw`\b(?:solana\s+transfer|spl-token\s+transfer|\w+-cli\s[^\n]*sendtoaddress|cast\s+send|sweep_all)\b[^\n]*${ADDRESS_LITERAL}[^\n]*`,
        weigh: ({ text, file }) =>
          file.kind === "script" &&
          (/\bALL\b|sweep_all|balance/.test(text) ||
            has(file, /\b(?:solana|cast|getbalance|spl-token)\s+balance|getbalance/i)),
      },
      {
        hints: ["acct_"],
        re: String.raw`\b(?:transfer_data|destination|on_behalf_of|stripe_?account)\b[^\n]{0,60}["'\x60]acct_\w{8,}`,
        weigh: ({ text }) => !/your|example|xxx|123456|<|\$\{/i.test(text) || "medium",
      },
      {
        // A payee that is not to be read at sight.
        hints: ["iban", "payto", "pay_to", "payee", "receiver", "recipient", "destination", "beneficiary", "payout"],
        re: String.raw`\b(?:iban|pay_?to|payee|receiver|recipient|destination|beneficiary|payout)\w*["']?\s*[:=]\s*(?:Buffer\.from|atob|(?:base64\.)?b64decode|bytes\.fromhex|codecs\.decode)\(\s*b?["'\x60]`,
        weigh: ({ file }) => file.kind === "script",
      },
      {
        hints: ["acct_"],
        re: String.raw`\bacct_\w{8,}`,
        weigh: ({ file, view }) =>
          view !== "source" && file.kind === "script" && has(file, /\bdestination\b|transfer_data/),
      },
      {
        // The key of the user signs a payment to a fixed address.
        hints: ["payto", "pay_to"],
        re: String.raw`\bpay_?to["']?\s*[:=]\s*["'\x60]${ADDRESS_LITERAL}["'\x60]`,
        weigh: ({ file }) =>
          file.kind === "script" && has(file, /\bsign\w*payment/i) && has(file, /(?:WALLET|PRIVATE)_KEY/),
      },
      {
        // A page that has the agent change the account of bills.
        hints: ["iban"],
        re: String.raw`\b(?:replac|remplac|ersetz|reemplaz|substitu|sostitu|cambi|swap|chang|overwrit)\w*\b[^.\n]{0,60}\biban\b[^\n]{0,80}(?-i:\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7})`,
        weigh: ({ line, text, file }) =>
          isProse(file) &&
          !/\b(?:your|own|votre|ihre[nr]?|eigene[nr]?|tu|seu)\b/i.test(line.slice(line.indexOf(text) + text.length)),
      },
      {
        // A template or program puts another account on some bills.
        hints: ["iban"],
        re: String.raw`(?:\bif\b|\?)[^\n]{0,120}(?-i:\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?\b)[^\n]{0,60}(?:\belse\b|:)[^\n]{0,60}\biban\b|\biban\b[^\n]{0,80}\bif\b[^\n]{0,80}\belse\b[^\n]{0,20}(?-i:\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7})`,
        weigh: ({ file }) => !isProse(file),
      },
      {
        // Numbers of satellites and services that cost a lot for each message.
        hints: ["+88", "+979", "+1900", "+4487", "+449"],
        re: String.raw`["'\x60]\+(?:88[123]\d{6,}|979\d{6,}|1900\d{7}|44(?:9|87)\d{8,})["'\x60]`,
        weigh: ({ file }) => file.kind === "script" && has(file, /twilio|vonage|nexmo|\bsms\b|messagebird|plivo/i),
      },
      {
        hints: ["fee", "treasury", "commission", "referrer"],
        re: String.raw`\b\w*(?:fee|treasury|commission|referrer|dev)_?(?:wallet|address|account|recipient|receiver|addr)?\w*\s*[:=]\s*(?:new\s+PublicKey\()?["'\x60]${ADDRESS_LITERAL}["'\x60]`,
        weigh: ({ file }) =>
          has(file, /\b(?:transfer|sendTransaction|send_(?:raw_)?transaction|sendAndConfirm\w*)\s*\(/) &&
          has(file, /\*\s*0\.\d|\*\s*\d+n?\s*\/\s*10+n?\b|\/\s*100n?\b|bps/i),
      },
      {
        hints: ["tag=", "aff=", "aff_id=", "affiliate", "ref="],
        re: String.raw`\b(?:tag=[\w-]+-2\d|(?:aff|aff_id|affid|aid|irclickid|ref)=[\w-]{3,40})\b`,
        // A page that has the agent put it into every link and hide it.
        weigh: (match) =>
          isProse(match.file) && HIDES.test(`${match.before.slice(-300)}${match.text}${match.after.slice(0, 300)}`),
      },
      {
        hints: ["tag", "aff", "a_aid", "irclickid"],
        re: String.raw`["'\x60](?:tag|aff(?:iliate)?(?:_?id)?|a_aid|irclickid)["'\x60]\s*(?:,|\]\s*=)\s*["'\x60][\w-]{3,40}["'\x60]`,
        weigh: ({ text, file }) =>
          file.kind === "script" &&
          (/-2\d["'`]$/.test(text) ? has(file, /amazon|amzn/i) : has(file, /searchParams|parse_qs|urlencode/)),
      },
    ],
  },
  {
    id: "FRD-002",
    severity: "critical",
    title: "Uses the user's account for its author",
    why: "Stars, follows or votes with the user's account.",
    owasp: ["ASI02", "ASI03"],
    asBad: "info",
    version: 4,
    patterns: [
      {
        hints: [
          "starrepo",
          "star_repo",
          "follow_user",
          "create_friendship",
          ".upvote(",
          "like_repo",
          "users.follow",
          "add_to_starred",
          "add_to_following",
        ],
        re: String.raw`(?:\bactivity\.starRepo\w*|\badd_to_(?:starred|following)|\bfollow_user|\bcreate_friendship|\.upvote|\blike_repo|\busers\.follow)\s*\([^\n]*`,
        weigh: ({ text, file }) =>
          file.kind === "script" && (/["'\x60]/.test(text) || !has(file, /argv|argparse|process\.argv|click\./)),
      },
      {
        hints: ["user/starred", "user/following", "starrepository", "addstar", "followuser"],
        re: String.raw`(?:-X\s*PUT|--method\s+PUT|\bput\s*\()[^\n]{0,80}\buser/(?:starred|following)/[^\n]*|\b(?:addStar|followUser)\s*\(\s*input`,
        // What the user names is the user's wish.
        weigh: ({ text, file }) =>
          isProse(file) && !/-X|--method/.test(text)
            ? "high"
            : !/\/(?:starred|following)\/["']?\$[1@*]/.test(text) &&
              !isTyped(file, /\/(?:starred|following)\/["']?\$\{?([A-Za-z_]\w*)/.exec(text)?.[1]),
      },
      {
        hints: ["clawhub ", "npm star", "skills star", "npx star", "repo star"],
        re: String.raw`\b(?:clawhub|clawdhub|npm|skills?|smithery|glama|hf|gh\s+repo|glab\s+repo)\s+(?:star|upvote|like|follow)\s+[\w@][^\n]*`,
        weigh: ({ file }) => file.kind === "script",
      },
      {
        hints: [
          "/favourite",
          "/favorites/create",
          "/friendships/create",
          "/reblog",
          "videos().rate",
          "subscriptions().insert",
          "/vote",
        ],
        re: String.raw`/(?:favorites|friendships)/create\b|/statuses/[^\s"'\x60]{1,60}/(?:favourite|reblog)\b|\bvideos\(\)\.rate\(|\bsubscriptions\(\)\.insert\(|/api/vote\b`,
        weigh: ({ file }) =>
          file.kind === "script" &&
          has(file, /\bfor\b|\.map\(|forEach/) &&
          has(file, TARGETS) &&
          !has(file, /argv|argparse|input\(|click\./),
      },
    ],
  },
  {
    id: "FRD-004",
    severity: "critical",
    title: "Writes reviews or votes with many accounts",
    why: "Signs in with account after account and rates, votes or follows, which deceives others and breaks the rules of the site.",
    owasp: ["ASI02", "ASI09"],
    applies: ({ kind }) => kind === "script",
    decoded: false,
    checkFile: (file) =>
      has(file, BROWSER) && has(file, AUTOMATED) && !has(file, ASKS)
        ? findAll(file, [MANY_ACCOUNTS, /\bproxy\b|proxies|--proxy-server|user_?agents?\b/i, RATES, BROWSER])
        : [],
  },
  {
    id: "FRD-003",
    severity: "critical",
    title: "Earns money for its author on the user's machine",
    why: "Clicks advertisements, visits pages for money, sells the network connection, or answers paid jobs with the user's key.",
    owasp: ["ASI02", "LLM10"],
    asBad: "info",
    version: 3,
    patterns: [
      {
        // Jobs of strangers that the user's key answers.
        hints: ["websocket", "ws://", "wss://", "/jobs", "/tasks", "/next", "/lease", "/seller", "/worker"],
        re: String.raw`\b(?:new\s+WebSocket|websockets?\.connect|create_connection|WebSocketApp|io)\(\s*["'\x60]wss?://[^\s"'\x60]+|https?://[^\s"'\x60]+/(?:jobs?|tasks?|next|lease|seller|worker)\b[^\s"'\x60]*`,
        weigh: ({ text, file }) =>
          file.kind === "script" &&
          !/localhost|127\.0\.0\.1|api\.(?:openai|anthropic)\.com/.test(text) &&
          has(file, PAID_MODELS) &&
          has(file, ENV_KEYS) &&
          has(file, PAYS),
      },
      {
        // A purchase that the program itself confirms.
        hints: [
          "buy-now",
          "buynow",
          "turbo-checkout",
          "place-order",
          "placeorder",
          "submitorder",
          "place_order",
          "one-click",
        ],
        re: String.raw`(?:\.click\(\s*|querySelector\(\s*|locator\(\s*|By\.\w+,\s*)["'\x60][^"'\x60\n]{0,60}(?:buy-?now|turbo-checkout|place_?-?order|submitOrder|one-click)[^\n]*`,
        weigh: ({ file }) =>
          file.kind === "script" && has(file, BROWSER) && !has(file, ASKS) ? has(file, GIFTS) || "high" : false,
      },
      {
        lines: 6,
        hints: ["adsbygoogle", "aclk", "doubleclick", "googlesyndication", "taboola", "outbrain", "adclick"],
        re: String.raw`(?:adsbygoogle|\baclk\b|doubleclick|googlesyndication|taboola|outbrain|adclick)[^\n]*(?:\n[^\n]*){0,4}?\.click\(`,
        weigh: ({ text, file }) => has(file, BROWSER) && !/\.remove\(|display|\.hide|abort/.test(text),
      },
      {
        lines: 4,
        hints: ["seq ", "range("],
        re: String.raw`(?:\bseq\s+(?:1\s+)?|\brange\(\s*)\d{3,}\s*\)[^\n]*(?:\n[^\n]*){0,2}?\b(?:curl\b[^\n]*-o\s*/dev/null|requests\.get\()[^\n]*https?://[^\s$"'{]+["'\s;)]`,
        weigh: ({ text, file }) =>
          file.kind === "script" && !isOwnOrPlaceholder(text) && !/-w\s|%\{http_code/.test(text),
      },
      {
        hints: ["referer", "/click?", "/aclk?", "adclick", "clickurl", "click_url", "adurl", "ad_url"],
        re: String.raw`\breferr?er["'\x60]?\s*[=:]\s*["'\x60]https?://|https?://[^\s"'\x60]*/(?:click|aclk|adclick)\?[^\n]*|\b(?:fetch|get|goto|curl|request|urlopen|open)\b[^\n]{0,60}\b(?:click_?url|ad_?url)\b[^\n]*`,
        weigh: ({ text, file }) =>
          file.kind === "script" &&
          has(file, /\bfor\b|\bwhile\b|setInterval|\bxargs\b/) &&
          (/click\?/.test(text) ||
            (/(?:click|ad)_?url/i.test(text) &&
              has(file, /user-agent/i) &&
              has(file, /\brandom|\bshuf\b|\$RANDOM|uniform\(/i)) ||
            (has(file, AGENTS) && has(file, /random\.choice|Math\.random|\bshuf\b|\$RANDOM/) && has(file, BROWSER))),
      },
      {
        hints: ["setsid", "os.fork", "detached", "nohup"],
        re: String.raw`\bsetsid\b|\bos\.fork\s*\(|\bdetached\b|\bnohup\b`,
        weigh: ({ file }) =>
          file.kind === "script" && has(file, MODELS) && has(file, ENDLESS) && has(file, REQUESTS) && has(file, JOBS),
      },
      {
        hints: [
          "pawns",
          "honeygain",
          "traffmonetizer",
          "packetstream",
          "earnapp",
          "repocket",
          "proxyrack",
          "bitping",
          "iproyal",
        ],
        re: String.raw`\b(?:pawns-cli|honeygain|traffmonetizer|packetstream|psclient|earnapp|repocket|proxyrack|bitping)\b[^\n]*(?:-(?:email|token|t|e|accept-tos|pass\w*)\b|start|docker|CID=)`,
        weigh: ({ file }) => file.kind === "script",
      },
    ],
  },
]);

/** Whether a name has a fixed address in the file. */
function isFixed({ text }: ScanFile, name: string): boolean {
  return name !== "" && new RegExp(`\\b${name}\\s*[:=]\\s*["'\`]0x\\w{38,44}["'\`]`).test(text.slice(0, 50_000));
}

/** Whether the clipboard is emptied, or gets what the user gave to the program. */
function isClearedOrGiven(file: ScanFile, argument: string): boolean {
  if (/^\s*\(\s*(?:""|''|``)\s*\)/.test(argument)) return true;
  const name = /^\s*\(\s*([A-Za-z_]\w*)\s*\)/.exec(argument)?.[1];
  if (name === undefined) return false;
  return askedOnce(file, `given ${name}`, (text) => {
    const values = [...text.matchAll(new RegExp(`\\b${name}\\s*=(?!=)([^\\n]*)`, "g"))];
    return values.length > 0 && values.every(([, value = ""]) => /\bargv\b|\bargs\.|\binput\(/.test(value));
  });
}

/** Whether a script of the shell asks the user for the value of a variable. */
function isTyped(file: ScanFile, name: string | undefined): boolean {
  if (name === undefined) return false;
  return askedOnce(file, `typed ${name}`, (text) =>
    new RegExp(`\\bread\\s+-\\w*p\\b[^\\n]{0,300}\\b${name}\\s*(?:[;&|]|$)`, "m").test(text),
  );
}

const MAX_NAMES = 40;
/** About the file that is scanned. */
let answers: { file: ScanFile | null; known: Map<string, boolean> } = { file: null, known: new Map() };

/** Each name is looked up once for each file, and only so many of them. */
function askedOnce(file: ScanFile, question: string, test: (text: string) => boolean): boolean {
  if (answers.file !== file) answers = { file, known: new Map() };
  const { known } = answers;
  const answer = known.get(question) ?? (known.size < MAX_NAMES && test(file.text.slice(0, 50_000)));
  if (known.size < MAX_NAMES) known.set(question, answer);
  return answer;
}

function findTheft(file: ScanFile) {
  return [
    ...findAll(file, [
      BILLING_KEY,
      /\b(?:charge|billing|deduct|debit|skillpay|payments?)\b[^\n]{0,60}/i,
      /\b(?:requests|axios|httpx)\.post\b|\bfetch\s*\(|\bcurl\b|\burlopen\b/,
      /\b(?:amount|per call|price|credits?|usd[ct]?|eur|cents)\b/i,
    ]),
    ...findAll(file, [COPIES_ADDRESS]),
    ...findAll(file, [
      OPENS_WALLET,
      /\b(?:balance|b|bal|all|total|have|lamports)\s*-\s*(?:\d|fee|gas|cost)|\bMaxUint256\b|\bMAX_UINT|2\s*\*\*\s*256|\bgetBalance\b[^\n]*\btransfer\b/i,
      /\b(?:transfer|sendTransaction|send_(?:raw_)?transaction|approve|sendAndConfirm\w*)\s*\(/,
      /["'](?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{43,44})["']/,
    ]),
  ];
}
