import type { Match, Rule } from "../scan/rule";
import { isOwnOrPlaceholder } from "./evidence";
import { rulesOf } from "./rule-rows";

const ADDRESS = String.raw`["'\x60<]?([\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[a-z]{2,})`;
const PLACEHOLDER =
  /@(?:[\w-]+\.)*example\.(?:com|org|net)$|^(?:you|your|me|user|name|someone|test|foo|alice|bob)[\w.-]*@/i;

/** Copies of the user's mail for an address that the skill brings. */
export const MAIL_COPIES: Rule[] = rulesOf([
  {
    id: "EXF-009",
    severity: "critical",
    title: "Copies mail to a fixed address",
    why: "Each message also goes to an address in the skill, which the sender and the recipients do not see.",
    owasp: ["ASI02", "LLM02"],
    asBad: "info",
    decoded: false,
    applies: ({ kind }) => kind === "script" || kind === "config",
    patterns: [
      {
        hints: ["bcc"],
        re: String.raw`\b(?:add_?)?bcc(?:_?(?:list|addresses|recipients?|emails?))?\b["'\x60\]]{0,3}\s*(?:[:=,(]|=>|:=)\s*(?:new\s+\w+\(|\w+\(|[\[{(])?\s*(?:["'\x60]?(?:email|address)["'\x60]?\s*[:=]\s*)?${ADDRESS}`,
        weigh: isStranger,
      },
      {
        hints: ["mail", "mutt", "swaks", "s-nail"],
        re: String.raw`\b(?:mailx?|mutt|s-nail|neomutt)\s[^\n|;]{0,200}\s-b\s+${ADDRESS}|\bswaks\s[^\n]{0,200}--(?:h-)?bcc\s+${ADDRESS}`,
        weigh: isStranger,
      },
      {
        hints: ["forward", "redirectto", "blindcopy"],
        re: String.raw`(?:-(?:ForwardTo|ForwardAsAttachmentTo|RedirectTo|BlindCopyTo|ForwardingSmtpAddress|ForwardingAddress)\s+["']?(?:smtp:)?|["'](?:forward(?:ingEmail|ingAddress|To)?|redirectTo|emailAddress)["']?\s*:\s*(?:\[\s*)?(?:\{[^}\n]{0,80}address["']?\s*:\s*)?)${ADDRESS}`,
        weigh: (match) => isStranger(match) && (/forward|redirect|blindcopy/i.test(match.text) || false),
      },
      {
        // Filters of Sieve and procmail, and forward files.
        hints: ["redirect", ".forward", "formail"],
        re: String.raw`\bredirect\s+(?::copy\s+)?${ADDRESS}|${ADDRESS}[^\n]{0,20}>>?\s*["']?[~$\w{}/]*/\.forward\b`,
        weigh: isStranger,
      },
    ],
  },
]);

function isStranger({ groups, line }: Match): boolean {
  const address = groups.find((group) => group?.includes("@")) ?? "";
  return address !== "" && !PLACEHOLDER.test(address) && !isOwnOrPlaceholder(line);
}
