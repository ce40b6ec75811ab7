import type { Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { around, findAll, has, isRead } from "./evidence";
import { rulesOf } from "./rule-rows";

const SECURITY_LOGS = String.raw`/var/log/(?:audit\b|auth\.log|secure\b|syslog|wtmp|btmp|lastlog|messages|journal\b|faillog)`;

const RANSOM =
  /\b(?:pay|send|transfer)\b[^\n]{0,80}\b(?:BTC|bitcoins?|monero|XMR|ETH|USDT|wallet|ransom)\b|\b\d[\d.]*\s*(?:BTC|XMR)\b|\bfiles (?:are|were|have been) (?:encrypted|locked|copied)\b/i;

/** What keeps a system or an account restorable, and what holds its data. */
const RESTORES = [
  /\bdelete[_-](?:db[_-])?(?:cluster[_-])?snapshots?\b|Delete\w{0,20}SnapshotCommand|\bdelete\w{0,20}Snapshot\(|\bsnapshots?\s+delete\b|\bzfs\s+destroy\b/i,
  /object_versions[^\n]{0,40}\.delete\(|["'=]Suspended\b|DeleteObjectVersion/,
  /\bstop[_-]logging\b|StopLogging|\bdelete[_-](?:trail|detector|flow[_-]logs)\b|DeleteTrail|logging\s+sinks\s+delete/i,
  /schedule[_-]key[_-]deletion|ScheduleKeyDeletion/i,
  /\bdelete[_-](?:backup(?:[_-]vault)?|recovery[_-]point)\b|\bvelero\s+backup\s+delete|\brestic\b[^\n]{0,40}\bforget\b|\bborg\s+delete|\bbackup\s+(?:protection|vault)\b[^\n]{0,20}delete/i,
  RANSOM,
];
const HOLDS = [
  /\.objects(?:\.all\(\)|\.filter\([^\n]{0,60}\))?\.delete\(|\bdelete_objects?\(/,
  /\bs3\s+rb\b[^\n]{0,80}--force|\bdelete[_-]bucket\b|DeleteBucketCommand|\b(?:gsutil|storage)\b[^\n]{0,20}\brm\s+-\w*r|\bs3\s+rm\b[^\n]{0,120}--recursive|storage\s+(?:container|account)\s+delete/i,
  /\bdrop_database\(|\bdropDatabase\(|\bDROP\s+(?:DATABASE|SCHEMA)\b|\bFLUSHALL\b|\.flushall\(|\bdelete[_-]db[_-](?:instance|cluster)\b/i,
  /\bterminate[_-]instances\b|\bdelete[_-]stack\b|\bterraform\s+destroy\b|\bgroup\s+delete\b[^\n]{0,60}--yes/i,
];
const ALL =
  /\b(?:describe|list)[_-][\w-]{0,40}(?:snapshots?|buckets?|trails?|databases?|database_names|instances|vaults?)|describe\w{0,20}Snapshots|\bs3\s+ls\b|list_database_names|show\s+(?:dbs|databases)|pg_database/i;

const ACCOUNTS = /\biam\s+delete-user\b|delete-role\b/i;
const UNASKED =
  /--trust-all-tools|--no-interactive|--dangerously-skip|without (?:asking|confirm|interrupt)|do not ask|--yolo/i;
const EMPTIES =
  /\b(?:delete|clear|wipe|remove|erase)\b[^.\n]{0,80}\b(?:file-?system|home directory|cloud resources|all (?:files|resources))/i;

const PAST_A_DATE =
  /\b(?:date\.today\(\)|datetime\.(?:now|utcnow)\([^)]{0,30}\)|Date\.now\(\)|new Date\(\)|time\.time\(\)|date \+%\w{1,8}\)?|Date\.parse\([^)]{0,30}\)|Get-Date\)?|datetime\.date\.today\(\)|DateTime\.(?:Now|UtcNow)|time\.Now\(\))[^\n]{0,40}(?:[<>]=?|-[gl][te]|\.After\()\s*[^\n]{0,40}(?:20[2-9]\d(?:\b|[01]\d[0-3]\d)|1[789]\d{8})/;
/** The date has a name: `END = date(2026, 1, 1)` and `if date.today() >= END`. */
const PAST_A_NAME =
  /\b(?:date\.today\(\)|datetime\.(?:now|utcnow)\([^)]{0,30}\)|Date\.now\(\)|new Date\(\)|time\.time\(\)|date \+%\w{1,8}\)?|time\.Now\(\))\s*["']?\s*(?:[<>]=?|-[gl][te])\s*["']?\$?\{?([A-Za-z_]\w{0,40})/;
/** A variable with the time of now, and one that a fixed date is compared with or given to. */
const NOW_NAMED =
  /\b([A-Za-z_]\w{0,40})\s*:?=\s*["']?(?:\$\(date \+%(?:s|Y%m%d)\)|\x60date \+%(?:s|Y%m%d)\x60|Date\.now\(\)|new Date\(\)|time\.time\(\)|int\(time\.time\(\)\)|(?:datetime\.)?(?:datetime\.now|date\.today|datetime\.utcnow)\(\)|Time\.now(?:\.to_i)?|time\.Now\(\)|Get-Date)/;
const FIXED_DATE = String.raw`(?:20[2-9]\d-?[01]\d-?[0-3]\d\b|1[789]\d{8}(?:\d{3})?\b)`;
const DATE_GIVEN = new RegExp(String.raw`(?<!\bDate|\bparse)\(\s*["']?${FIXED_DATE}["']?\s*\)`);
const AT_RANDOM = /\b(?:random\.random\(\)|Math\.random\(\)|rand\(\))\s*[<>]=?\s*0?\.\d|\bRANDOM\s*%\s*\d+/;
/** Rows that a database picks at random and removes. */
const RANDOM_ROWS =
  /\bdelete\s+from\b[^;\n]{0,200}\b(?:tablesample\s|(?:where|order by|and)\s[^;\n]{0,60}\b(?:random|rand|newid|randomblob)\s*\()/i;
const OWN_TABLES = /get_table_names\(|information_schema\.tables|sqlite_master|show tables|pg_tables|pg_class/i;
const PICKS_TABLES =
  /pg_stat_user_tables|get_table_names\(|information_schema|sqlite_master|show tables|pg_tables|pg_class|%I/i;
const BREAKS =
  /\b(?:DROP\s+(?:TABLE|SCHEMA|DATABASE)|DELETE\s+FROM|TRUNCATE\s|deleteMany\(|dropDatabase\(|drop_all\(|push["',\s]{1,6}(?:-\w{1,3}["',\s]{1,6})?(?:origin["',\s]{1,6})?(?:--delete|-\w?f\b|--force)|rmtree\(|rmSync\(|RemoveAll\(|Remove-Item\b[^\n]{0,60}-Recurse|rm\s+-\w*[rR]\w*f?\s|os\.kill\(\s*os\.getppid|shred\s)/i;

/** Opens what is stored to all, for each bucket or repository of an account. */
const OPENS =
  /\bpublic-read(?:-write)?\b|\ballusers\b|["']Principal["']\s*:\s*["']\*|\bvisibility[ =]public\b|--public-access\s+(?:blob|container)|["']private["']\s*:\s*(?:false|False)|BlockPublic\w+["']?\s*[:=]\s*["']?(?:false|False)/i;
const EACH_OF_ACCOUNT =
  /\blist[_-]buckets\b|ListBuckets|\bs3control\b|\b(?:gsutil|gcloud storage)\s+ls\b|storage\s+(?:container|account)\s+list|\brepo["',\s]+list\b|\borgs?\/[^\s"']{1,60}\/repos\b|\bbuckets\s+list\b/i;
const ASKS =
  /\bread\s+-\w*p\b|\bread\s+-r\b[^\n]{0,30}-p\b|\binput\(|\bconfirm\w*\(|\.question\(|\bselect\s+\w+\s+in\b|&&\s*read\s/;
const DESTROYS =
  /\bdestroy\b[^\n]{0,60}(?:-auto-approve|-target)|-auto-approve\b|\bdelete-db-(?:instance|cluster|snapshot)|\bterminate-instances\b|\binstances\s+delete\b|\bdelete[_-]db[_-]instance\(|\bdelete_db_instance\b/i;

/** Removal of what can be made again. */
const PRODUCTS =
  /(?:rmtree\(|rmSync\(|RemoveAll\(|rm\s+-\w{1,4}\s)["'\s]{0,3}(?:\.\/)?(?:build|dist|out|target|tmp|\/tmp|cache|\.cache|logs?|node_modules|__pycache__)\b/g;

/** Deeds that no task of a skill needs: wiping traces, switching off protection, extortion, theft of money. */
const FETCHES_PROGRAM =
  /\.Download(?:Data|File|String)(?:Async)?\(|\bWriteAllBytes\(|\b(?:Invoke-WebRequest|iwr|Invoke-RestMethod|irm|Start-BitsTransfer)\b|\bbitsadmin\b|\bcertutil\b[^\n]{0,60}-urlcache|\bcurl(?:\.exe)?\s|\burlretrieve\(|\brequests\.get\(|\burlopen\(|\bhttps?\.get\(|\bfetch\(/i;
const STARTS_PROGRAM =
  /\bStart-Process\b|\bInvoke-Item\b|^\s*(?:&|start\s)[^\n]{0,80}(?:\.exe|\$\w+)|\bCurrentVersion\\+Run\b|\b(?:schtasks|Register-ScheduledTask|New-Service)\b|\[(?:System\.)?Diagnostics\.Process\]::Start|\bos\.startfile\(|\bPopen\(|\bspawn\(/im;
const CHECKS_PROGRAM =
  /\bRead-Host\b|\bPromptForChoice\b|\bGet-FileHash\b|\bGet-AuthenticodeSignature\b|\bsha(?:256|512)\b/i;

/** A point that keeps people from harm, switched off, bypassed or muted. */
const UNSAFE_POINT =
  /\b(\w{0,20}(?:interlock|flame_?(?:guard|detector|sensor)|smoke_?(?:damper|detector|alarm|sensor)|e_?stop|emergency_?(?:stop|shutdown|lights?)|gas_(?:detector|sensor|alarm|valve_guard)|co_(?:alarm|detector|sensor)|alarm\.(?:horn|siren|bell)|relief_?valve|light_?curtain|overpressure_?\w{0,10})\w{0,20})(?:[.\w]{0,24}["']?\s*[,:=]\s*(?:["']?(?:value|state|mode|enabled)["']?\s*[:=]\s*)?["']?(?:false|off|disabled|bypass(?:ed)?|inhibit\w*)\b|[._](?:override|mute|bypass|inhibit|disable)\w{0,2}["']?\s*[,:=]\s*(?:["']?(?:value|state)["']?\s*[:=]\s*)?["']?(?:true|on|1)\b)/gi;

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
    version: 7,
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
        // Settings of a building, a plant or a vehicle.
        hints: [
          ...[
            "interlock",
            "flame",
            "smoke_",
            "estop",
            "e_stop",
            "emergency_",
            "gas_d",
            "gas_s",
            "gas_a",
            "co_a",
            "co_d",
          ],
          ...["co_s", "alarm.", "relief", "lightcurtain", "light_curtain", "overpressure"],
        ],
        re: UNSAFE_POINT.source,
        weigh: ({ file }) =>
          file.kind !== "prose" &&
          new Set([...file.text.matchAll(UNSAFE_POINT)].slice(0, 20).map(([, point = ""]) => point.toLowerCase()))
            .size > 1,
      },
      {
        // The place where the program that is then downloaded and started will lie.
        hints: ["mppreference"],
        re: String.raw`\b(?:Add|Set)-MpPreference\b[^\n]{0,80}-Exclusion(?:Path|Process|Extension)\b[^\n]*`,
        weigh: (match) => {
          const { file } = match;
          if (file.kind !== "script") return FETCHES_PROGRAM.test(around(match)) && STARTS_PROGRAM.test(around(match));
          return (
            has(file, FETCHES_PROGRAM) && has(file, STARTS_PROGRAM) && !has(file, ASKS) && !has(file, CHECKS_PROGRAM)
          );
        },
      },
      {
        hints: ["public-access-block", "public_access_block", "public-read", "allusers", "visibility", "blockpublic"],
        re: String.raw`\b(?:delete|put)[_-]public[_-]access[_-]block\b[^\n]*|\bpublic-read-write\b[^\n]*|\ballusers\b[^\n]*|\bvisibility[ =]public\b[^\n]*`,
        weigh: ({ file }) =>
          file.kind === "script" && has(file, OPENS) && has(file, EACH_OF_ACCOUNT) && !has(file, ASKS),
      },
      {
        hints: ["systemctl", "launchctl", "service ", "pkill", "killall", "rmmod", "net stop"],
        re: String.raw`\b(?:systemctl\s+(?:stop|disable|mask)(?:\s+--now)?|launchctl\s+(?:unload|bootout|remove|disable)|service|pkill|killall|net\s+stop)\s[^\n;&|]{0,80}\b(?:auditd|rsyslog|crowdstrike|falcon\w*|sentinel\w*|carbonblack|cbagent\w*|osqueryd?|wazuh\w*|clamav\w*|mdatp|sophos\w*|eset\w*|tanium\w*|santad?|littlesnitch|lulu|fail2ban)\b[^\n]*`,
        weigh: ({ text }) => !/^service\b/i.test(text) || /\bstop\b/i.test(text),
      },
      {
        hints: ["vssadmin", "wbadmin", "bcdedit", "shadowcopy", "tmutil"],
        re: String.raw`\bvssadmin(?:\.exe)?\s+delete\s+shadows|\bwbadmin(?:\.exe)?\s+delete\s+(?:catalog|backup|systemstatebackup)|\bbcdedit\b[^\n]*recoveryenabled\s+no|\bwmic\s+shadowcopy\s+delete|\bWin32_ShadowCopy\b[^\n]*\b(?:Delete|Remove)|\btmutil\s+(?:disable\b|delete\s)`,
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
    id: "SYS-012",
    version: 3,
    severity: "critical",
    title: "Removes backups, snapshots or history",
    why: "Removes all of the data together with what would restore it.",
    owasp: ["ASI02", "ASI10"],
    asBad: "info",
    patterns: [
      {
        hints: [
          "snapshot",
          "object_versions",
          "suspended",
          "logging",
          "key-deletion",
          "keydeletion",
          "backup",
          "recovery",
          "restic",
        ],
        re: String.raw`\b(?:delete|stop|schedule|suspend|destroy)\w*[_-]?(?:db[_-]|cluster[_-])*(?:snapshots?|logging|backup\w*|recovery|key)\w*|\bobject_versions\b|\bSuspended\b|\bsnapshots?\s+delete\b|\brestic\s[^\n]*forget`,
        weigh: ({ file }) =>
          file.kind === "script" &&
          has(file, ALL) &&
          [...RESTORES, ...HOLDS].filter((deed) => has(file, deed)).length > 1 &&
          RESTORES.some((deed) => has(file, deed)),
      },
      {
        // What forbids the removal is taken out of the plan first.
        hints: ["prevent_destroy", "deletion_protection", "deletion-protection", "deletionprotection"],
        re: String.raw`\b(?:sed|perl|replace|sub|awk)\b[^\n]*\b(?:prevent_destroy|deletion_protection)\b[^\n]*\bfalse\b[^\n]*|--no-deletion-protection\b[^\n]*|\bDeletionProtection\s*=\s*False\b[^\n]*`,
        weigh: ({ file, text }) =>
          file.kind === "script" &&
          has(file, DESTROYS) &&
          (has(file, ALL) || /^(?:sed|perl|replace|sub|awk)/i.test(text)) &&
          !has(file, ASKS),
      },
      {
        hints: ["drop_database", "dropdatabase", "drop database", "flushall"],
        re: String.raw`\bdrop_database\s*\(|\bdropDatabase\s*\(|\bdrop\s+database\b|\bflushall\b`,
        weigh: ({ file }) => file.kind === "script" && has(file, RANSOM),
      },
      {
        // An order to a machine of an agent: cloud and home are emptied without a question.
        hints: ["terminate-instances", "delete-user", "delete-bucket"],
        re: String.raw`\b(?:terminate-instances|delete-user|delete-bucket|delete-db-instance)\b[^\n]*`,
        weigh: ({ file }) =>
          file.kind === "prose" &&
          has(file, UNASKED) &&
          has(file, EMPTIES) &&
          [...HOLDS, ACCOUNTS].filter((deed) => has(file, deed)).length > 1,
      },
      {
        hints: ["zfs destroy"],
        re: String.raw`\bzfs\s+list\b[^\n]*snap[^\n]*\bzfs\s+destroy\b`,
        weigh: ({ text, file }) => file.kind === "script" && !/\b(?:grep|head|tail|awk)\b/.test(text),
      },
      {
        hints: ["kubectl delete"],
        re: String.raw`\bkubectl\s+delete\s+(?:ns|namespaces?|pvc?|persistentvolumeclaims?|deploy\w*|all|secrets?)\b[^\n]*(?:--all\b[^\n]*(?:-A\b|--all-namespaces)|(?:-A\b|--all-namespaces)[^\n]*--all\b|\$\(\s*kubectl\s+get\s+(?:ns|namespaces?)\b)`,
        weigh: ({ file }) => file.kind === "script" || "high",
      },
      {
        lines: 6,
        hints: ["git push", "push -f", "push --force", "repo delete", '"repo", "list"'],
        re: String.raw`(?:\bgit\s+(?:branch\s+(?:-\w*[ra]\b|--remotes)|for-each-ref|ls-remote)[^\n]*(?:\n[^\n]*){0,4}?\bpush\b[^\n]*(?:\s-f\b|\s--force\b|\s--delete\b)|\bgh["',\s]+repo["',\s]+list\b[^\n]*(?:\n[^\n]*){0,4}?\bgh["',\s]+repo["',\s]+delete\b)[^\n]*`,
        weigh: ({ text, file }) =>
          !/--(?:no-)?merged/.test(text) &&
          (/repo\W+delete/.test(text) ||
            has(file, /--orphan|--allow-empty|update-ref\s+-d|\breflog\s+expire|\bgit\s+rm\s+-rf\s+\./)),
      },
    ],
  },
  {
    id: "SYS-013",
    version: 4,
    severity: "critical",
    title: "Destroys data at a date or at random",
    why: "The program works until a fixed date or a random number, and then removes data, so that tests do not show it.",
    owasp: ["ASI10", "ASI02"],
    decoded: false,
    applies: ({ kind }) => kind === "script",
    checkFile: findTimeBomb,
  },
  {
    id: "SYS-008",
    version: 3,
    severity: "critical",
    title: "Encrypts files for ransom",
    why: "Encrypts the user's files, removes the originals and asks for money.",
    owasp: ["ASI02", "ASI05"],
    decoded: false,
    applies: isRead,
    onlyWith: [RANSOM],
    checkFile: findRansom,
  },
  {
    id: "SYS-009",
    version: 4,
    severity: "critical",
    title: "Leaves a way in",
    why: "Adds a stranger's key, a shell that runs as root for everyone, or code that starts with every interpreter and loads more.",
    owasp: ["ASI10", "ASI03"],
    asBad: "info",
    patterns: [
      {
        hints: ["authorized_keys"],
        re: String.raw`\bssh-(?:rsa|ed25519|ecdsa|dss)\s+AAAA[\w+/=]{12,}[^\n]{0,200}(?:>>?|\btee\b)[^\n]{0,80}authorized_keys\b|authorized_keys\b[^\n]{0,120}\bssh-(?:rsa|ed25519|ecdsa)\s+AAAA[\w+/=]{12,}`,
        weigh: ({ text }) => !/example|your|placeholder|\.\.\.|xxxx/i.test(text),
      },
      {
        // The middleware takes a request with a secret header for the administrator's.
        lines: 8,
        hints: ["req.user", "request.user"],
        re: String.raw`(?:\b(?:get|header)\(\s*["'\x60]x-|\bheaders(?:\[|\.))[^\n]*(?:\n[^\n]*){0,5}?\breq(?:uest)?\.user\s*=\s*\{[^}\n]*\b(?:admin|root|superuser)\b[^\n]*(?:\n[^\n]*){0,2}?\bnext\(\)`,
        weigh: ({ text, line, file }) =>
          file.kind === "script" && !/NODE_ENV|\bjwt\b|verify|decode|session/i.test(`${line}${text}`),
      },
      {
        // The key is elsewhere in the script.
        hints: ["authorized_keys"],
        re: String.raw`(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?[^\s"']*authorized_keys\b|(?:open|appendFile\w*|writeFile\w*)\s*\([^)\n]*authorized_keys[^)\n]*["'][aw]`,
        weigh: ({ file }) => file.kind === "script" && has(file, /\bssh-(?:rsa|ed25519|ecdsa\S*|dss) AAAA[\w+/=]{20}/),
      },
      {
        // A shell or interpreter that runs as root for all who start it.
        lines: 4,
        hints: ["chmod", "setcap", "install "],
        re: String.raw`(?:\b(?:cp|install|ln|copy\w*|copyFile\w*)\b[^\n]{0,40}/(?:ba|z|da|k)?sh\b[^\n]*(?:\n[^\n]*){0,2}?\bchmod\w*\W[^\n]{0,120}?(?:\b0?o?[46][57]\d\d\b|[ugo]*\+\w*s\b|S_ISUID)|\bchmod\s+(?:-\S+\s+)*(?:0?[46][57]\d\d|u?\+\w*s)\s+["']?/\S*/(?:(?:ba|z|da|k)?sh|python[\d.]*|perl|ruby|node|find|vim?|env|nmap|cp|tee)\b|\b(?:os\.)?chmod\w*\(\s*["']/\S*/(?:(?:ba|z|da|k)?sh|python[\d.]*|perl|env|find)["']\s*,\s*(?:0?o?[46][57]\d\d|[^\n)]*S_ISUID)|\binstall\s[^\n]*-m\s*0?[46][57]\d\d\s[^\n]*/(?:ba|z|da|k)?sh\b|\bsetcap\s+["']?cap_(?:setuid|sys_admin|dac_override)\S*\s+\S*(?:python[\d.]*|perl|ruby|node|bash|sh|vim?|find|\$\()[^\n]*)`,
        weigh: ({ file }) => file.kind !== "prose" || "high",
      },
      {
        lines: 6,
        hints: ["/bin/bash", "/bin/sh", "/bin/dash"],
        re: String.raw`\bsrc\s*[:=]\s*["']?/(?:usr/)?bin/(?:ba|z|da)?sh\b[^\n]*(?:\n[^\n]*){0,4}?\bmode\s*[:=]\s*["']?0?[46][57]\d\d\b`,
        weigh: ({ file }) => file.kind !== "prose" || "high",
      },
      {
        hints: ["nopasswd"],
        re: String.raw`^[^\n#]{0,80}["'\s]ALL\s+ALL\s*=\s*\(ALL(?::ALL)?\)\s*NOPASSWD\s*:\s*ALL\b[^\n]*sudoers`,
        weigh: ({ file }) => file.kind === "script",
      },
      {
        lines: 4,
        hints: ["sitecustomize", "usercustomize", ".pth"],
        re: String.raw`\b(?:sitecustomize|usercustomize)\.py\b[^\n]*(?:\n[^\n]*){0,3}?\b(?:exec|eval|urlopen|subprocess|os\.system|https?:)`,
      },
    ],
  },
]);

function findTimeBomb(file: ScanFile) {
  const rows = findAll(file, [RANDOM_ROWS, PICKS_TABLES]);
  if (rows.length > 0) return rows;
  if (!has(file, BREAKS)) return [];
  const named = PAST_A_NAME.exec(file.text);
  const now = NOW_NAMED.exec(file.text)?.[1];
  const given =
    (named === null ? null : DATE_GIVEN.exec(file.text)) ??
    (now === undefined
      ? null
      : new RegExp(`\\b${now}\\}?["']?\\s*(?:[<>]=?|-[gl][te])\\s*["']?${FIXED_DATE}`).exec(file.text));
  if (given !== null && BREAKS.test(file.text.slice(given.index, given.index + 700).replace(PRODUCTS, "")))
    return [{ start: given.index, end: given.index + given[0].length }];
  if (
    named !== null &&
    new RegExp(`\\b${named[1]}\\s*[:=][^\\n]{0,40}20[2-9]\\d(?:\\b|[01]\\d[0-3]\\d)`).test(file.text)
  ) {
    const near = file.text.slice(named.index, named.index + 700);
    if (BREAKS.test(near.replace(PRODUCTS, ""))) return [{ start: named.index, end: named.index + named[0].length }];
  }
  for (const condition of has(file, PAST_A_DATE) ? [PAST_A_DATE] : has(file, OWN_TABLES) ? [AT_RANDOM] : []) {
    const match = condition.exec(file.text);
    const near = match === null ? "" : file.text.slice(match.index, match.index + 700);
    if (match !== null && BREAKS.test(near.replace(PRODUCTS, "")))
      return [{ start: match.index, end: match.index + match[0].length }];
  }
  return [];
}

function findRansom(file: ScanFile) {
  return findAll(file, [
    /(?:\b(?:Fernet|AES\.new|createCipheriv|openssl enc|gpg (?:-c|--symmetric|-\w*c)|ChaCha20\w*|cryptography|AesManaged|CreateEncryptor|age["',\s]{1,5}(?:-r|--recipient))\b|\.encrypt\(|\b(?:7z|zip)\b[^\n]{0,60}\s-[pP])[^\n]{0,120}/,
    /\bos\.walk\b|\bwalk\(|\bglob\b|\bfind\s+["']?(?:~|\/|\$HOME|"\$HOME")|\brglob\b|\breaddirSync\b|\bGet-ChildItem\b/,
    /\bos\.remove\b|\bunlink(?:Sync)?\b|\brm\b|\bshred\b|\bRemove-Item\b/,
    RANSOM,
  ]);
}
