import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

export const miner: Rule = {
  id: "SYS-005",
  version: 1,
  severity: "critical",
  title: "Mines cryptocurrency",
  why: "The machine and its electricity are used for somebody else's money.",
  owasp: ["ASI02", "LLM10"],
  patterns: [
    {
      hints: [
        "xmrig",
        "stratum+",
        "minerd",
        "cryptonight",
        "randomx",
        "coinhive",
        "ethminer",
        "nbminer",
        "t-rex",
        "cpuminer",
        "minexmr",
        "supportxmr",
        "nanopool",
        "moneroocean",
        "nicehash",
      ],
      re: String.raw`\bstratum\+(?:tcp|ssl|tls)://[^\s"']+|(?:\./|/|\bnohup\s+|\b(?:curl|wget)\b[^\n]*|\bsudo\s+|^\s*)(?:xmrig|minerd|ethminer|nbminer|cpuminer)\b(?:\s+-|-\d|\.tar|/releases|[^\n]*--donate)|\bcoinhive\.min\.js\b|\b(?:pool\.)?(?:minexmr|supportxmr|moneroocean|nanopool)\.(?:com|org|stream)\b[^\n]*`,
      weigh: unlessShownAsBad("info"),
    },
  ],
};
