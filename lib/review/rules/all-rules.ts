import type { Rule } from "../scan/rule";
import { writesAgentControl } from "./agt-001";
import { remoteInstructions } from "./agt-002";
import { changesSkills } from "./agt-003";
import { sshKeys } from "./crd-001";
import { cloudCredentials } from "./crd-002";
import { secretStores } from "./crd-003";
import { environmentDump } from "./crd-004";
import { asksForSecret } from "./crd-006";
import { hardCodedSecret } from "./crd-007";
import { unpinnedPackage } from "./dep-001";
import { packageFromElsewhere } from "./dep-002";
import { installScripts } from "./dep-003";
import { lookalikePackage } from "./dep-004";
import { downloadPipedToShell } from "./dlx-001";
import { downloadEvaluated } from "./dlx-002";
import { decodedAndRun } from "./dlx-003";
import { hiddenPowerShell } from "./dlx-004";
import { passwordArchive } from "./dlx-005";
import { dropPlace } from "./dlx-006";
import { rawAddress } from "./dlx-007";
import { shortener } from "./dlx-008";
import { prerequisiteDownload } from "./dlx-009";
import { downloadedAndRun } from "./dlx-011";
import { fakePrerequisite } from "./dlx-012";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { isProse, isRead, isSkillMd } from "./evidence/kinds";
import { uploadsPrivateData } from "./exf-001";
import { chatWebhook } from "./exf-002";
import { readAndSent } from "./exf-003";
import { nameLookup } from "./exf-004";
import { imageWithData } from "./exf-005";
import { reverseShell } from "./exf-006";
import { tagCharacters } from "./hid-001";
import { bidiControls } from "./hid-002";
import { zeroWidth } from "./hid-003";
import { variationSelectors } from "./hid-004";
import { orderingComment } from "./hid-005";
import { hiddenByStyle } from "./hid-006";
import { hugeGap } from "./hid-007";
import { mixedScripts } from "./hid-008";
import { undeclaredAbility } from "./man-001";
import { movesMoney } from "./man-002";
import { formatViolation } from "./man-003";
import { longEncodedText } from "./obf-001";
import { disguisedCode } from "./obf-002";
import { unreadableFile } from "./obf-003";
import { overridesInstructions } from "./prm-001";
import { concealsFromUser } from "./prm-002";
import { jailbreakWords } from "./prm-005";
import { alwaysFirst } from "./prm-006";
import { turnsOffConfirmation } from "./prm-007";
import { addressesReviewer } from "./prm-008";
import { destructive } from "./sys-001";
import { persistence } from "./sys-002";
import { privilege } from "./sys-003";
import { containerEscape } from "./sys-004";
import { miner } from "./sys-005";

const VENDORS =
  /^https?:\/\/(?:[a-z0-9-]+\.)*(?:python\.org|nodejs\.org|microsoft\.com|visualstudio\.com|windows\.net|docker\.com|git-scm\.com|github\.com|githubusercontent\.com|gitlab\.com|apple\.com|google\.com|googleapis\.com|gstatic\.com|mozilla\.org|anaconda\.com|jetbrains\.com|adoptium\.net|oracle\.com|golang\.org|go\.dev|rust-lang\.org|rustup\.rs|chocolatey\.org|7-zip\.org|ffmpeg\.org|gyan\.dev|videolan\.org|wireshark\.org|postgresql\.org|enterprisedb\.com|mysql\.com|mongodb\.com|amazonaws\.com|aws\.amazon\.com|cloudfront\.net|azure\.com|cloudflare\.com|sourceforge\.net|r-project\.org|qt\.io|unity3d\.com|nvidia\.com|blender\.org|slack\.com|zoom\.us|1password\.com|tailscale\.com|hashicorp\.com|vmware\.com|ubuntu\.com|debian\.org|apache\.org|eclipse\.org|libreoffice\.org|documentfoundation\.org|imagemagick\.org|ghostscript\.com|texlive\.info|miktex\.org|pandoc\.org|npmjs\.(?:com|org)|example\.(?:com|org|net))\//i;

