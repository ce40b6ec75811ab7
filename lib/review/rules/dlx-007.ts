import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";

/** Not the Internet, or known to everybody. */
const OWN =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|2(?:2[4-9]|[3-5]\d)\.|1\.1\.1\.1$|1\.0\.0\.1$|8\.8\.[48]\.[48]$|9\.9\.9\.9$|1\.2\.3\.4$|5\.6\.7\.8$|123\.(?:123|45)\.|12\.34\.56\.78$|11\.22\.33\.44$)/;

export const rawAddress: Rule = {
  id: "DLX-007",
  version: 1,
  severity: "high",
  title: "Address without a name",
  why: "A bare public IP address belongs to nobody you can look up, and is how dropped servers are reached.",
  owasp: ["ASI04", "LLM03"],
  patterns: [
    {
      hints: ["://"],
      re: String.raw`\b(?:https?|ftp|wss?|tcp)://(?:[^\s/@"'\x60]*@)?(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?:[:/?#][^\s"'\x60)>\]]*|\b)`,
      weigh: (match) => {
        const address = match.groups[0] ?? "";
        if (OWN.test(address) || address.split(".").some((part) => Number(part) > 255)) return false;
        return isShownAsBad(match) ? "info" : true;
      },
    },
    {
      hints: ["://0x", "://"],
      re: String.raw`\bhttps?://(?:0x[0-9a-f]{8}|[1-3]\d{9})(?:[:/]|\b)`,
    },
  ],
};
