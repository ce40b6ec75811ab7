import type { Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { around, isProse, isRead } from "./evidence";
import { rulesOf } from "./rule-rows";

const SECURITY_LOGS = String.raw`/var/log/(?:audit\b|auth\.log|secure\b|syslog|wtmp|btmp|lastlog|messages|journal\b|faillog)`;
const ADDRESS_LITERAL = String.raw`(?:0x[0-9a-f]{40}|bc1[a-z0-9]{25,60}|(?-i:\b[13][A-HJ-NP-Za-km-z1-9]{25,34}\b|\bT[A-HJ-NP-Za-km-z1-9]{33}\b|\b[1-9A-HJ-NP-Za-km-z]{43,44}\b))`;

/** Deeds that no task of a skill needs: wiping traces, switching off protection, extortion, theft of money. */
export const HOSTILE_DEEDS: Rule[] = rulesOf([
  {
    id: "SYS-006",
    severity: "critical",
    title: "Wipes logs or history",
    why: "Removes the records that would show what happened on this machine.",
    owasp: ["ASI10", "ASI02"],
    asBad: "info",
    patterns: [
      {
        hints: ["/var/log"],
        re: String.raw`(?:\brm\s+(?:-\S+\s+)*|\bshred\s[^\n]*|\btruncate\s[^\n]*|\bsed\s+-i\S*\s[^\n]*|>\s*|\bcat\s+/dev/null\s*>\s*|\bln\s+-sf\s+/dev/null\s+|\bfind\s+)[^\n;&|]{0,120}${SECURITY_LOGS}[^\n]*`,
        weigh: ({ text }) => !/^find\b/i.test(text) || /-delete\b|-exec\s+(?:rm|shred)/.test(text),
      },
      {
        hints: ["journalctl"],
        re: String.raw`\bjournalctl\b[^\n]*--vacuum-(?:time=[0-5]?\d?s\b|size=\d{1,3}[kb]?\b|files=[01]\b)`,
      },
      {
        hints: ["history"],
        re: String.raw`(?:>\s*|\brm\s+(?:-\S+\s+)*|\bshred\s[^\n]*|\bln\s+-sf\s+/dev/null\s+|\btruncate\s[^\n]*)["']?[~$\w{}/.-]*\.(?:bash|zsh|sh|python)_history\b|\bunset\s+HISTFILE\b[^\n]*\bhistory\s+-c\b|\bhistory\s+-c\b[^\n]*\bunset\s+HISTFILE\b|\bClear-History\b[^\n]*ConsoleHost_history`,
      },
      {
        hints: ["wevtutil", "clear-eventlog", "remove-eventlog"],
        re: String.raw`\bwevtutil(?:\.exe)?\s+(?:cl|clear-log)\s+["'$]*\w+|\b(?:Clear|Remove)-EventLog\b[^\n]*`,
      },
      {
        hints: ["cloudtrail", "auditctl", "auditpol", "logging sinks"],
        re: String.raw`\bcloudtrail\s+(?:stop-logging|delete-trail)\b|\bauditctl\s+-e\s*0\b|\bauditpol\b[^\n]*/(?:clear|remove)\b|\bgcloud\s+logging\s+(?:sinks|logs)\s+delete\b`,
      },
    ],
  },
  {
    id: "SYS-007",
    severity: "critical",
    title: "Switches off protection",
    why: "Stops or weakens the system's own defences: virus scanners, quarantine, audit, sign-in checks, backups.",
    owasp: ["ASI02", "ASI03"],
    asBad: "info",
    patterns: [
      {
        hints: ["mppreference", "spctl", "csrutil", "setenforce", "defender"],
        re: String.raw`\bSet-MpPreference\b[^\n]*-Disable\w+\s+(?:\$true|1)\b|\bAdd-MpPreference\b[^\n]*-ExclusionPath\s+["']?[a-z]:\\?["']?(?:\s|;|$)|\bspctl\s+--(?:master|global)-disable\b|\bcsrutil\s+disable\b|\bsc(?:\.exe)?\s+(?:stop|delete|config)\s+["']?(?:WinDefend|Sense)\b`,
      },
      {
        hints: ["systemctl", "launchctl", "service ", "pkill", "killall", "rmmod", "net stop"],
        re: String.raw`\b(?:systemctl\s+(?:stop|disable|mask)(?:\s+--now)?|launchctl\s+(?:unload|bootout|remove|disable)|service|pkill|killall|net\s+stop)\s[^\n;&|]{0,80}\b(?:auditd|rsyslog|crowdstrike|falcon\w*|sentinel\w*|carbonblack|cbagent\w*|osqueryd?|wazuh\w*|clamav\w*|mdatp|sophos\w*|eset\w*|tanium\w*|santad?|littlesnitch|lulu|fail2ban)\b[^\n]*`,
        weigh: ({ text }) => !/^service\b/i.test(text) || /\bstop\b/i.test(text),
      },
      {
        hints: ["vssadmin", "wbadmin", "bcdedit", "shadowcopy", "tmutil"],
        re: String.raw`\bvssadmin(?:\.exe)?\s+delete\s+shadows|\bwbadmin(?:\.exe)?\s+delete\s+(?:catalog|backup|systemstatebackup)|\bbcdedit\b[^\n]*recoveryenabled\s+no|\bwmic\s+shadowcopy\s+delete|\btmutil\s+(?:disable\b|delete\s)`,
      },
      {
        hints: ["pam_permit", "useradd", "adduser", "chpasswd", "sudoers", "usermod"],
        re: String.raw`\bauth\s+(?:sufficient|required)\s+pam_permit\.so\b|\b(?:useradd|adduser|usermod)\b[^\n]*\s(?:-o\b[^\n]*-u|--non-unique[^\n]*--uid|-u)\s*=?0\b|\bchpasswd\b[^\n]*(?:;|&&)[^\n]*NOPASSWD\s*:\s*ALL`,
        weigh: ({ line }) => !/^\s*auth\b/.test(line) || "high",
      },
      {
        hints: ["sudo", "ssh", "passwd"],
        re: String.raw`\balias\s+(?:sudo|su|ssh|passwd)=[^\n]{0,300}\b(?:curl|wget|nc|read\s+-\w*s|/tmp/|tee)\b|\b(?:sudo|su|ssh|passwd)\s*\(\)\s*\{`,
        weigh: ({ text, after }) => {
          if (text.startsWith("alias")) return true;
          const [first = ""] = after.split("\n", 1);
          const body = first.includes("}") ? first : after.slice(0, after.search(/\n[ \t]{0,2}\}/) + 1 || after.length);
          return /\bread\s+-\w*s|\b(?:curl|wget|nc)\b|\btee\s|>>/.test(body);
        },
      },
      {
        hints: ["drop database", "dropdb", "aws s3", "gsutil", "kubectl delete"],
        re: String.raw`\b(?:aws\s+s3\s+(?:rm|rb)\b[^\n]*(?:--recursive|--force)|gsutil\s+(?:-m\s+)?rm\s+-\w*r|drop\s+database\b|dropdb\b)[^\n]*`,
        weigh: (match) => /\bbackups?\b|BACKUP/i.test(match.line) && /\bPROD|\bprod/.test(around(match)),
      },
    ],
  },
  {
    id: "SYS-008",
    severity: "critical",
    title: "Encrypts files for ransom",
    why: "Encrypts the user's files, removes the originals and asks for money.",
    owasp: ["ASI02", "ASI05"],
    decoded: false,
    applies: isRead,
    checkFile: findRansom,
  },
  {
    id: "SYS-009",
    severity: "critical",
    title: "Leaves a way in",
    why: "Adds a stranger's key, or code that starts with every interpreter and loads more.",
    owasp: ["ASI10", "ASI03"],
    asBad: "info",
    patterns: [
      {
        hints: ["authorized_keys"],
        re: String.raw`\bssh-(?:rsa|ed25519|ecdsa|dss)\s+AAAA[\w+/=]{20,}[^\n]{0,200}(?:>>?|\btee\b)[^\n]{0,80}authorized_keys\b|authorized_keys\b[^\n]{0,120}\bssh-(?:rsa|ed25519|ecdsa)\s+AAAA[\w+/=]{20,}`,
        weigh: ({ text }) => !/example|your|placeholder|\.\.\.|xxxx/i.test(text),
      },
      {
        lines: 4,
        hints: ["sitecustomize", "usercustomize", ".pth"],
        re: String.raw`\b(?:sitecustomize|usercustomize)\.py\b[^\n]*(?:\n[^\n]*){0,3}?\b(?:exec|eval|urlopen|subprocess|os\.system|https?:)`,
      },
    ],
  },
  {
    id: "FRD-001",
    version: 2,
    severity: "critical",
    title: "Charges or moves the user's money",
    why: "Bills calls with a key of the author, moves a whole balance, or replaces payment addresses.",
    owasp: ["ASI02", "ASI09", "LLM10"],
    decoded: false,
    applies: isRead,
    checkFile: findTheft,
  },
  {
    id: "FRD-002",
    severity: "critical",
    title: "Uses the user's account for its author",
    why: "Stars, follows or votes with the user's account.",
    owasp: ["ASI02", "ASI03"],
    asBad: "info",
    hints: ["/user/starred", "/user/following", "starrepository", "addstar", "followuser"],
    re: String.raw`(?:-X\s*PUT|--method\s+PUT|\bput\s*\()[^\n]{0,80}/user/(?:starred|following)/[^\n]*|\b(?:addStar|followUser)\s*\(\s*input`,
    // What the user names is the user's wish.
    weigh: ({ text, file }) =>
      isProse(file) && !/-X|--method/.test(text) ? "high" : !/\/(?:starred|following)\/["']?\$[1@*]/.test(text),
  },
]);

/** All of several things in one file. */
function findAll(file: ScanFile, parts: RegExp[]) {
  const [first] = parts;
  if (first === undefined || !parts.every((part) => part.test(file.text))) return [];
  const match = first.exec(file.text);
  return match === null ? [] : [{ start: match.index, end: match.index + match[0].length }];
}

function findRansom(file: ScanFile) {
  return findAll(file, [
    /\b(?:Fernet|AES\.new|createCipheriv|openssl enc|gpg (?:-c|--symmetric)|ChaCha20\w*|cryptography)\b[^\n]{0,120}/,
    /\bos\.walk\b|\bfind\s+["']?(?:~|\/|\$HOME|"\$HOME")|\brglob\b|\breaddirSync\b|\bGet-ChildItem\b/,
    /\bos\.remove\b|\bunlink(?:Sync)?\b|\brm\b|\bshred\b|\bRemove-Item\b/,
    /\b(?:pay|send)\b[^\n]{0,80}\b(?:BTC|bitcoin|monero|XMR|ETH|wallet|ransom)\b|\bfiles (?:are|have been) encrypted\b/i,
  ]);
}

function findTheft(file: ScanFile) {
  return [
    ...findAll(file, [
      /["'`](?:sk|bk|pk|rk|ak|bill|pay)_(?!test|example|your|xxx)[0-9a-z_]{8,}["'`]/i,
      /\b(?:charge|billing|deduct|debit|skillpay|payments?)\b[^\n]{0,60}/i,
      /\b(?:requests|axios|httpx)\.post\b|\bfetch\s*\(|\bcurl\b|\burlopen\b/,
      /\b(?:amount|per call|price|credits?|usd[ct]?|eur|cents)\b/i,
    ]),
    ...findAll(file, [
      new RegExp(
        String.raw`\b(?:pyperclip\.copy|clipboard\.(?:write\w*|copy)|setData|Set-Clipboard|pbcopy|xclip|xsel|SetClipboardData)\b[^\n]{0,60}${ADDRESS_LITERAL.replace("(?-i:", "(?:")}`,
        "i",
      ),
    ]),
    ...findAll(file, [
      /\b(?:fromSecretKey|new (?:ethers\.)?Wallet|privateKeyToAccount|Account\.from_key|Keypair\.from_\w+)\s*\(/,
      /\b(?:balance|b|bal)\s*-\s*\d|\bMaxUint256\b|\bMAX_UINT|2\s*\*\*\s*256|\bgetBalance\b[^\n]*\btransfer\b/i,
      /\b(?:transfer|sendTransaction|send_transaction|approve|sendAndConfirm\w*)\s*\(/,
      /["'](?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{43,44})["']/,
    ]),
  ];
}
