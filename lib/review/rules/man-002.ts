import type { Rule } from "../scan/rule";
import { isProse } from "./evidence/kinds";

export const movesMoney: Rule = {
  id: "MAN-002",
  version: 1,
  severity: "info",
  title: "Moves money or trades",
  why: "A mistake or a trick here costs money at once.",
  owasp: ["ASI02", "LLM06"],
  applies: isProse,
  decoded: false,
  patterns: [
    {
      hints: [
        "funds",
        "send",
        "trade",
        "swap",
        "transfer",
        "payment",
        "wallet",
        "order",
        "withdraw",
        "purchase",
        "buy ",
      ],
      re: String.raw`\b(?:execut\w+|plac\w+|submit\w*|automat\w+)\s+(?:\w+\s+){0,2}(?:trades?|swaps?|buy\s+orders?|sell\s+orders?|market\s+orders?|limit\s+orders?)\b|\b(?:send|transfer|withdraw)\s+(?:\w+\s+){0,2}(?:funds|usdc|usdt|eth|btc|sol|crypto\w*|tokens\s+to|money|payments?)\b|\b(?:make|initiate|process)\s+(?:a\s+)?(?:payments?|purchases?|wire\s+transfers?)\b`,
    },
  ],
};
