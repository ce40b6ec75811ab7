import type { Match, Weigh } from "../../scan/rule";
import type { Severity } from "../../scan/schema";

const NEGATED =
  /(?:\b(?:never|not|don['’]?t|avoid|refuse|instead of|rather than|bad|wrong|unsafe|insecure|prevents?|against)\b|❌|🚫|⛔|✗)[^.\n]{0,80}$/i;
const SPOKEN_OF =
  /\b(?:malicious|attack(?:s|er|ers)?|red flags?|suspicious|detect(?:s|ed|ion|or|ors|ing)?|vulnerab\w+|exploit(?:s|ation)?|anti-?patterns?|dangerous|threats?|forbidden|prohibited|blocklist\w*|denylist\w*|blocked|denied|(?:prompt|shell|command|sql|code) injections?|unsafe|insecure|flag(?:s|ged)?|checks? for|scans? for|look(?:s|ing)? for|watch (?:out )?for|indicators?|sanitiz\w+|adversarial|penetration|pentest\w*|honeypot|false positives?)\b|❌|🚫|⛔|🔴/i;
const RULE_DATA = /\b(?:patterns?|regex|regexp|re\.compile|severity|signatures?)\b/i;
const COMMENT = /^\s*(?:#|\/\/|\*|--|;|REM\b)/i;

/**
 * Whether the text around a match warns of it, forbids it or lists it as something to look for: what security guides and
 * other scanners are full of. Looks at the line and the 250 characters before it, never at the file's own claims elsewhere.
 */
export function isShownAsBad({ line, text, before, file, view }: Match): boolean {
  // Nobody warns in a disguise.
  if (view !== "source") return false;
  const around = line.replace(text, " ");
  const lineBefore = before.slice(before.lastIndexOf("\n") + 1);
  // A script does what it says; only its comments and its lists of patterns speak of things.
  if (file.kind !== "prose" && !COMMENT.test(line)) return RULE_DATA.test(around);
  if (NEGATED.test(lineBefore) || SPOKEN_OF.test(around)) return true;
  return SPOKEN_OF.test(before.slice(-250)) || isNegatedHeading(before);
}

/** Weighs a match as `severity` when it is shown as bad, and by the rule otherwise. */
export function unlessShownAsBad(severity: Severity | false, weigh: Weigh = () => true): Weigh {
  return (match) => {
    const weight = weigh(match);
    return weight !== false && isShownAsBad(match) ? severity : weight;
  };
}

function isNegatedHeading(before: string): boolean {
  const lastLines = before.split("\n").slice(-6, -1);
  return lastLines.some((line) =>
    /^\s*(?:#{1,6}|\*\*|[-*])?.{0,20}\b(?:never|do not|don['’]t|avoid|bad|wrong|must not)\b.{0,60}:?\**\s*$/i.test(
      line,
    ),
  );
}
