import type { Rule } from "../scan/rule";
import { isRead } from "./evidence/kinds";
import { around } from "./evidence/places";

const FROM_ELSEWHERE = /https?:\/\/|\bdownload\b|\bgithub\b|\breleases?\b/i;
const ARCHIVE = /\.(?:zip|rar|7z)\b|\b(?:zip|rar|7z|archive|extract(?:ed|ing|ion)?|unzip|unpack|decompress)\b/i;
/** Locked documents and one's own archives are ordinary work. */
const OWN =
  /\b(?:pdf|docx?|xlsx?|office|encrypt(?:s|ed|ing)?|protect your|your (?:own )?password|<password>|\$\{?pass\w*|YOUR_|password=None|user-provided|prompt)\b|\$PASS|\$\{?[A-Z_]+\}?$/i;

export const passwordArchive: Rule = {
  id: "DLX-005",
  version: 1,
  severity: "critical",
  title: "Archive with its password in the text",
  why: "A password that everybody can read protects nothing; it keeps virus scanners from looking into the archive.",
  owasp: ["ASI04", "ASI09"],
  applies: isRead,
  patterns: [
    {
      hints: ["pass", "pwd"],
      re: String.raw`\b(?:zip|rar|7z|archive|extract\w*|unzip|unpack|decompress|downloaded?)\b[^\n]{0,160}\b(?:password|passwd|passcode|pass|pwd|pw)\b[^\n\w]{0,12}(?:is\s+|=\s*|:\s*|with\s+)?[\s\x60"'*(:=]{0,6}[\w@#!.-]{3,}`,
      weigh: (match) => {
        if (
          OWN.test(match.text) ||
          /\b(?:password|pass\w*)\s+(?:protected|protection|required|field|manager|hash|policy)/i.test(match.text)
        )
          return false;
        // A value follows: quoted, in code, or after a colon.
        if (!/\bpass\w*\b\W{0,12}(?:is\s+)?[`"'*(:=]|\bpass\w*\s*(?:is|:|=)\s*\S|\bpwd\s*[:=]/i.test(match.text))
          return false;
        return FROM_ELSEWHERE.test(around(match)) ? true : "medium";
      },
    },
    {
      hints: ["pass"],
      re: String.raw`^[\s>*|#\-\d.]*(?:\*\*)?(?:the\s+)?(?:archive|zip|extraction|unzip|file|rar)?\s*(?:password|passcode|pass|pwd)\b\s*(?:is\b|[:=\-|\x60*]|\()[\s\x60"'*:|(]{0,6}[\w@#!.-]{3,}`,
      weigh: (match) => {
        const near = `${match.before.slice(-300)}${match.after.slice(0, 150)}`;
        if (OWN.test(match.line)) return false;
        return /\.(?:zip|rar|7z)\b|\bextract\b/i.test(near) && FROM_ELSEWHERE.test(near);
      },
    },
    {
      hints: ["unzip", "7z", "unrar", "extractall", "rar "],
      re: String.raw`(?:\bunzip\s+(?:-\w+\s+)*-P\s*["']?[\w@#!.-]{2,}|\b7z[az]?\s+[xe]\s[^\n]*-p["']?[\w@#!.-]{2,}|\bunrar\s+[xe]\s[^\n]*-p[\w@#!.-]{2,}|\.extractall\([^)\n]*pwd\s*=\s*b?["'][^"'\n]+)`,
      weigh: (match) => {
        if (/-[pP]\s*["']?(?:PASSWORD|password|YOUR|<|\$)/.test(match.text)) return "medium";
        return FROM_ELSEWHERE.test(around(match)) && ARCHIVE.test(around(match)) ? true : "medium";
      },
    },
  ],
};
