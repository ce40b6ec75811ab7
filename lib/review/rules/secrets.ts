import type { Match, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { findAll, has, isNegativeExample, isProse, isRead } from "./evidence";
import { rulesOf } from "./rule-rows";

const SECRET_NAME = String.raw`(?:api[ _-]?keys?|passwords?|secrets?|access[ _-]?tokens?|private[ _-]?keys?|credentials?|seed[ _-]?phrases?|auth[ _-]?tokens?|credit[ _-]?card(?:\s+(?:number|details))?|ssn|2fa\s+codes?|one-time\s+codes?)`;

const EXAMPLE_KEY =
  /example|sample|dummy|fake|test|your|xxx|placeholder|redacted|changeme|\.\.\.|0000|1234567|abcdef|aaaa|insert/i;

const TAKES =
  /\b(?:cat|cp|scp|tar|zip|rsync|base64|xxd|head|tail|less|more|strings|grep|find|curl|wget|nc|gpg|type|get-content|copy-item|compress-archive|open|read|readfile|readfilesync|read_text|read_bytes|readtext|load|glob|listdir|walk|copyfile|copy2?|collect|gather|harvest|steal|exfiltrat\w+|upload|send|post|transmit|extract|dump|include|attach|embed|back ?up|archive|forward|copytree|expanduser|homedir|path\.home|sqlite3)\b/i;
const SETS_UP =
  /\b(?:ssh-keygen|ssh-copy-id|ssh-add|chmod|chown|ssh -i|scp -i|rsync -e|identityfile|mkdir|touch|aws configure|gcloud auth|kubeconfig=|--kubeconfig|export kubeconfig|stored? (?:in|at)|saved? (?:in|to|at)|lives? (?:in|at)|located (?:in|at)|configured? (?:in|at|via))\b/i;

/** Passwords and sessions of a browser; one alone has uses, such as reading the history. */
export const BROWSER_STORES = [
  /["'\x60/\\]Login Data\b|logins\.json\b/,
  /["'\x60/\\]Cookies["'\x60]|cookies\.sqlite\b/,
  /["'\x60/\\](?:Web Data|Local State)\b|key4\.db\b/,
  /Local Extension Settings|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa/,
];
/** Records of people from a table, sent to a chat whose address is in the file, without a word when it fails. */
const TO_A_CHAT =
  /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{5,}\/[\w-]{6,}|api\.telegram\.org\/bot\d{6,}:[\w-]{8,}|hooks\.slack\.com\/services\/T\w{5,}\/B\w{5,}\/\w{6,}/;
const TABLE =
  /\bDictReader\(|\bread_(?:csv|excel|sql)\(|\bload_workbook\(|csv-parse|papaparse|\bparse\w*Csv\b|CSV\.(?:read|foreach|parse)|Import-Csv|fgetcsv\(|\bcsv\.(?:reader|NewReader)\(|\.fetchall\(/i;
const PERSONS =
  /["'\x60.](?:e-?mail|phone|telefon\w*|tel[eé]fono|iban|birth\w*|geburtsdatum|ssn|patient\w*|address|adresse|direcci[oó]n)\b/i;
const QUIETLY =
  /\bexcept\b[^\n]{0,40}:\s*(?:\n\s*)?pass\b|catch\s*(?:\(\w*\)\s*)?\{\s*\}|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|null|undefined|0)|rescue\s+(?:\w+\s+)?nil\b|contextlib\.suppress|SilentlyContinue|>\s*\/dev\/null\s+2>&1/;

/** Fields of a customer's or patient's record, two of which say who it is. */
const PERSON_FIELDS =
  /\b(?:customer|client|patient|employee|applicant|student|guest|tenant|member|user|person|donor|lead)\w{0,8}(?:\?\.|\.|\[["'])(\w{0,10}(?:name|mail|phone|address|birth\w*|iban|card\w*|ssn|diagnos\w*))/gi;
const FOR_ALL =
  /\b(?:visibility|privacy|access|listed|acl)["']?\s*[:=]\s*["']?(?:public|everyone|public-read|unlisted)\b|\b(?:is_?)?public["']?\s*[:=]\s*["']?(?:true|1)\b|https?:\/\/[\w.-]{0,40}(?:paste|rentry|hastebin|0x0\.st|transfer\.sh|telegra\.ph)/i;
/** Files of wallets; one with another, or with the stores of a browser, is no tool of one of them. */
const WALLET_STORES = [
  /solana["',\s/\\]{1,6}(?:cli["',\s/\\]{1,6})?id\.json/,
  /exodus\.wallet|seed\.seco|Coinomi|Ledger Live|atomic["',\s/\\]{1,6}Local Storage/i,
  /wallet\.dat\b|electrum["',\s/\\]{1,6}wallets|\.ethereum["',\s/\\]{1,6}keystore/i,
];
const TAKES_FILE =
  /readFile|read_(?:bytes|text)|\bopen\(|\bcat\s|base64|\bcp\s|\btar\s|\bzip\b|Compress-Archive|copyfile|ReadAll|-InFile|-F\s|@/i;
/** What was said or read, in the address of a picture, and bits as characters that are not seen. */
const BEACON =
  /(?:!\[[^\]\n]{0,80}\]\(|<img\s[^>\n]{0,60}src=\\?["'])https?:\/\/(?!mermaid\.|kroki\.|quickchart\.|www\.plantuml)[\w-]+\.[^)\s"']{0,160}[?&/=](?:["']\s*\+|\$?\{)[^\n]{0,80}(?:base64|b64encode|btoa\()/;
const UNSEEN_BITS = /\\u200[bB][^\n]{0,40}\\u200[cCdD]|["'`]\u200b["'`][^\n]{0,40}["'`][\u200c\u200d]["'`]/;
const TO_BITS = /\.toString\(2\)\.padStart\(|["':]0?8b\b|\bbin\(|\.unpack1?\(["']B/;
/** A secret that signs requests, which it does without being sent. */
const SIGNING = /\b(?:hmac\.new|createHmac|hash_hmac|HMAC\.\w+)\(\s*(?:["']\w+["']\s*,\s*)?([A-Za-z_]\w{2,30})\b/;

export const SENDS_BODY =
  /\.(?:post|put|send|sendall|sendto|upload_file|UploadString|UploadData|UploadFile)\s*\(|\bfetch\s*\(|urlopen\s*\(|\bcurl\b[^\n]{0,200}\s(?:-d|-F|-T|--data\S*)|Invoke-(?:RestMethod|WebRequest)/;
/** A host that is written in the file, and not one of a model. */
export const FAR_HOST =
  /https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|api\.(?:openai|anthropic))[\w-]+\.\w|\(\s*["'][\w-]+\.[\w.-]+\.\w{2,}["']\s*,\s*\d/;
export const SECRETS: Rule[] = rulesOf([
  {
    id: "CRD-001",
    severity: "high",
    title: "SSH keys",
    why: "Private keys give access to other machines. An added key gives access to this one.",
    owasp: ["ASI03", "LLM02"],
    asBad: "info",
    patterns: [
      {
        hints: [".ssh"],
        re: String.raw`(?:[~$\w{}%./\\-]*[/\\]|["'\x60(\s]|^)\.ssh(?:[/\\](?:id_(?:rsa|ed25519|ecdsa|dsa|\*)\w*|\*|identity|[\w.-]*key)|[/\\]?["'\x60)\s]|[/\\]?$)`,
        weigh: (match) => {
          if (/^\.pub\b/.test(match.after) || /known_hosts|\bconfig\b/.test(match.after.slice(0, 20))) return "info";
          return weighSecretPlace(match);
        },
      },
      {
        hints: ["authorized_keys"],
        re: String.raw`(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?[^\s"']*authorized_keys\b|(?:open|appendFile\w*|writeFile\w*)\s*\([^)\n]*authorized_keys[^)\n]*["'][aw]|\b(?:add|append|inject|write)\b[^.\n]{0,60}authorized_keys\b`,
        weigh: ({ line, file }) =>
          /ssh-\w+ AAAA[\w+/]{20}|curl|wget|base64/i.test(line) ||
          (file.kind === "script" && /echo|printf|write|append/i.test(line)) ||
          "medium",
      },
    ],
  },
  {
    id: "CRD-002",
    severity: "high",
    title: "Cloud credentials",
    why: "These files and addresses hold keys to cloud accounts and clusters.",
    owasp: ["ASI03", "LLM02"],
    asBad: "info",
    patterns: [
      {
        hints: [".aws", ".kube", ".docker", "gcloud", ".azure", "application_default", "kubernetes.io/serviceaccount"],
        re: String.raw`[~$\w{}%./\\-]*(?:\.aws[/\\](?:credentials|config)\b|\.kube[/\\]config\b|\.docker[/\\]config\.json|\.config[/\\]gcloud[/\\]?(?:application_default_credentials\.json|credentials\.db|access_tokens\.db|legacy_credentials)?|\.azure[/\\](?:accessTokens\.json|msal_token_cache|azureProfile\.json)|serviceaccount/token\b)`,
        weigh: weighSecretPlace,
      },
      {
        hints: [".aws", ".kube"],
        re: String.raw`["'\x60]\.(?:aws|kube|azure)["'\x60]\s*(?:,|/)\s*["'\x60](?:credentials|config)["'\x60]`,
        weigh: weighSecretPlace,
      },
      {
        hints: ["169.254.169.254", "metadata.google.internal", "169.254.170.2"],
        re: String.raw`(?:169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2)[^\s"'\x60)]*`,
        weigh: ({ text, after }) =>
          /security-credentials|\/token|\/identity|\/v2\/credentials|service-accounts|user-data/i.test(
            `${text}${after.slice(0, 80)}`,
          ) || "medium",
      },
    ],
  },
  {
    id: "CRD-003",
    severity: "high",
    title: "Browser stores, keychains, wallets, token files",
    why: "Passwords, sessions and wallets are stored there. Malware reads these files first.",
    owasp: ["ASI03", "LLM02"],
    asBad: "info",
    patterns: [
      {
        hints: ["login data", "cookies", "logins.json", "key4.db", "local state", "web data"],
        re: String.raw`(?:(?:Google[/\\]+Chrome|google-chrome|Chromium|BraveSoftware|Microsoft[/\\]+Edge|Firefox|Mozilla|Opera|Vivaldi)\b[^\n]{0,100}\b(?:Login\s+Data|Cookies|Local\s+State|Web\s+Data|logins\.json|key4\.db|cookies\.sqlite)\b|["'\x60/\\](?:Login\s+Data|logins\.json|key4\.db|cookies\.sqlite)["'\x60\s])`,
        weigh: ({ text }) => /Login\s+Data|logins\.json|key4|Local\s+State/i.test(text) || "medium",
      },
      {
        hints: [
          "keychain",
          "find-generic-password",
          "find-internet-password",
          "secret-tool",
          "cmdkey",
          "vaultcmd",
          "mimikatz",
          "lsass",
        ],
        re: String.raw`\bsecurity\s+(?:dump-keychain|find-internet-password|export\s+-k)\b|(?:cp|cat|tar|zip|scp|open)\b[^\n]*login\.keychain(?:-db)?\b|\bvaultcmd\s+/list|\bmimikatz\b|\blsass\.(?:dmp|exe)|\bcmdkey\s+/list`,
      },
      {
        hints: ["find-generic-password"],
        re: String.raw`\bsecurity\s+find-generic-password\b[^\n]*`,
        // Scripts on a Mac often read a keychain entry of their own, by its name.
        weigh: ({ text }) => /-g[aw]*\b[^\n]*chrome|chrome safe storage/i.test(text) || "info",
      },
      {
        hints: `wallet electrum exodus metamask solana keystore phantom nkbihfbeogaeaoehlefnkodbefgpgknn
          bfnaelmomeimhlpmgjnjophhpkkoljpa`.split(/\s+/),
        re: String.raw`\bwallet\.dat\b|[~$\w{}%./\\-]*\.electrum[/\\]wallets|Exodus[/\\]exodus\.wallet|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|[~$\w{}./-]*\.config/solana/id\.json|[~$\w{}./-]*\.ethereum/keystore`,
        weigh: (match) => /wallet\.dat|nkbih|bfnael|Exodus|electrum/i.test(match.text) || weighSecretPlace(match),
      },
      {
        hints: ["seed phrase", "mnemonic", "recovery phrase", "private key"],
        re: String.raw`\b(?:send|upload|post|transmit|collect|extract|steal|exfiltrat\w+|harvest|forward|email)\s+(?:(?:the|your|their|any|all|user(?:['’]s)?|every|found|of|and|wallet|crypto|address(?:es)?)\s+){0,4}(?:seed\s+phrases?|mnemonics?|recovery\s+phrases?|private\s+keys?|wallet\s+(?:keys|passwords?))`,
      },
      {
        hints:
          `.netrc .npmrc .git-credentials .pypirc .gnupg gh/hosts.yml .password-store .pgpass .bash_history .zsh_history
          /etc/shadow .claude.json .claude/.credentials`.split(/\s+/),
        re: String.raw`[~$\w{}%./\\-]*(?:\.netrc|\.npmrc|\.git-credentials|\.pypirc|\.gnupg|gh/hosts\.yml|\.password-store|\.pgpass|\.(?:bash|zsh)_history|/etc/shadow|\.claude/\.credentials(?:\.json)?|\.codex/auth\.json)\b`,
        weigh: (match) => {
          const weight = weighSecretPlace(match);
          // Writing one's own token file is set-up.
          return weight === true && /(?:>>?|\btee)\s*["']?$/.test(match.before.slice(-8)) ? "info" : weight;
        },
      },
    ],
  },
  {
    id: "CRD-004",
    severity: "medium",
    title: "Reads the whole environment",
    why: "The environment holds the keys of every program. A skill needs a few variables, not all.",
    owasp: ["ASI03", "LLM02"],
    asBad: false,
    patterns: [
      {
        hints: ["environ"],
        re: String.raw`(?:json\.dumps\s*\(\s*(?:dict\s*\(\s*)?os\.environ\b|(?:str|repr|dict|list)\s*\(\s*os\.environ\s*\)|\bfor\s+\w+(?:\s*,\s*\w+)?\s+in\s+(?:sorted\s*\(\s*)?os\.environ(?:\.items\(\))?|\{[^}\n]{0,60}\bfor\s+\w+(?:\s*,\s*\w+)?\s+in\s+os\.environ|/proc/(?:self|\d+|\$\w+|1)/environ)`,
      },
      {
        hints: ["process.env"],
        re: String.raw`(?:JSON\.stringify\s*\(\s*process\.env\s*[,)]|Object\.(?:entries|keys|values)\s*\(\s*process\.env\s*\)|\.\.\.process\.env\s*\}\s*\)\s*\))`,
      },
      {
        hints: ["env", "printenv"],
        re: String.raw`(?:^|[\s;&|(\x60$])(?:printenv|env|export\s+-p|set)\s*(?:\|\s*(?:base64|curl|nc|xxd|gzip|openssl|tee|grep\s+-\w*i\w*E?\w*\s+["']?(?:key|token|secret|pass|api|\())|>\s*[^&\s])`,
        weigh: ({ text }) => (/\|\s*(?:curl|nc|base64)/i.test(text) ? "high" : true),
      },
    ],
  },
  {
    id: "CRD-005",
    severity: "info",
    title: "Reads a .env file",
    why: "Such files hold keys. Most programs that read one need only their own.",
    owasp: ["ASI03"],
    applies: isRead,
    decoded: false,
    hints: [".env", "dotenv"],
    re: String.raw`(?:\b(?:cat|source|\.|grep|head|cp)\s+["']?(?:[\w~$./-]*/)?\.env\b|\bload_dotenv\s*\(|\bdotenv\.config\s*\(|open\s*\(\s*["'][^"'\n]*\.env["']|readFile(?:Sync)?\s*\(\s*["'][^"'\n]*\.env["'])`,
  },
  {
    id: "CRD-006",
    severity: "medium",
    title: "Asks for a secret in the conversation, or stores one",
    why: "A secret in the conversation or memory stays in logs and reaches every later tool.",
    owasp: ["ASI03", "ASI09", "LLM02"],
    applies: isProse,
    asBad: false,
    patterns: [
      {
        hints: ["ask", "prompt", "request", "tell"],
        re: String.raw`\b(?:ask|prompt|request|tell|instruct)\s+(?:the\s+)?(?:user|them|human|owner|person)\s+(?:for|to\s+(?:provide|enter|paste|share|give|type|send|supply|input))\s+(?:\w+\s+){0,3}${SECRET_NAME}`,
      },
      {
        hints: ["save", "store", "remember", "write", "record", "log"],
        re: String.raw`\b(?:save|store|remember|write|record|log|persist)\s+(?:the\s+|their\s+|any\s+|all\s+|this\s+|your\s+|user\s+)*(?:\w+\s+){0,2}${SECRET_NAME}\b[^.\n]{0,50}\b(?:memory|MEMORY\.md|SOUL\.md|notes?|conversation|chat|log\s+file|context)\b`,
      },
    ],
  },
  {
    id: "CRD-007",
    severity: "high",
    title: "Secret in the skill's files",
    why: "Every user of the skill gets this key.",
    owasp: ["ASI03", "LLM02"],
    redact: redactKey,
    patterns: [
      {
        hints:
          `akia asia ghp_ gho_ ghs_ ghu_ github_pat_ sk- sk_live rk_live xox aiza glpat- npm_ hf_ sg. dop_v1_ shpat_
          pypi- ya29. sq0 eyj key- lin_api ntn_ tskey- gsk_ r8_ pplx- xai- tvly-`.split(/\s+/),
        re: String.raw`(?-i:\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9_]{60,}\b|\bsk-(?:ant-(?:api|admin)\d\d-|proj-|or-v1-|svcacct-)[A-Za-z0-9_-]{24,}|\bsk-[A-Za-z0-9]{40,}\b|\b[sr]k_live_[A-Za-z0-9]{20,}|\bxox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{16,}|\bAIza[0-9A-Za-z_-]{35}\b|\bglpat-[A-Za-z0-9_-]{20,}|\bnpm_[A-Za-z0-9]{36}\b|\bhf_[A-Za-z0-9]{34}\b|\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{40,}|\bdop_v1_[a-f0-9]{64}\b|\bshpat_[a-f0-9]{32}\b|\bpypi-AgE[A-Za-z0-9_-]{50,}|\bgsk_[A-Za-z0-9]{48,}|\bxai-[A-Za-z0-9]{60,}|\btvly-(?:dev-)?[A-Za-z0-9]{30,}|\br8_[A-Za-z0-9]{36,}|\bpplx-[A-Za-z0-9]{40,})`,
        weigh: isRealKey,
      },
      {
        lines: 4,
        hints: ["private key-----"],
        re: String.raw`-----BEGIN (?:RSA |EC |OPENSSH |DSA |ENCRYPTED )?PRIVATE KEY-----(?:\\n|\s)+[A-Za-z0-9+/=]{40,}`,
        weigh: isRealKey,
      },
    ],
  },
]);

/** Real keys are random; words, sequences and repetitions are examples. */
function isRealKey({ text, line }: Match) {
  const body = text.slice(text.search(/[-_.][^-_.]*$/) + 1) || text;
  const distinct = new Set(text.slice(4)).size;
  if (EXAMPLE_KEY.test(text) || distinct < 12) return false;
  return /\b(?:example|sample|dummy|fake|revoked)\b/i.test(line) && body.length < 60 ? "medium" : true;
}

function redactKey(secret: string): string {
  return `${secret.slice(0, 8)}…(${secret.length} characters)`;
}

/** `high` when the line reads the place, nothing when it sets it up or warns of it, else `info`. */
function weighSecretPlace(match: Match) {
  if (isNegativeExample(match)) return false;
  const rest = match.line.replace(match.text, " ");
  return (!SETS_UP.test(rest) && TAKES.test(rest)) || "info";
}

/** Secrets or records of people that leave, by signs that no honest program has together. */
export function findSureLeak(file: ScanFile) {
  const chat = has(file, /webhook|bot\d|hook/i) ? findAll(file, [TO_A_CHAT, TABLE, PERSONS, QUIETLY]) : [];
  if (chat.length > 0) return chat;
  const hidden = has(file, /parseInt\([^\n]{0,40},\s*2\)|int\([^\n]{0,40},\s*2\)/)
    ? []
    : findAll(file, [UNSEEN_BITS, TO_BITS]);
  if (hidden.length > 0) return hidden;
  if (!has(file, FAR_HOST)) return [];
  const beacon = findAll(file, [BEACON]);
  if (beacon.length > 0 || !has(file, SENDS_BODY)) return beacon;
  const wallets = WALLET_STORES.filter((store) => has(file, store));
  const [wallet] = wallets;
  const stores = wallets.length + BROWSER_STORES.filter((store) => has(file, store)).length;
  // A tool of one chain reads the key of its command line client, to sign.
  if (wallet !== undefined && has(file, TAKES_FILE) && (stores > 1 || wallet !== WALLET_STORES[0]))
    return findAll(file, [wallet]);
  const signer = SIGNING.exec(file.text)?.[1];
  if (signer !== undefined) {
    const body = new RegExp(
      `\\b(?:dumps|stringify|json_encode|urlencode|json\\s*=|data\\s*=)\\(?\\s*\\{[^}\\n]{0,160}[:,]\\s*${signer}\\b(?!\\s*[,(.])|\\b(?:dumps|stringify|json_encode)\\(\\s*\\{[^}\\n]{0,160}[:,]\\s*${signer}\\s*[,}]`,
    );
    const sent = findAll(file, [body]);
    if (sent.length > 0) return sent;
  }
  if (!has(file, FOR_ALL)) return [];
  const fields = new Set([...file.text.matchAll(PERSON_FIELDS)].slice(0, 40).map(([, field]) => field));
  return fields.size > 2 ? findAll(file, [FOR_ALL]) : [];
}