const executableLink: Rule = {
  id: "DLX-010",
  version: 1,
  severity: "high",
  title: "Link to an installer or executable",
  why: "The link leads straight to a program for a desktop.",
  owasp: ["ASI04", "ASI09"],
  patterns: [
    {
      hints: [".exe", ".msi", ".dmg", ".pkg", ".scr", ".bat", ".vbs", ".hta", ".lnk"],
      re: String.raw`https?://[^\s"'\x60)>\]]+/[^\s"'\x60)>\]?#]*\.(?:exe|msi|dmg|pkg|scr|bat|vbs|hta|lnk)(?:[?#][^\s"'\x60)>\]]*|\b)`,
      weigh: (match) => {
        if (isShownAsBad(match)) return "info";
        return VENDORS.test(match.text) ? "medium" : true;
      },
    },
  ],
};

const takesEveryRequest: Rule = {
  id: "PRM-009",
  version: 1,
  severity: "medium",
  title: "Wants to be used for everything",
  why: "A description this broad has the skill loaded for requests that have nothing to do with it.",
  owasp: ["ASI01", "ASI02"],
  applies: isSkillMd,
  decoded: false,
  patterns: [
    {
      hints: ["description", "when_to_use", "when-to-use"],
      re: String.raw`^(?:description|when[_-]to[_-]use|triggers?)\s*:[^\n]*\b(?:(?:use|invoke|activate|load|apply|run|call|trigger)\w*\s+(?:this\s+(?:skill\s+)?)?(?:for|on|in|with|before|at)\s+(?:every|all|any|each)\s+(?:single\s+)?(?:user\s+)?(?:requests?|tasks?|messages?|conversations?|questions?|prompts?|sessions?|queries|interactions?|responses?)\b|(?:must|always)\s+(?:be\s+)?(?:used?|invoked?|loaded|activated?|run)\s+(?:first|before\s+(?:any|every|all)\s+(?:other\s+)?(?:skills?|tools?|tasks?|actions?)|no\s+matter\s+what|regardless)|regardless\s+of\s+(?:the\s+)?(?:topic|request|task|user\s+request)|instead\s+of\s+(?:any\s+other|the\s+(?:official|built-in|original))\s+skill)`,
    },
  ],
};

