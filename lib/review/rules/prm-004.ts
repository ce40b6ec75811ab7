import type { Rule } from "../scan/rule";
import { isProse } from "./evidence/kinds";

export const roleMarkers: Rule = {
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
