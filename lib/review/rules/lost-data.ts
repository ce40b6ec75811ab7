import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { ASKS, has, isProse, speaksOfAttackers } from "./evidence";
import { CONSENTS, UNASKED } from "./order-manners";
import { expressionsOf } from "./order-words";
import { rulesOf } from "./rule-rows";

/** Names of the places of backups. */
const BACKUP = String.raw`(?:backups?|back-ups?|sicherung(?:en)?|respaldos?|sauvegardes?|copias?_de_seguridad|yedek(?:ler)?|snapshots|pgbackrest|barman|borg\w*|restic\w*|velero|veeam|bacula|kopia|duplicati|duplicity|timeshift|pg_wal|wal_archive|archivelogs?|archive_logs?|binlogs?|mysql-bin|backupdb|dumps|recovery)`;
/** The whole of a place, and not one file of it that a variable names. */
const WHOLE = String.raw`[\w.-]{0,20}["')}\]]{0,3}(?:/(?:archive|backup|repo|data|wal|daily|snapshots|\*)){0,3}(?:[/\\]?\.?\*(?:\.\w{1,8}){0,2}|/)?["')}\]]{0,3}(?=\s|$|[;&|,)\x60])`;
const REMOVES = String.raw`(?:\brm\s+(?:-\S+\s+){0,3}-\w{0,5}[rf]\w{0,4}\s|\brmtree\(|\brmSync\(|\brimraf\S{0,6}[ (]|\brm_rf?\b|\bRemove-Item\b|\bfind\s(?=[^\n]{0,200}(?:-delete\b|rm\s))|\bshred\s|\bRemoveAll\(|\brclone\s+(?:purge|delete)\s|\bs3\s+r[mb]\s(?=[^\n]{0,160}(?:--recursive|--force))|\bgsutil\s+(?:-m\s+)?rm\s|\bstorage\s+rm\s|\bdelete-batch\b|\bmc\s+r[bm]\s|\bdel\s+/\w|\brd\s+/s|\bdeleteDirectory\()`;

type Sign = [name: string, pattern: RegExp];

