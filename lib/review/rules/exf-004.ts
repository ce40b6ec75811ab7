import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

export const nameLookup: Rule = {
  id: "EXF-004",
  version: 1,
  severity: "medium",
  title: "Data in a name lookup",
  why: "Asking for a name made of data tells that data to whoever serves the domain, past most firewalls.",
  owasp: ["ASI02", "LLM02"],
  patterns: [
    {
      hints: ["dig", "nslookup", "host ", "ping"],
      re: String.raw`\b(?:dig|nslookup|host|ping)\s+(?:[+-]\w+\s+(?:\d+\s+)?)*["']?(?:[\w.-]*(?:\$\(|\x60)[^\n]*?(?:\)|\x60)|\$\{?\w+\}?)\.[\w-]+(?:\.[\w-]+)+`,
      weigh: unlessShownAsBad("info", ({ text }) =>
        /\$\(|`|base64|xxd|encoded|chunk|data|secret|token/i.test(text) ? "high" : true,
      ),
    },
    {
      hints: ["gethostby", "getaddrinfo", "dns.resolve", "dns.lookup", "resolver"],
      re: String.raw`\b(?:socket\.(?:gethostbyname|getaddrinfo)|dns\.(?:resolve\w*|lookup)|resolver\.(?:resolve|query))\s*\(\s*(?:f["'][^"'\n]*\{|\x60[^\x60\n]*\$\{|[\w.]+\s*\+\s*["']\.)[^)\n]*\)`,
      weigh: unlessShownAsBad("info", ({ text }) =>
        /encode|b64|hex|chunk|secret|token|data|payload/i.test(text) ? "high" : true,
      ),
    },
  ],
};
