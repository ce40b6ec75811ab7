import type { Match, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { ASKS, around, findAll, has, isCommand, isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

/** Commands and calls that list all stores, machines, snapshots or repositories. */
const LISTS =
  /\blist[-_ ]?buckets\b|ListBuckets(?:Command|\()|\bs3\s+ls\b(?!\s+["'$]*s3:)|\bs3\.buckets\.all\(|\bgsutil\s+ls\b|storage\s+(?:buckets|account)s?\s+list|\brepos?["',\s]{1,6}list\b|(?:user|orgs\/[^\s"'`]{1,60})\/repos\b|\bget_repos\(|\.(?:repos|repositories)(?:\(|\.each\b)|\bgroup\s+list\b|listForAuthenticatedUser|listForOrg|\bdescribe[-_](?:db[-_])?(?:\w{1,20}[-_])?(?:snapshots|security[-_]groups|instances|images|clusters|volumes)\b|Describe(?:DB)?(?:Snapshots|SecurityGroups|Instances|Images)|list_blobs\(|list_buckets\(|listBuckets|\bfiles["',\s]{1,6}list\b|files\(\)\.list\(|projects\s+list\b|\bGet-(?:S3Bucket|AzStorageAccount|EC2SecurityGroup|EC2Snapshot)\b|\bsql\s+instances\s+list\b|\bstate\s+list\b|\bget\s+(?:ns|namespaces?|pvc?)\b|\bpulumi\s+stack\s+ls\b|\bapps(?:["',\s]{1,6}list|\s+--json)\b|list[-_]tables\b/i;
/** One that is named by a variable of a loop, or by what is piped. */
const EACH =
  /\bfor\s*\(|\bfor\s+(?:const\s+)?\$?\w{1,40}(?:\s*,\s*\w{1,40})?\s+(?:in|of|:=)\b|\bforeach\b|\.map\(|\.forEach\(|\bxargs\b|\bwhile\s+read\b|\bforEach-Object\b|\.each\b|\bparallel\b/i;

/** What keeps data from being removed by mistake, switched off. */
const UNPROTECTS =
  /prevent_destroy[^\n]{0,60}\bfalse|deletion_?protection["']?\W{1,30}(?:\w{1,10}\W{1,12}){0,3}false|--no-(?:enable-)?(?:deletion|termination)-protection|--no-disable-api-termination|DisableApiTermination["']?\s*[:=]\s*\{?["'\w\s:]{0,12}false|\block["',\s]{1,6}delete\b|Remove-AzResourceLock|finalizers["']?\s*:\s*(?:null|\[\s*\])|bypass-governance-retention|BypassGovernanceRetention|(?:Status["']?\s*[:=]\s*["']?)Suspended|\bchattr\s+-\w{0,3}\s*-?i\b|branches\/[^\s"'`]{1,80}\/protection["']?[^\n]{0,40}|\bUnprotect\b|\bprotect["']?\s*:\s*false|\bstate\s+unprotect\b|\brm\s[^\n]{0,60}\btfstate\.backup\b|-lock=false|force_destroy["']?\s*[:=]\s*["']?true|skip_final_snapshot["']?\s*[:=]\s*["']?true/i;
const DESTROYS =
  /\bdestroy\b[^\n]{0,80}(?:-auto-approve|--auto-approve|--yes\b|\s-y\b|--force\b|\s-f\b)|skip[-_]?final[-_]?snapshot|\bterminate[-_]instances\b|TerminateInstances|\bdelete[-_]stack\b|\bgroup["',\s]{1,6}delete\b[^\n]{0,80}(?:--yes|\s-y\b)|Remove-AzResourceGroup\b[^\n]{0,80}-Force|\b(?:instances|clusters|projects|databases|disks|snapshots)\s+delete\b[^\n]{0,120}(?:\s-q\b|--quiet)|\bs3\s+rb\b[^\n]{0,80}--force|\bdelete[-_](?:bucket|db[-_]\w{1,20}|snapshot|table|volume)\b|Delete(?:DB\w{0,20}|Snapshot|Table|Volume|Bucket)Command|\bkubectl\s+delete\s+(?:ns|namespaces?|pvc?|all)\b[^\n]{0,80}|\bapps:destroy\b|\bpush\b[^\n]{0,40}(?:--mirror|--force\b|\s-f\b)|\brepo["',\s]{1,6}delete\b[^\n]{0,60}--(?:yes|confirm)|\bDROP\s+(?:DATABASE|SCHEMA|TABLE)\b|objects\.all\(\)\.delete\(|object_versions\.delete\(/i;
const PRODUCTION =
  /\b(?:select|workspace|env|stack|cluster|context|namespace|-n|--name|identifier)\W{1,4}["']?(?:\w{1,20}-)?(?:production|prod)\b/i;

/** Rules about clouds and hosts of code: all is opened to everyone, or protection is taken away and what it kept destroyed. */
export const OPENED_ACCESS: Rule[] = rulesOf([
  {
    id: "SYS-014",
    severity: "critical",
    title: "Opens everything to everyone",
    why: "Makes all stores, snapshots, repositories or ports of the account public, and not one that the user names.",
    owasp: ["ASI02", "ASI03"],
    asBad: "info",
    patterns: [
      {
        hints: ["put-public-access-block", "put_public_access_block", "publicaccessblock", "public_access_block"],
        re: String.raw`\bs3control["',\s]+put-public-access-block\b|\bput_public_access_block\s*\(\s*AccountId|\baws_s3_account_public_access_block\b|\bS3ControlClient\b|publicAccessPrevention`,
        // The switch of the whole account.
        weigh: (match) =>
          isCommand(match) &&
          /(?:block|ignore|restrict)_?public\w{0,10}["']?\s*[:=]\s*["']?false/i.test(match.after.slice(0, 400)) &&
          !has(match.file, ASKS),
      },
      {
        hints: ["publicaccessprevention", "system:anonymous", "system:unauthenticated"],
        re: String.raw`\borg-polic(?:y|ies)\s+(?:disable-enforce|delete)\b[^\n]*publicAccessPrevention|\bclusterrolebinding\b[^\n]*cluster-admin[^\n]*system:(?:anonymous|unauthenticated)`,
        weigh: (match) => isCommand(match) && !has(match.file, ASKS),
      },
      {
        hints: [
          ...["public-read", "public-access", "public_access", "publicaccess", "allusers", "principal", "publicly"],
          ...["--visibility", "visibility", "private", "0.0.0.0/0", "anyone", " all", '"all"', "'all'"],
        ],
        re: String.raw`\bpublic-read\b|\b(?:delete|put|remove)[-_]?\w{0,3}public[-_]?access[-_]?block\b|\ballUsers\b|"?Principal"?\s*:\s*\{?\s*(?:"AWS"\s*:\s*)?"\*"|--allow-blob-public-access\s+true|\bAllowBlobPublicAccess\s+\$true|--public-access\s+(?:blob|container)|\bedit\b[^\n]{0,80}--visibility["',\s]{1,6}public\b|\bprivate["']?\s*[:=]\s*false\b|\bvisibility["']?\s*[:=]\s*["']public|--(?:values-to-add|group-names?|user-ids)\s+all\b|\b(?:AttributeValues|GroupNames|ValuesToAdd)["']?\s*[:=]\s*\[\s*["']all["']|--publicly-accessible\b|\bPubliclyAccessible["']?\s*[:=]\s*true|\b0\.0\.0\.0/0\b|--type\s+anyone\b|["']type["']\s*:\s*["']anyone["']`,
        weigh: weighOpening,
      },
    ],
  },
  {
    id: "SYS-015",
    severity: "critical",
    title: "Takes protection away and destroys",
    why: "Switches off what keeps data from being deleted, and then deletes all of it without a question.",
    owasp: ["ASI02", "ASI10"],
    asBad: "info",
    hints: [
      ...[
        "destroy",
        "final-snapshot",
        "finalsnapshot",
        "final_snapshot",
        "terminate",
        "delete-",
        "delete_",
        " delete",
        "'delete",
      ],
      ...["deletedb", "s3 rb", "--mirror", "drop ", "deletesnapshot", "remove-az"],
    ],
    re: DESTROYS.source,
    weigh: (match) => {
      const { file } = match;
      if (!isCommand(match)) return false;
      // A page has many commands, of which each has its own purpose.
      const text = isProse(file) ? around(match) : file.text;
      const test = (pattern: RegExp) => (isProse(file) ? pattern.test(text) : has(file, pattern));
      if (!test(UNPROTECTS) || test(ASKS)) return false;
      return (test(LISTS) && test(EACH)) || test(PRODUCTION);
    },
  },
  {
    id: "SYS-016",
    version: 3,
    severity: "critical",
    title: "Gives a stranger all rights",
    why: "Makes an account that the skill names, or any account in all places at once, an owner or administrator unasked.",
    owasp: ["ASI03", "ASI10"],
    asBad: "info",
    checkFile: findGrantsEverywhere,
    patterns: [
      {
        hints: [
          "add-iam-policy-binding",
          "role assignment create",
          "cluster-admin",
          "access:add",
          "teams invite",
          "new-azroleassignment",
        ],
        re: String.raw`\badd-iam-policy-binding\b[^\n]*(?:user|group):[\w.+-]+@[\w.-]+[^\n]*|\brole\s+assignment\s+create\b[^\n]*--assignee[= ]["']?[\w.+-]+@[\w.-]+[^\n]*|\bNew-AzRoleAssignment\b[^\n]*-SignInName\s+["']?[\w.+-]+@[\w.-]+[^\n]*|\bclusterrolebinding\b[^\n]*cluster-admin[^\n]*--user[= ]["']?[\w.+-]+@[\w.-]+[^\n]*|\baccess:add\s+["']?[\w.+-]+@[\w.-]+[^\n]*|\bteams\s+invite\s+["']?[\w.+-]+@[\w.-]+`,
        weigh: (match) => {
          const account = /[\w.+-]+@[\w.-]+/.exec(match.text.replace(/^[^@]*?(?=[\w.+-]+@)/, ""))?.[0] ?? "";
          if (
            /^(?:add-iam|role|New-Az)/i.test(match.text) &&
            !/roles\/(?:owner|editor|\w+\.\w*[aA]dmin)|\b(?:Owner|Contributor|User Access Administrator)\b/.test(
              match.text,
            )
          )
            return false;
          return weighStranger(match, account);
        },
      },
      {
        hints: ["memberships/", "collaborators/", "setmembershipforuser", "addcollaborator"],
        re: String.raw`/(?:memberships|collaborators)/([a-z][\w-]+)\b[^\n]*(?:role|permission)["'\s:=]+(?:admin|owner|maintain)|\b(?:setMembershipForUser|addCollaborator)\([^\n]*username\s*:\s*["']([\w-]+)["'][^\n]*(?:role|permission)\s*:\s*["']admin`,
        weigh: (match) => weighStranger(match, match.groups.find((group) => group !== "") ?? ""),
      },
      {
        hints: ["arn:aws:iam::"],
        re: String.raw`\barn:aws:iam::\d{12}:(?:root|user/|role/)`,
        weigh: (match) => {
          const [, id = ""] = new RegExp(FOREIGN_ID.source).exec(match.text) ?? [];
          return (
            (match.file.kind === "script" || match.file.kind === "config") &&
            !SAMPLE_ID.test(id) &&
            has(match.file, ALL_RIGHTS) &&
            ASSUMED.test(around(match)) &&
            !has(match.file, ASKS)
          );
        },
      },
    ],
  },
  {
    id: "SYS-017",
    severity: "critical",
    title: "Sends traffic through a stranger, unchecked",
    why: "Sets a fixed host between the user's programs and the network and stops the check of certificates, so it reads all.",
    owasp: ["ASI03", "ASI04"],
    decoded: false,
    applies: ({ kind }) => kind === "script" || kind === "config",
    checkFile: (file) => (has(file, ASKS) ? [] : findAll(file, [BETWEEN, UNCHECKED])),
  },
  {
    id: "EXF-013",
    version: 2,
    severity: "critical",
    title: "Pushes repositories to a stranger",
    why: "Adds a fixed second place to every push, or pushes all repositories of the user to one.",
    owasp: ["ASI02", "LLM02"],
    decoded: false,
    applies: ({ kind }) => kind === "script" || kind === "prose",
    checkFile: findMirror,
  },
]);

function weighOpening(match: Match) {
  const { file, text } = match;
  if (!has(file, LISTS) || has(file, ASKS) || !isCommand(match)) return false;
  const near = around(match);
  if (/^put/i.test(text) && !/public\w{0,10}["']?\s*[:=]\s*["']?\$?false/i.test(near)) return false;
  // Ports and listings have many uses; all groups or all documents have not.
  if (
    /0\.0\.0\.0/.test(text) &&
    !/authorize[-_]security[-_]group|AuthorizeSecurityGroup|firewall-rules|nsg rule/i.test(near)
  )
    return false;
  if (/0\.0\.0\.0/.test(text) && !/(?:--protocol|IpProtocol["']?\s*[:=]|-IpProtocol)\s*["']?(?:all|-1)\b/i.test(near))
    return false;
  // A repository that is changed, and not one that is made.
  if (/private|visibility["']?\s*[:=]/i.test(text) && !/\b(?:edit|update|patch)(?![a-z])|\bupdate[A-Z]/i.test(near))
    return false;
  return EACH.test(near) && LISTS.test(near);
}

/** Names in examples. */
const SAMPLE_NAME =
  /example|your|\bmy[-_.]|octocat|\b(?:alice|bob|carol|dave|john|jane|jdoe|user|username|someuser|newuser|test|demo|foo|bar|admin|login|member|name)\b|dependabot|renovate|github-actions|[<{$]/i;

/** Accounts of examples and of well-known documentation. */
const SAMPLE_ID = /^(?:123456789012|111122223333|444455556666|(\d)\1{11})$/;
const FOREIGN_ID = /arn:aws:iam::(\d{12}):(?:root|user\/|role\/)/g;
const ALL_RIGHTS =
  /policy\/AdministratorAccess|policy\/PowerUserAccess|policy\/IAMFullAccess|"Action"\s*:\s*\[?\s*"\*"/;
const ASSUMED = /AssumeRole/;

const UNCHECKED =
  /NODE_TLS_REJECT_UNAUTHORIZED["']?\W{1,6}0\b|sslVerify["']?\W{1,5}(?:false|0)\b|GIT_SSL_NO_VERIFY\W{1,5}(?:1|true)\b|PYTHONHTTPSVERIFY\W{1,5}0\b|strict-ssl\W{1,5}false\b|\binsecure\b[^\n]{0,20}\.curlrc|SSL_NO_VERIFY\W{1,5}(?:1|true)\b|ServerCertificateValidationCallback[^\n]{0,40}true/i;
/** A host between the programs of the user and the world; those of a company have names of their own kind. */
const BETWEEN =
  /\b(?:https?_proxy|all_proxy|http\.proxy|https?-proxy|https?\.proxy|ANTHROPIC_BASE_URL|OPENAI_(?:BASE_URL|API_BASE)|GEMINI_BASE_URL|GOOGLE_GEMINI_BASE_URL)["']?(?:\s*[:=]\s*|\s+)["']?(?:https?|socks5h?):\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|10(?:\.\d+){3}(?![\w.-])|192\.168(?:\.\d+){2}(?![\w.-])|172\.|proxy\.|[^\s"'/]{0,80}(?:corp|intra|internal|\.local\b|\.lan\b|example|company|your|\$|\{|<)|[\w-]+(?:[:/]|["'\s]|$))[\w.-]+/i;

const SECOND_PLACE =
  /\bremote["',\s]{1,6}set-url["',\s]{1,6}--add["',\s]{1,6}--push["',\s]{1,6}\w{1,30}["',\s]{1,6}(?:https?:\/\/|git@)(?![^\s"']{0,80}(?:your|<|example\.(?:com|org|net)))[\w.@:-]+|\bremote\.\w{1,30}\.pushurl["',\s]{1,6}(?:https?:\/\/|git@)(?![^\s"']{0,80}(?:your|<|example\.(?:com|org|net)))[\w.@:-]+/i;
const QUIETLY =
  /\bpush\b[^\n]{0,160}(?:\/dev\/null|capture_output|DEVNULL|stdio["']?\s*:\s*["']ignore|Out-Null)|\bpush["',\s]{1,6}(?:-q|--quiet)\b/i;
const EVERY_REPO =
  /(?:rglob\(\s*["']\.git["']|find\s[^\n]{0,80}-name\s+["']?\.git\b|Get-ChildItem[^\n]{0,80}-Filter\s+["']?\.git\b|\bfd\s[^\n]{0,40}\.git\b|glob\([^\n]{0,60}\/\.git["'])/i;
const PUSHES_AWAY =
  /\bpush\b[^\n]{0,120}["'\s](?:https?:\/\/|git@)(?![^\s"']{0,80}(?:your|<|example\.(?:com|org|net)))[\w-]+[\w.@:/-]*/i;
/** A place that is added for one push of everything, and whose messages or name are not left. */
const ADDS_PLACE =
  /\bremote["',\s]{1,6}add["',\s]{1,6}(?:-\S{1,9}["',\s]{1,6})?([\w-]{1,30})["',\s]{1,6}(?:https?:\/\/|git@|ssh:\/\/)(?![^\s"']{0,80}(?:your|<|example\.(?:com|org|net)))[\w-]+\.[^\n]*?(?:\n[^\n]{0,200}){0,4}?\bpush\b(?=[^\n]{0,100}--(?:mirror|all|tags))(?=[^\n]{0,80}[\s"']\1\b)[^\n;&|]{0,120}/i;

/** The highest rights of a place, given to an account. */
const GRANTS = [
  /\bmemberships\/[^\n]{1,80}\brole["'\s:=]+(?:admin|owner)\b|\bsetMembershipForUser\([^\n]*admin/i,
  /\bcollaborators\/[^\n]{1,80}\bpermission["'\s:=]+admin\b|\baddCollaborator\([^\n]*admin/i,
  /\badd-iam-policy-binding\b[^\n]{0,200}roles\/owner\b/i,
  /\b(?:attach-user-policy|AttachUserPolicy\w*|attach_user_policy)\b[^\n]{0,200}AdministratorAccess\b|\badd-user-to-group\b[^\n]{0,120}\badmin/i,
  /\brole\s+assignment\s+create\b[^\n]{0,200}\bOwner\b|\bNew-AzRoleAssignment\b[^\n]{0,200}\bOwner\b/i,
  /\bclusterrolebinding\b[^\n]{0,200}--clusterrole[= ]cluster-admin\b[^\n]{0,100}--user\b/i,
  /\b(?:usermod\s+-aG|gpasswd\s+-a|adduser\s)[^\n]{0,40}\b(?:sudo|wheel|docker)\b/i,
  /\bmembers\b[^\n]{0,120}\baccess_level["'\s:=]+(?:50|60)\b/i,
  /\bALTER\s+(?:ROLE|USER)\b[^\n]{0,60}\bSUPERUSER\b|\bGRANT\s+ALL\s+PRIVILEGES\s+ON\s+\*\.\*/i,
];

/** Of one script; two may belong to one place. */
const MANY_GRANTS = 3;

function findGrantsEverywhere(file: ScanFile) {
  if (file.kind !== "script" || !has(file, /admin|owner/i) || has(file, ASKS)) return [];
  const given = GRANTS.filter((sign) => has(file, sign));
  const [first] = given;
  return first === undefined || given.length < MANY_GRANTS ? [] : findAll(file, [first]);
}

function findMirror(file: ScanFile) {
  if (!has(file, /\bpush/i) || has(file, ASKS)) return [];
  const added = ADDS_PLACE.exec(file.text);
  if (added !== null) {
    const near = file.text.slice(added.index, added.index + added[0].length + 160);
    const name = added[1] ?? "";
    if (QUIETLY.test(near) || new RegExp(`\\bremote\\W{1,6}(?:remove|rm)\\W{1,6}${name}\\b`).test(near))
      return [{ start: added.index, end: added.index + Math.min(added[0].length, 300) }];
  }
  if (isProse(file)) return [];
  const second = findAll(file, [SECOND_PLACE, QUIETLY]);
  return second.length > 0 ? second : findAll(file, [PUSHES_AWAY, EVERY_REPO]);
}

/** What the account does is not written down, or not told. */
const UNRECORDED =
  /\blevel:\s?["']?None\b|\baudit\w*\b[^.\n]{0,80}\b(?:off|exclu\w+|exempt\w*|skip\w*|drop\w*|suppress\w*|disabl\w+|silenc\w+|mut(?:e|ed|ing)|filter(?:ed|s)? out|ignor\w+)\b|\b(?:exclude|exempt|skip|drop|suppress|disable|silence|mute|turn off|switch off|filter out|ignore)\b[^.\n]{0,60}\baudit\w*\b|\b(?:do not|don['’]t|no need to|never|need not)\b[^.\n]{0,20}\b(?:mention|list|report|tell|announce|record)\b/i;

function weighStranger(match: Match, account: string) {
  const { file, text } = match;
  if (!isCommand(match) || account === "" || SAMPLE_NAME.test(account) || has(file, ASKS)) return false;
  // A page may show a command for one known place; a variable stands for the user's own.
  if (!isProse(file) || /\$|\{|<[a-z]/i.test(`${match.line}${text}`)) return true;
  return UNRECORDED.test(around(match)) ? "critical" : "high";
}
