import type { Rule } from "../scan/rule";
import { writesAgentControl } from "./agt-001";
import { remoteInstructions } from "./agt-002";
import { changesSkills } from "./agt-003";
import { sshKeys } from "./crd-001";
import { cloudCredentials } from "./crd-002";
import { secretStores } from "./crd-003";
import { environmentDump } from "./crd-004";
import { readsDotEnv } from "./crd-005";
import { asksForSecret } from "./crd-006";
import { hardCodedSecret } from "./crd-007";
import { unpinnedPackage } from "./dep-001";
import { packageFromElsewhere } from "./dep-002";
import { installScripts } from "./dep-003";
import { lookalikePackage } from "./dep-004";
import { mutableReference } from "./dep-005";
import { downloadPipedToShell } from "./dlx-001";
import { downloadEvaluated } from "./dlx-002";
import { decodedAndRun } from "./dlx-003";
import { hiddenPowerShell } from "./dlx-004";
import { passwordArchive } from "./dlx-005";
import { dropPlace } from "./dlx-006";
import { rawAddress } from "./dlx-007";
import { shortener } from "./dlx-008";
import { prerequisiteDownload } from "./dlx-009";
import { executableLink } from "./dlx-010";
import { downloadedAndRun } from "./dlx-011";
import { fakePrerequisite } from "./dlx-012";
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
import { notAnalysed } from "./obf-004";
import { overridesInstructions } from "./prm-001";
import { concealsFromUser } from "./prm-002";
import { worksSilently } from "./prm-003";
import { roleMarkers } from "./prm-004";
import { jailbreakWords } from "./prm-005";
import { alwaysFirst } from "./prm-006";
import { turnsOffConfirmation } from "./prm-007";
import { addressesReviewer } from "./prm-008";
import { takesEveryRequest } from "./prm-009";
import { destructive } from "./sys-001";
import { persistence } from "./sys-002";
import { privilege } from "./sys-003";
import { containerEscape } from "./sys-004";
import { miner } from "./sys-005";

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