const roleMarkers: Rule = {
  id: "PRM-004",
  version: 1,
  severity: "medium",
  title: "Markers of a conversation's roles",
  why: "These marks separate who speaks to a model; inside a text they pretend that somebody else does.",
  owasp: ["ASI01", "LLM01"],
  applies: isProse,
  patterns: [
    {
      hints: ["<|", "[inst]", "<<sys>>", "<system>", "[system]", "</s>", "<system_prompt>", "<system-reminder>"],
      re: String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[/?INST\]|<</?SYS>>|</?system(?:_prompt|_message|-reminder|_override)?>|^\s*\[system\]\s*:|</s>`,
      weigh: ({ inCode }) => (inCode ? "info" : true),
    },
  ],
};

const worksSilently: Rule = {
  id: "PRM-003",
  version: 1,
  severity: "info",
  title: "Works silently or in the background",
  why: "Something is to happen without a sign of it. Mostly harmless wording; read what it is.",
  owasp: ["ASI09"],
  applies: isProse,
  decoded: false,
  patterns: [
    {
      hints: ["silently", "background"],
      re: String.raw`\b(?:silently\s+(?:run|execute|send|upload|install|download|fetch|add|append|update|write|read|load)\w*|(?:run|execute|install|download|send|upload|sync)\w*\b[^.\n]{0,40}\b(?:silently|in\s+the\s+background))`,
    },
  ],
};

/** The scan itself adds findings of this rule where a limit was reached. */
const notAnalysed: Rule = {
  id: "OBF-004",
  version: 1,
  severity: "high",
  title: "Could not be analysed",
  why: "A limit of time, size or encoding was reached. What was not looked at is unknown, not harmless.",
  owasp: ["ASI04"],
  decoded: false,
  checkFile: ({ unread, text, kind, extension }) => {
    if (unread === null) return [];
    if (unread === "too_long") return [{ text: `Only the first ${text.length} characters were scanned.` }];
    const text_ = "The file is not valid UTF-8; it was scanned as well as it could be.";
    // Tables and old notes often are in another encoding. Instructions and scripts have no reason to be.
    return [{ text: text_, severity: kind === "data" || extension === "txt" ? "medium" : "high" }];
  },
};

const readsDotEnv: Rule = {
  id: "CRD-005",
  version: 1,
  severity: "info",
  title: "Reads a .env file",
  why: "Such files hold keys. Most programs that read one only want their own.",
  owasp: ["ASI03"],
  applies: isRead,
  decoded: false,
  patterns: [
    {
      hints: [".env", "dotenv"],
      re: String.raw`(?:\b(?:cat|source|\.|grep|head|cp)\s+["']?(?:[\w~$./-]*/)?\.env\b|\bload_dotenv\s*\(|\bdotenv\.config\s*\(|open\s*\(\s*["'][^"'\n]*\.env["']|readFile(?:Sync)?\s*\(\s*["'][^"'\n]*\.env["'])`,
    },
  ],
};

const mutableReference: Rule = {
  id: "DEP-005",
  version: 1,
  severity: "medium",
  title: "Code from a moving reference",
  why: "A branch or 'latest' is something else after the next push; what was reviewed is not what is fetched.",
  owasp: ["ASI04", "LLM03"],
  patterns: [
    {
      hints: ["githubusercontent", "github.com", "gist.", "jsdelivr", "unpkg"],
      re: String.raw`\b(?:curl|wget|iwr|irm|fetch|urlopen|requests\.get|git\s+clone\s+--branch)\b[^\n]*https?://(?:raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/(?:refs/heads/)?(?:main|master|HEAD|dev|develop|latest)/|gist\.githubusercontent\.com/[\w.-]+/[0-9a-f]+/raw/[^/\s]*(?:\s|$|["'\x60])|github\.com/[\w.-]+/[\w.-]+/(?:raw|blob)/(?:main|master|HEAD)/|github\.com/[\w.-]+/[\w.-]+/releases/latest/download/|cdn\.jsdelivr\.net/gh/[\w.-]+/[\w.-]+@(?:main|master|latest)/)[^\s"'\x60)]*`,
    },
  ],
};

/** Every rule; the order is the one in which they run. */
export const ALL_RULES: Rule[] = [
  writesAgentControl,
  remoteInstructions,
  changesSkills,
  sshKeys,
  cloudCredentials,
  secretStores,
  environmentDump,
  readsDotEnv,
  asksForSecret,
  hardCodedSecret,
  unpinnedPackage,
  packageFromElsewhere,
  installScripts,
  lookalikePackage,
  mutableReference,
  downloadPipedToShell,
  downloadEvaluated,
  decodedAndRun,
  hiddenPowerShell,
  passwordArchive,
  dropPlace,
  rawAddress,
  shortener,
  prerequisiteDownload,
  executableLink,
  downloadedAndRun,
  fakePrerequisite,
  uploadsPrivateData,
  chatWebhook,
  readAndSent,
  nameLookup,
  imageWithData,
  reverseShell,
  tagCharacters,
  bidiControls,
  zeroWidth,
  variationSelectors,
  orderingComment,
  hiddenByStyle,
  hugeGap,
  mixedScripts,
  undeclaredAbility,
  movesMoney,
  formatViolation,
  longEncodedText,
  disguisedCode,
  unreadableFile,
  notAnalysed,
  overridesInstructions,
  concealsFromUser,
  worksSilently,
  roleMarkers,
  jailbreakWords,
  alwaysFirst,
  turnsOffConfirmation,
  addressesReviewer,
  takesEveryRequest,
  destructive,
  persistence,
  privilege,
  containerEscape,
  miner,
];
