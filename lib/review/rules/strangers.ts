import type { Match, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { ASKS, around, findAll, has, isCommand, isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

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
  /\b(?:https?_proxy|all_proxy|http\.proxy|https?-proxy|https?\.proxy|ANTHROPIC_BASE_URL|OPENAI_(?:BASE_URL|API_BASE)|GEMINI_BASE_URL|GOOGLE_GEMINI_BASE_URL)["']?(?:\s*[:=]\s*|\s+)["']?(?:https?|socks5h?):\/\/(?!localhost|127\.|10\.|192\.168\.|172\.|proxy\.|[^\s"'/]{0,80}(?:corp|intra|internal|\.local\b|\.lan\b|example|company|your|\$|\{|<)|[\w-]+(?:[:/]|["'\s]|$))[\w.-]+/i;

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

/** Rules about accounts and hosts of a stranger that a skill puts over or between what is the user's. */
export const STRANGERS: Rule[] = rulesOf([
  {
    id: "SYS-016",
    version: 2,
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

function weighStranger(match: Match, account: string) {
  const { file, text } = match;
  if (!isCommand(match) || account === "" || SAMPLE_NAME.test(account) || has(file, ASKS)) return false;
  // A page may show a command for one known place; a variable stands for the user's own.
  return !isProse(file) || /\$|\{|<[a-z]/i.test(`${match.line}${text}`) || "high";
}