/** What brings data back, or keeps it from being lost. */
const RESTORES: Sign[] = [
  [
    "backups",
    new RegExp(
      String.raw`${REMOVES}[^\n]{0,160}?(?:\b|_|/)${BACKUP}${WHOLE}|${REMOVES}[^\n]{0,80}\$\{?\w{0,20}BACKUPS?(?:_\w{1,10})?\}?${WHOLE}`,
      "i",
    ),
  ],
  [
    "backup tools",
    /\brestic\b[^\n]{0,80}\bforget\b(?![^\n]{0,200}keep(?!-last[ =][01]\b))|\brestic\b[^\n]{0,120}--unsafe-allow-remove-all|\bborg(?:matic)?\s[^\n]{0,60}\bprune\b(?=[^\n]{0,100}--keep-(?:last|daily)[ =][01]\b)(?![^\n]{0,160}--keep-(?:weekly|monthly|yearly|within))|\bborg(?:matic)?\s[^\n]{0,30}\bdelete\b|\bstanza-delete\b|\bvelero["',\s]{1,5}(?:backup|schedule)s?["',\s]{1,5}delete\b|\bwal-g\s+delete\s+everything|\bbarman\s+delete\b|\bkopia\s+(?:snapshot|policy)\s+delete\b|\btmutil\s+(?:delete|disable)|\bvssadmin(?:\.exe)?\s+(?:delete|resize)\s+shadow|\bwbadmin(?:\.exe)?\s+delete\b|\bwmic\s+shadowcopy\s+delete|Win32_ShadowCopy[^\n]{0,80}(?:Delete|Remove)|\bdelete[-_](?:recovery[-_]point|backup(?:[-_]vault)?|automated[-_]backup)\b|\bDelete(?:RecoveryPoint|Backup(?:Vault)?)Command\b|--delete-backup-data\s+true|\bbackups?\s+delete\b|\btimeshift\s+--delete-all|\bDisable-ComputerRestore\b|\bRemove-(?:VMSnapshot|VMCheckpoint|WBBackupSet)\b|\bDELETE\b[^\n]{0,80}\/_(?:snapshot|slm)\/|\bsnapshot\.delete(?:_repository)?\(|\bduplicity\s+remove-all\S{0,20}\s+0\b|\bproxmox-backup-client\s[^\n]{0,30}\bforget\b|\bresources?recoverynone\b/i,
  ],
  [
    "snapshots",
    /\bsubvolume\s+delete\b[^\n]{0,120}(?:\*|\$\()|\bsubvolume\s+list\b[^\n]{0,160}delete\b|\bzfs\s+destroy\s+(?:-\w+\s+)*-\w*[rR]|\bzfs\s+list\b[^\n]{0,200}\bdestroy\b|\blvs\b[^\n]{0,120}\blvremove\b|\bsnapper\b[^\n]{0,60}\bdelete\s+(?:\S+\s+)?(?:1-|\$\()|\bsnapshot-list\b[^\n]{0,200}snapshot-delete|\bdescribe[-_]\w{0,12}[-_]?snapshots\b[\s\S]{0,500}?\bdelete[-_]\w{0,12}[-_]?snapshot\b|\bsnapshots?\s+list\b[^\n]{0,200}\bsnapshots?\s+delete\b|\bdeletelocalsnapshots\b|\blist_snapshots\(|\bqm\s+listsnapshot\b[^\n]{0,160}delsnapshot/i,
  ],
  [
    "logs of a database",
    /\barchive_mode\s*(?:=|to)\s*["'\\]{0,3}off\b|\barchive_command\s*(?:=|to)\s*["'\\]{0,4}(?:\/bin\/true|true|:)?["'\\]{1,4}(?:\s|;|$)|\bfsync\s*(?:=|to)\s*["'\\]{0,3}off\b|\bPURGE\s+(?:BINARY|MASTER)\s+LOGS\b|\bRESET\s+(?:MASTER|BINARY\s+LOGS)\b|\bSET\s+(?:GLOBAL\s+|SESSION\s+|@@)?sql_log_bin\s*=\s*(?:0|off)|\bpg_resetwal\s+-\w*f|\bSET\s+RECOVERY\s+SIMPLE\b|\bsp_delete_backuphistory\b|\bCONFIG\s+SET\s+(?:save\s+(?:""|'')|appendonly\s+no)|\bDELETE\s+(?:NOPROMPT\s+)?(?:ARCHIVELOG|BACKUP)(?:\s+ALL)?\b|\bFLASHBACK\s+OFF\b|\bNOARCHIVELOG\b|\blocal\.drop\(|oplog\.rs[^\n]{0,20}drop\(/i,
  ],
  [
    "records",
    /\b(?:DROP\s+TABLE|TRUNCATE)\s+(?:TABLE\s+)?(?:IF\s+EXISTS\s+)?["'`\\]{0,2}(?:\w{1,30}\.)?\w{0,30}(?:audit|history|ledger|event_log|access_log|change_?log|journal)\w{0,20}|\bDELETE\s+FROM\s+["'`\\]{0,2}(?:\w{1,30}\.)?\w{0,30}(?:audit|history|ledger|event_log|access_log)\w{0,20}["'`\\]{0,2}\s*(?:;|["'`)]|$)|~\s*["'\\]{1,3}[^"'\n]{0,30}(?:audit|history|backup)[^"'\n]{0,40}["'][\s\S]{0,160}?\bDROP\s+TABLE\b|\b(?:LIKE|ILIKE)\s*["'\\]{1,3}%?[^"'\n]{0,12}(?:audit|history|backup)[^"'\n]{0,20}["'][\s\S]{0,200}?\b(?:DROP|TRUNCATE)\b|\bDISABLE\s+TRIGGER\s+(?:ALL|USER|\w{0,20}audit)|\bSYSTEM_VERSIONING\s*=\s*OFF\b|\bNOAUDIT\b|\bDROP\s+(?:SERVER\s+)?AUDIT\b|\b(?:audit|history)\w{0,16}\.(?:drop\(|deleteMany\(\s*\{\s*\}|delete_many\(\s*\{\s*\})/i,
  ],
  [
    "protection",
    /\bStatus["']?\s*[=:]\s*["']?Suspended\b|\bput[-_]bucket[-_]versioning\b[^\n]{0,120}Suspended|\bversioning\s+set\s+off\b|--no-versioning\b|\bbypass-governance-retention\b|\bbackup[-_]retention[-_](?:period|days)["']?\s*[=: ]\s*["']?0\b|\bBackupRetentionPeriod["']?\s*[:=]\s*0\b|--no-backup\b(?=[^\n]{0,60}sql|\s*$)|\bsql\s+instances\s+patch\b[^\n]{0,120}--no-backup|--no-(?:enable-)?deletion-protection\b|\bretention_days["']?\s*[=:]\s*0\b|\b(?:systemctl|launchctl|Disable-ScheduledTask|schtasks)\b[^\n]{0,60}\b(?:disable|mask|stop|unload|bootout|delete|Disable-ScheduledTask)\b[^\n]{0,60}(?:backup|back-up|restic|borg|snapper|snapshot|pgbackrest|timeshift|veeam|btrbk|sanoid|sicherung|respaldo|sauvegarde|timemachine)|\bDisable-ScheduledTask\b[^\n]{0,60}(?:backup|snapshot|sicherung)|\bauto-snapshot=false\b|\bcrontab\s+-l\b[^\n]{0,60}grep\s+-\w*v\w*\s[^\n]{0,20}(?:backup|restic|borg|snapshot|pg_dump)|\bsoft-delete[-_]\w{0,20}\s+(?:false|disable)|--soft-delete-feature-state\s+Disable|\b(?:remove|delete)-bucket-lifecycle\b(?=[^\n]{0,80}backup)/i,
  ],
  [
    "history",
    /\breset\s+--(?:soft|hard|mixed)\s+["']?\$\(\s*git\s+rev-list\s+--max-parents=0|\bcommit-tree\s+["']?HEAD\^\{tree\}|\bpush\b[^\n]{0,30}--delete\s+["']?\$\(\s*git\s+(?:branch|for-each-ref|tag|ls-remote)(?![^\n]{0,80}--merged)|\bgit\s+(?:branch\s+-\w*r|ls-remote|for-each-ref)(?![^\n]{0,120}--(?:no-)?merged)[^\n]{0,160}\bxargs\b[^\n]{0,60}\bpush\b[^\n]{0,30}(?:--delete|-d\b|\s:)|\btag\s+-d\s+\$\(\s*git\s+tag|\bgit\s+tag\b[^\n]{0,60}xargs[^\n]{0,40}(?:push[^\n]{0,20}--delete|tag\s+-d)|\bcheckout\s+--orphan\b[\s\S]{0,400}?\bpush\b[^\n]{0,30}(?:-f|--force)\b[^\n]{0,30}(?:\b(?:main|master|trunk)|--all|--mirror)\b/i,
  ],
  [
    "guards",
    /(?:-X|--method|--request|\.delete\()\s*["'`]?(?:DELETE\b)?[^\n]{0,120}\bbranches\/[^\s"'`]{1,80}\/protection\b|\b(?:deleteBranchProtection|removeBranchProtection|remove_protection|unprotect_branch)\(|-X\s*DELETE\b[^\n]{0,120}\/(?:protected_branches|rulesets)\/|\bkubectl\s+delete\s+(?:netpol|networkpolic(?:y|ies)|pdb|poddisruptionbudgets?|(?:validating|mutating)webhookconfigurations?)\b(?=[^\n]{0,60}(?:\s-A\b|--all-namespaces\b|--all\b))/i,
  ],
];
/** What is lost then, or by what. */
const HOLDS: Sign[] = [
  [
    "volumes",
    /\bdocker\s+system\s+prune\b[^\n]{0,60}--volumes|\b(?:docker|podman)\s+volume\s+rm\b[^\n]{0,40}\$\(|\b(?:docker|podman)\s+volume\s+prune\b[^\n]{0,40}(?:-\w*f|--force|-a)|\bvolume\s+ls\b[^\n]{0,60}xargs[^\n]{0,40}\brm\b|\bkubectl\s+delete\s+(?:pvc?|persistentvolumeclaims?|ns|namespaces?)\b[^\n]{0,60}--all\b/i,
  ],
  [
    "files of the user",
    /\brm\s+(?:-\S+\s+){0,3}-\w{0,5}r\w{0,4}\s[^\n]{0,120}(?:~|\$\{?HOME\}?|\/home\/\w+|\/Users\/\w+|\/home\/\*|\/Users\/\*)\/(?:Documents|Desktop|Pictures|Downloads|Music|Videos|Dokumente|Bilder|Schreibtisch|Documentos|Imágenes|Escritorio|Bureau|Images)\b|\bRemove-Item\b[^\n]{0,80}(?:USERPROFILE|HOME)[\\/](?:Documents|Desktop|Pictures|Downloads)\b/i,
  ],
  [
    "databases",
    /\bDROP\s+(?:DATABASE|SCHEMA)\b(?!\s+(?:IF\s+EXISTS\s+)?["'`]?\w{0,20}(?:test|tmp|temp|dev|scratch|demo))|\bFLUSHALL\b|\.flushall\(|\bdropDatabase\(|\bdrop_database\(|-X\s?["']?DELETE\b[^\n]{0,100}\/(?:_all|\*|_data_stream\/\*)|\bindices\.delete\([^\n]{0,40}(?:\*|_all)|\bdelete[-_]db[-_](?:instance|cluster)\b/i,
  ],
  [
    "stores",
    /\bs3\s+r[mb]\s[^\n]{0,120}(?:--recursive|--force)|\bgsutil\s+(?:-m\s+)?rm\s+-\w*[ra]|\bstorage\s+rm\s[^\n]{0,60}(?:-r|--recursive)|\brclone\s+purge\s|\bobjects\.all\(\)\.delete\(|\bdelete[-_]objects\b/i,
  ],
  [
    "ways back of git",
    /\breflog\s+expire\b[^\n]{0,60}--expire(?:-unreachable)?=(?:now|all|0)|\bgc\b[^\n]{0,40}--prune=(?:now|all)|\bstash\s+clear\b|\bupdate-ref\s+-d\s+refs\/original/i,
  ],
  [
    "shared branches",
    /\bgit\b[^\n]{0,60}\bpush\b[^\n]{0,40}(?:\s-f\b|--force\b(?!-with))[^\n]{0,60}(?:\b(?:main|master|trunk)|--all|--mirror)\b|\bgit\b[^\n]{0,60}\bpush\b[^\n]{0,60}(?:--all|--mirror)\b[^\n]{0,30}(?:\s-f\b|--force\b(?!-with))/i,
  ],
  [
    "traces",
    /\bjournalctl\b[^\n]{0,60}--vacuum-(?:time=[0-5]?\ds|size=\d{1,3}[kb]?\b|files=[01]\b)|\brm\s+-\w{0,5}[rf]\w{0,4}\s[^\n]{0,60}\/var\/log\/(?:\*|audit|auth|secure|syslog|postgres|mysql)|\b(?:wevtutil(?:\.exe)?\s+cl|Clear-EventLog)\b/i,
  ],
];
const ANY =
  /backup|back-up|sicherung|respaldo|sauvegarde|snapshot|restic|borg\b|velero|vssadmin|tmutil|subvolume|zfs|archive_mode|fsync|binary logs|reset master|sql_log_bin|audit|history|versioning|retention|rev-list|--orphan|push|recovery|pg_wal|kopia|barman|binlog|shadow|ARCHIVELOG|commit-tree|tag -d|git tag|protection|netpol|networkpolic|webhookconfiguration/i;
/** Some of it is kept, or only what is old goes. */
const KEEPS =
  /--keep(?!-(?:last|daily)[ =][01]\b)|\bkeep[_ =]|-[mac](?:time|min)\b|\btail\s+-n\s*\+|\bhead\s+-n\s*-|\bolder\b|\bretain|--dry-run|\bdry_run|\bexpired?\b(?!=|\s+--)|\[-?\d*(?::|\.\.)-?\d*\]|\bslice\(|\.drop\(|\bskip\(?\s*\d|\bcutoff\b|\bmax_age|AddDays\(-|\bdays?_old|timedelta\(|--retention|\bNOW\(\)\s*-\s*INTERVAL|-Skip\b/i;
/** Of a test or of what is thrown away. */
const SMALL =
  /\b(?:tests?|testing|tmp|temp|sandbox|scratch|preview|staging|ephemeral|review|fixtures?|ci|demo|throwaway)(?:\b|[_-])|[_-](?:test|dev|tmp|ci)\b|\/tmp\/|\bmktemp\b/i;
/** Asked in other words than those of `ASKS`. */
const ASKED =
  /\[[yjsoд]\/[n]\]|\((?:y|yes|j|ja|s|si|sí|o|oui|sim|tak|да)\/(?:n|no|nein|nee|non|não|nie|нет)\)|\bstdin\.(?:gets|read|readline)|\bgets\.(?:chomp|strip|to_s)|(?<!while [^\n]{0,30})(?<!IFS= )\bread\s+-r\s+\w{1,20}\s*(?:$|;)|\$Host\.UI\.PromptForChoice|(?<!-)-Confirm\b(?!:\$false)|\bclick\.confirm|\bConfirm\.ask|\btyper\.confirm|\bsay_yes|\bwhiptail\b|\bzenity\b|\bread_line\(|\bScanln\(/im;

/** May only be an option that is not the ordinary case. */
const DRY_RUN = /--?dry-?run|DRY_RUN/g;

/** A page that says what is lost. */
const CAUTION =
  /\b(?:never|do not|don['’]t|careful|caution|warning|los(?:es?|t)|irreversib\w*|undone|dangerous|danger|last resort|niemals|vorsicht|achtung|nunca|cuidado|jamais|attention)\b|⚠|осторожно|никогда|注意|危险|危険|주의/i;

/** Of a page that is judged; one with more is hostile to the scan itself. */
const MAX_SECTIONS = 60;
/** Between the words of a command that is a list: `["git", "push", "--force"]`. */
const LISTED = /["'\x60]\s*,\s*["'\x60]/g;

/** Steps of an ordinary workflow after which lost data cannot come back. */
export const LOST_DATA: Rule[] = rulesOf([
  {
    id: "SYS-018",
    version: 4,
    severity: "critical",
    title: "Destroys data with what restores it, unasked",
    why: "Removes backups, snapshots, records or history together with data or protection, and asks no question before.",
    owasp: ["ASI02", "ASI10"],
    decoded: false,
    applies: ({ kind, path }) =>
      (kind === "script" || kind === "prose") && !/(?:^|\/)(?:tests?|fixtures?|__tests__|testdata|specs?)\//.test(path),
    onlyWith: [ANY],
    checkFile: findLoss,
  },
]);

function findLoss(file: ScanFile): Hit[] {
  if (!isProse(file)) {
    const isOption = has(file, DRY_RUN) && !ASKS.test(file.text.replace(DRY_RUN, ""));
    if ((has(file, ASKS) && !isOption) || has(file, ASKED)) return [];
    const { restores, holds, at } = signsOf(file.text.replace(LISTED, (gap) => " ".repeat(gap.length)));
    return at !== null && (restores > (isOption ? 2 : 1) || (!isOption && restores > 0 && holds > 0)) ? [at] : [];
  }
  let judged = 0;
  for (const [start, text] of sectionsOf(file.text)) {
    if (!ANY.test(text)) continue;
    judged += 1;
    if (judged > MAX_SECTIONS) break;
    const { restores, holds, at } = signsOf(text);
    if (at === null || restores + holds === 0) continue;
    const spoken = text.toLowerCase();
    const isUnasked = saysUnasked(spoken);
    const isMuch = restores > 1 && restores + holds > 2;
    if (!(isUnasked ? restores > 0 || holds > 1 : isMuch)) continue;
    if (speaksOfAttackers(text) || /^#{1,6}[^\n]*\b(?:never|not|don['’]t|avoid|wrong|bad)\b/i.test(text)) continue;
    if (!isUnasked && (ASKS.test(text) || ASKED.test(text) || CAUTION.test(text) || consents(spoken))) continue;
    return [{ start: start + at.start, end: start + at.end }];
  }
  return [];
}

function signsOf(text: string) {
  let at: { start: number; end: number } | null = null;
  const count = (signs: Sign[]) =>
    signs.filter(([, pattern]) => {
      const match = pattern.exec(text);
      if (match === null) return false;
      const end = match.index + match[0].length;
      const lineStart = text.lastIndexOf("\n", match.index) + 1;
      const lineEnd = text.indexOf("\n", end);
      const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd);
      // A comment, an echo or a sentence that forbids it.
      const lead = text.slice(lineStart, match.index);
      if (/^\s*(?:#|\/\/|--|\*)|\b(?:echo|printf|print|puts|Write-\w+|never|not|don['’]t|avoid|instead)\b/i.test(lead))
        return false;
      const near = text.slice(Math.max(0, lineStart - 120), lineStart) + line;
      if (KEEPS.test(near) || SMALL.test(line)) return false;
      if (at === null) at = { start: match.index, end: Math.min(end, match.index + 200) };
      return true;
    }).length;
  const restores = count(RESTORES);
  const holds = count(HOLDS);
  return { restores, holds, at: at as { start: number; end: number } | null };
}

/** From heading to heading, a long section in parts. */
function* sectionsOf(text: string): Generator<[number, string]> {
  let start = 0;
  for (const match of text.matchAll(/\n(?=#{1,6} [^\n]*\n)/g)) {
    // A comment in a block of code looks like a heading; it has no empty line before it.
    if (text[match.index - 1] !== "\n" && match.index !== 0) continue;
    yield* partsOf(start, text.slice(start, match.index));
    start = match.index + 1;
  }
  yield* partsOf(start, text.slice(start));
}

function* partsOf(start: number, text: string): Generator<[number, string]> {
  for (let at = 0; at < text.length; at += 3_000) yield [start + at, text.slice(at, at + 3_600)];
}

/** An order not to ask, and not a promise that nothing happens without a question. */
export function saysUnasked(text: string): boolean {
  for (const pattern of expressionsOf(UNASKED)) {
    // `matchAll` would go on where another test of the same expression ended.
    pattern.lastIndex = 0;
    for (const match of text.matchAll(pattern)) {
      const before = /[^.\n]{0,80}$/.exec(text.slice(Math.max(0, match.index - 80), match.index))?.[0] ?? "";
      if (
        !/\b(?:never|not|nothing|no|none|don['’]t|nunca|nada|nie|niemals|nichts|kein\w*|jamais|rien|não|нельзя|никогда)\b|不要|不得|しない/.test(
          before,
        )
      )
        return true;
    }
  }
  return /\bwithout (?:any |further )?questions\b|\bask nothing\b|\bno questions\b|\b(?:do not|don['’]t|never) ask:|\bno confirmation:/.test(
    text,
  );
}

function consents(text: string): boolean {
  return expressionsOf(CONSENTS).some((pattern) => text.search(pattern) !== -1);
}
