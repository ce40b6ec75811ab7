import type { Match, Rule } from "../scan/rule";
import { ASKS, around, has, isCommand, isProse } from "./evidence";
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
