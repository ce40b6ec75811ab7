import type { Match, Rule } from "../scan/rule";
import { isNegativeExample, isProse, isRead } from "./evidence";
import { rulesOf } from "./rule-rows";

const SECRET_NAME = String.raw`(?:api[ _-]?keys?|passwords?|secrets?|access[ _-]?tokens?|private[ _-]?keys?|credentials?|seed[ _-]?phrases?|auth[ _-]?tokens?|credit[ _-]?card(?:\s+(?:number|details))?|ssn|2fa\s+codes?|one-time\s+codes?)`;

const EXAMPLE_KEY =
  /example|sample|dummy|fake|test|your|xxx|placeholder|redacted|changeme|\.\.\.|0000|1234567|abcdef|aaaa|insert/i;

const TAKES =
  /\b(?:cat|cp|scp|tar|zip|rsync|base64|xxd|head|tail|less|more|strings|grep|find|curl|wget|nc|gpg|type|get-content|copy-item|compress-archive|open|read|readfile|readfilesync|read_text|read_bytes|readtext|load|glob|listdir|walk|copyfile|copy2?|collect|gather|harvest|steal|exfiltrat\w+|upload|send|post|transmit|extract|dump|include|attach|embed|back ?up|archive|forward|copytree|expanduser|homedir|path\.home|sqlite3)\b/i;
const SETS_UP =
  /\b(?:ssh-keygen|ssh-copy-id|ssh-add|chmod|chown|ssh -i|scp -i|rsync -e|identityfile|mkdir|touch|aws configure|gcloud auth|kubeconfig=|--kubeconfig|export kubeconfig|stored? (?:in|at)|saved? (?:in|to|at)|lives? (?:in|at)|located (?:in|at)|configured? (?:in|at|via))\b/i;

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
