import { sha256Hex } from "@/lib/core/hash";
import type { Rule } from "../scan/rule";
import { AGENT_CONTROL } from "./agent-control";
import { DEPENDENCIES } from "./dependencies";
import { DOWNLOAD_AND_RUN } from "./download-and-run";
import { EXFILTRATION } from "./exfiltration";
import { FALSIFIED_RESULTS } from "./falsified-results";
import { FRAUD } from "./fraud";
import { HIDDEN_TEXT } from "./hidden-text";
import { HOSTILE_DEEDS } from "./hostile-deeds";
import { LOST_DATA } from "./lost-data";
import { LURES } from "./lures";
import { OBFUSCATION } from "./obfuscation";
import { OPENED_ACCESS } from "./opened-access";
import { ORDERS } from "./orders";
import { PROMPT_INJECTION } from "./prompt-injection";
import { SECRETS } from "./secrets";
import { skillRiskOf } from "./skill-risks";
import { SPREADING } from "./spreading";
import { START_PLACES } from "./start-places";
import { SYSTEM_DAMAGE } from "./system-damage";
import { TYPED_SECRETS } from "./typed-secrets";
import { UNDECLARED_ABILITIES } from "./undeclared-abilities";
import { UNSEEN_COPIES } from "./unseen-copies";
import { UNTRUSTED_SOURCES } from "./untrusted-sources";
import { VALUE_FLOWS } from "./value-flows";

/** All rules in order of their ids. */
export const ALL_RULES: Rule[] = [
  ...[AGENT_CONTROL, SECRETS, DEPENDENCIES, DOWNLOAD_AND_RUN, UNTRUSTED_SOURCES, EXFILTRATION, UNSEEN_COPIES],
  ...[
    HIDDEN_TEXT,
    UNDECLARED_ABILITIES,
    OBFUSCATION,
    PROMPT_INJECTION,
    SYSTEM_DAMAGE,
    START_PLACES,
    VALUE_FLOWS,
    ORDERS,
    LURES,
    HOSTILE_DEEDS,
    FRAUD,
    TYPED_SECRETS,
    OPENED_ACCESS,
    FALSIFIED_RESULTS,
    SPREADING,
    LOST_DATA,
  ],
]
  .flat()
  .map((rule) => ({ ...rule, owasp: [skillRiskOf(rule.id), ...rule.owasp] }))
  .sort((a, b) => (a.id < b.id ? -1 : 1));

/** Raise this version when the capability card or the list of executables says more, or says it differently. */
const CARD = "card@5";

/** SHA-256 over all rule ids and versions in order, and the version of the capability card. */
export function rulesVersion(): string {
  version ??= sha256Hex([...ALL_RULES.map((rule) => `${rule.id}@${rule.version}`), CARD].sort().join("\n"));
  return version;
}

let version: string | undefined;
