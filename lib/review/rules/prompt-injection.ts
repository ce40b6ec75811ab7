import type { Match, Rule } from "../scan/rule";
import { has, isKnownInstaller, isNegativeExample, isOwnOrPlaceholder, isProse, isRead, isSkillMd } from "./evidence";
import { rulesOf } from "./rule-rows";

const PEOPLE =
  "(?:the\\s+)?(?:users?|humans?|operators?|owners?|developers?|customers?|person|victim|anyone|anybody|them)\\b";

const ALIAS = /\balias\s+\w+=|>>\s*["']?[~$\w{}/]*\.(?:bashrc|zshrc|profile)|CLAUDE_(?:CODE_)?ARGS/;

/** The program itself writes the settings of the agent in the user's home. */
/** Besides the mode without questions: all commands, no denials, no warning, all servers. */
const OPENS_ALL = [
  /"(?:Bash|Write)\((?:\*|\/\/\*\*|:\*)\)"|"allow"\s*:\s*\[\s*"(?:\*|Bash)"/,
  /"deny"\s*:\s*\[\s*\]/,
  /skipDangerousModePermissionPrompt"?\s*:\s*true/,
  /enableAllProjectMcpServers"?\s*:\s*true/,
];
const WRITES_SETTINGS =
  /\.claude[\s\S]{0,60}settings(?:\.local)?\.json[\s\S]{0,1500}(?:write_text|writeFile|json\.dump|\.write\(|>\s*["']?[~$])|(?:>|\btee\s)\s*["']?(?:~|\$\{?HOME\}?|%USERPROFILE%|\$env:USERPROFILE)["']?[\\/]\.claude[\\/]settings(?:\.local)?\.json/;

export const PROMPT_INJECTION: Rule[] = rulesOf([
  {
    id: "PRM-001",
    severity: "medium",
    title: "Tells the agent to ignore its instructions",
    why: "A skill must not change instructions that the agent got from others.",
    owasp: ["ASI01", "LLM01"],
    asBad: "info",
    applies: isRead,
    hints: ["ignore", "disregard", "forget", "override", "bypass", "supersede"],
    re: String.raw`\b(?:ignore|disregard|forget|override|overrides|bypass|supersedes?)\s+(?:(?:all|any|the|your|of|every|other|these|those|my|and|or)\s+){0,4}(?:previous|prior|earlier|above|preceding|existing|system|safety|original|security|default|built-in|developer|user(?:'s)?)(?:\s+(?:and|or|system|user|safety|security))*\s+(?:instructions?|rules|guidelines?|prompts?|directives?|restrictions?|polic(?:y|ies)|constraints?|safeguards?|messages?|guardrails)`,
    weigh: weighOrder,
  },
  {
    id: "PRM-002",
    severity: "high",
    title: "Conceals actions from the user",
    why: "Tells the agent to hide its actions from the user.",
    owasp: ["ASI01", "ASI09", "LLM01"],
    applies: isRead,
    patterns: [
      {
        hints: ["mention", "tell", "inform", "reveal", "disclose", "notify", "alert", "report", "announce"],
        re: String.raw`\b(?:do\s+not|don['’]?t|never|must\s+not|should\s+not|shouldn['’]t|avoid|without|no\s+need\s+to|refrain\s+from)\s+(?:ever\s+)?(?:mention|tell|inform|reveal|disclos|notify|alert|report|announc)(?:e|ing)?\s+(?:of\s+|about\s+)?(?:this|these|that|it|any\s+of\s+(?:this|it)|anything|the\s+(?:\w+\s+){0,2}(?:step|command|script|upload|download|backup|sync|request|call|action|transfer|process|file|operation|installation|check|instructions?|change|task|execution|data|telemetry|existence\s+of\s+\S+))\b[^.\n]{0,60}?\b(?:to|from|with|in\s+(?:your|the)\s+(?:output|response|summary|reply|final|answer|report))\s*(?:${PEOPLE})?`,
        weigh: weighConcealment,
      },
      {
        hints: ["tell", "inform", "notify", "alert"],
        re: String.raw`\b(?:do\s+not|don['’]?t|never|must\s+not|without)\s+(?:tell|inform|notify|alert)(?:ing)?\s+${PEOPLE}(?:\s+(?:about|that|of|what|when|why|this|you\s+(?:ran|did|sent|are)|it)\b|\s*[.,;!]|\s*$)`,
        weigh: weighConcealment,
      },
      {
        hints: ["without"],
        re: String.raw`\bwithout\s+(?:the\s+)?(?:user|human|owner|operator|victim|customer)(?:['’]?s)?\s+(?:knowledge|awareness|knowing|noticing|being\s+(?:aware|notified|informed|told)|realizing|seeing)`,
        weigh: weighConcealment,
      },
      {
        hints: ["hide", "conceal", "keep"],
        re: String.raw`\b(?:(?:hide|conceal)\s+(?:this|these|it|that|the\s+(?:\w+\s+){0,2}(?:step|command|action|operation|request|activity|output|instructions?|upload|transfer|fact|call|change)s?|all\s+\w+|any\s+\w+|your)\b[^.\n]{0,50}\bfrom|keep\s+(?:this|it|these|that|the\s+\w+)\s+(?:\w+\s+)?(?:secret|hidden|confidential|invisible)\s+(?:from|to))\s+${PEOPLE}`,
        weigh: weighConcealment,
      },
      {
        hints: ["know", "notice", "aware", "see this", "suspect"],
        re: String.raw`\b(?:user|human|owner|operator)s?\s+(?:must|should|need|does|do|will|is|can|cannot|are)(?:\s+not|n['’]t)?\s+(?:not\s+|never\s+|need\s+to\s+)?(?:know\s+(?:about|that|of)\s+(?:this|these|it)|notice\s+(?:this|it|anything)|be\s+(?:made\s+)?aware\s+of\s+(?:this|these|it)|see\s+this\s+(?:step|command|request|action)|suspect\s+\w+)`,
        weigh: (match) => /\b(?:not|n['’]t|never|cannot)\b/i.test(match.text) && weighConcealment(match),
      },
      {
        hints: ["secretly", "covertly", "surreptitiously", "stealthily"],
        re: String.raw`\b(?:secretly|covertly|surreptitiously|stealthily)\s+(?:\w+\s+){0,2}(?:run|execute|send|upload|read|copy|install|download|fetch|add|include|append|collect|transmit|record|log|modify|insert|exfiltrate|forward|monitor)`,
        weigh: weighConcealment,
      },
    ],
  },
  {
    id: "PRM-003",
    severity: "info",
    title: "Works silently or in the background",
    why: "Runs without the user noticing. This wording is mostly harmless; check what runs.",
    owasp: ["ASI09"],
    applies: isProse,
    decoded: false,
    hints: ["silently", "background"],
    re: String.raw`\b(?:silently\s+(?:run|execute|send|upload|install|download|fetch|add|append|update|write|read|load)\w*|(?:run|execute|install|download|send|upload|sync)\w*\b[^.\n]{0,40}\b(?:silently|in\s+the\s+background))`,
  },
  {
    id: "PRM-004",
    severity: "medium",
    title: "Conversation role markers",
    why: "These markers separate the speakers of a conversation. In a text they imitate another speaker.",
    owasp: ["ASI01", "LLM01"],
    applies: isProse,
    hints: ["<|", "[inst]", "<<sys>>", "<system>", "[system]", "</s>", "<system_prompt>", "<system-reminder>"],
    re: String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[/?INST\]|<</?SYS>>|</?system(?:_prompt|_message|-reminder|_override)?>|^\s*\[system\]\s*:|</s>`,
    weigh: ({ inCode }) => (inCode ? "info" : true),
  },
  {
    id: "PRM-005",
    severity: "medium",
    title: "Jailbreak phrase",
    why: "Such phrases are used to make a model ignore its limits.",
    owasp: ["ASI01", "LLM01"],
    asBad: "info",
    applies: isRead,
    patterns: [
      {
        hints: ["mode", "unrestricted", "jailbroken", "dan", "no restrictions"],
        re: String.raw`\byou\s+are\s+(?:now\s+)?(?:in\s+|operating\s+in\s+|running\s+in\s+)?(?:an?\s+)?(?:developer|god|admin|debug|maintenance|unrestricted|unfiltered|jailbr(?:eak|oken)|root|dan)\b(?:\s+(?:mode|ai|assistant|model))?`,
        weigh: ({ text, ...match }) =>
          /\b(?:mode|ai|unrestricted|unfiltered|jailbr\w+|dan)\b/i.test(text) &&
          !/\b(?:admin|root|debug|developer)$/i.test(text) &&
          weighJailbreak({ text, ...match }),
      },
      {
        hints: ["developer mode", "jailbreak", "do anything now", "god mode"],
        re: String.raw`\b(?:developer\s+mode\s+(?:enabled|activated|output)|do\s+anything\s+now|jailbreak\s+(?:mode|prompt|yourself)|(?:enter|enable|activate|switch\s+to)\s+(?:god|dan|jailbreak|unrestricted)\s+mode)\b`,
        weigh: weighJailbreak,
      },
      {
        hints: ["safety", "ethical", "content", "restrictions", "guardrails"],
        re: String.raw`\b(?:(?:disable|turn\s+off|remove|ignore|bypass|no\s+longer\s+(?:bound|follow|apply)\w*(?:\s+(?:by|to))?)\s+(?:(?:all|any|your|the|its)\s+){0,2}(?:safety|ethical|content|moral)\s+(?:filters?|guidelines?|restrictions?|checks?|guardrails|constraints?|limits?|polic(?:y|ies)|measures|mechanisms)|without\s+(?:any\s+)?(?:ethical|moral|safety)\s+(?:restrictions?|guidelines?|constraints?|filters?|limits?))`,
        weigh: weighJailbreak,
      },
    ],
  },
  {
    id: "PRM-006",
    severity: "medium",
    title: "Runs before every task",
    why: "Adds a step to every session or task, regardless of the user's request.",
    owasp: ["ASI01", "ASI02"],
    applies: isProse,
    hints: ["before ", "every ", "each ", "always"],
    re: String.raw`\b(?:before\s+(?:doing\s+)?(?:anything|any\s+(?:other\s+)?(?:task|action|step|command|work|operation)|every\s+(?:task|action|response|command)|starting\s+any|responding|proceeding\s+with\s+any)|(?:at|on)\s+(?:the\s+)?(?:start|beginning)\s+of\s+(?:every|each|any)\s+(?:session|conversation|response|task|message)|every\s+(?:time\s+(?:this\s+skill|you|the\s+(?:user|agent))|session|conversation)|each\s+time\s+this\s+skill)\b[^.\n]{0,120}\b(?:run|execute|fetch|curl|download|send|upload|post|invoke|install)\b`,
    weigh: ({ line, before, after }) => {
      const near = `${line}\n${after.slice(0, 200)}`;
      const sends = /\b(?:curl|wget|upload|post|send|exfil)\b/i.test(near) && /https?:\/\//.test(near);
      return sends && !isOwnOrPlaceholder(near) && !isKnownInstaller(near) && !/never|do not/i.test(before.slice(-40))
        ? "high"
        : true;
    },
  },
  {
    id: "PRM-007",
    version: 4,
    severity: "high",
    title: "Turns off confirmation",
    why: "Actions that a person would have to confirm run without confirmation.",
    owasp: ["ASI02", "ASI03", "LLM06"],
    patterns: [
      {
        hints: ["--dangerously", "dangerouslyskippermissions", "bypasspermissions", "danger-full-access"],
        re: String.raw`--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--permission-mode[ =]bypassPermissions|\bdangerouslySkipPermissions["']?\s*[:=]\s*true|(?:defaultMode|permission_?mode)["'\]]{0,2}\s*[:=]\s*["']?bypassPermissions|--sandbox[ =]danger-full-access|sandbox_mode\s*=\s*["']danger-full-access`,
        // Starting an agent for one task is less severe than a permanent setting.
        weigh: ({ text, line, file }) =>
          /bypassPermissions/.test(text) &&
          ((file.kind === "script" && has(file, WRITES_SETTINGS)) ||
            (file.kind === "config" && OPENS_ALL.filter((sign) => has(file, sign)).length > 1))
            ? "critical"
            : text.startsWith("--") && !ALIAS.test(line)
              ? "medium"
              : true,
        asBad: "info",
      },
      {
        hints: ["--yolo", "yolo"],
        re: String.raw`(?:\b(?:claude|codex|gemini|qwen|cursor-agent|agent|aider|goose)\b[^\n|;]*\s--yolo\b|--approval-mode[= ]yolo)`,
        weigh: ({ line }) => (ALIAS.test(line) ? true : "medium"),
        asBad: "info",
      },
      {
        hints: ["permissions", "autoapprove", "auto_approve", "alwaysallow"],
        re: String.raw`(?:"permissions"\s*:\s*\{\s*"allow"\s*:\s*\[\s*"(?:\*|Bash(?:\(\*\))?)"|"?(?:autoApprove|auto_approve|alwaysAllow|autoAllow)"?\s*[:=]\s*(?:true|\[?\s*["']\*["'])|enableAllProjectMcpServers"?\s*:\s*true|"?approval_?policy"?\s*[:=]\s*["']never["'])`,
        asBad: "info",
      },
      {
        hints: ["stricthostkeychecking", "userknownhostsfile"],
        re: String.raw`StrictHostKeyChecking[= ](?:no|off)\b`,
        // Scripts for one's own servers use this often.
        weigh: () => "medium",
        asBad: "info",
      },
      {
        hints: ["confirmation", "permission", "approval", "consent", "asking", "prompt"],
        re: String.raw`\b(?:execute|run|approve|accept|grant|perform|delete|send|install|transfer)\b[^.\n]{0,60}\bwithout\s+(?:asking\s+(?:the\s+user\s+)?for\s+|any\s+|requiring\s+|the\s+user['’]s\s+|user\s+|waiting\s+for\s+|prompting\s+for\s+|seeking\s+)+(?:confirmation|permission|approval|consent)`,
        weigh: ({ before, line }) =>
          /\b(?:never|not|don['’]?t|cannot|can['’]t|no)\b/i.test(before.slice(-60)) || /\bnever\b/i.test(line)
            ? false
            : "medium",
        asBad: false,
      },
    ],
  },
  {
    id: "PRM-008",
    severity: "medium",
    title: "Addresses a reviewer or scanner",
    why: "A text that declares itself safe is written for its reviewer, not for its user.",
    owasp: ["ASI09", "LLM01"],
    applies: isRead,
    patterns: [
      {
        hints: ["skill", "plugin", "package", "code", "script", "file"],
        re: String.raw`\bthis\s+(?:skill|plugin|package|script|code|file|tool)\s+(?:has\s+been|was|is)\s+(?:(?:fully|already|officially|security|independently|pre-?|formally|thoroughly)[\s-]*)*(?:verified|approved|audited|reviewed|certified|whitelisted|vetted|cleared|signed\s+off|trusted|safe\s+and\s+(?:verified|approved|trusted)|guaranteed\s+safe|virus[- ]?free|malware[- ]?free)\b`,
        // "This file is approved by the user before …" describes a step of the work.
        weigh: ({ after }) => !/^\s+(?:by\s+(?:the\s+)?(?:users?|humans?|owners?)|before|after|when|if)\b/i.test(after),
      },
      {
        hints: ["reviewer", "scanner", "auditor", "moderator", "analyzer", "analyser"],
        re: String.raw`\b(?:(?:note|message|attention|dear|instructions?|hello)\s*(?:to|for|,)?\s*(?:the\s+)?(?:ai\s+|security\s+|automated\s+|skill\s+|llm\s+)*(?:reviewers?|scanners?|auditors?|moderators?|analy[sz]ers?)\b|(?:reviewer|scanner|auditor)s?\s*[:,]\s*(?:please\s+)?(?:mark|approve|ignore|skip|classify|treat|report))`,
      },
      {
        hints: ["as safe", "as benign", "as clean", "not malicious", "false positive", "no security"],
        re: String.raw`\b(?:(?:mark|classify|report|rate|label|treat|flag|score)\s+(?:this|it|the)\s*(?:skill|file|plugin|package|code|script)?\s*as\s+(?:safe|benign|clean|trusted|approved|harmless)|this\s+(?:skill|code|script)\s+(?:is|contains)\s+(?:not\s+malicious|no\s+(?:malicious|security)\s+\w+|completely\s+safe|100\s*%\s*safe))`,
      },
    ],
  },
  {
    id: "PRM-009",
    severity: "medium",
    title: "Too broad description",
    why: "With such a broad description, agents load the skill for unrelated requests.",
    owasp: ["ASI01", "ASI02"],
    applies: isSkillMd,
    decoded: false,
    hints: ["description", "when_to_use", "when-to-use"],
    re: String.raw`^(?:description|when[_-]to[_-]use|triggers?)\s*:[^\n]*\b(?:(?:use|invoke|activate|load|apply|run|call|trigger)\w*\s+(?:this\s+(?:skill\s+)?)?(?:for|on|in|with|before|at)\s+(?:every|all|any|each)\s+(?:single\s+)?(?:user\s+)?(?:requests?|tasks?|messages?|conversations?|questions?|prompts?|sessions?|queries|interactions?|responses?)\b|(?:must|always)\s+(?:be\s+)?(?:used?|invoked?|loaded|activated?|run)\s+(?:first|before\s+(?:any|every|all)\s+(?:other\s+)?(?:skills?|tools?|tasks?|actions?)|no\s+matter\s+what|regardless)|regardless\s+of\s+(?:the\s+)?(?:topic|request|task|user\s+request)|instead\s+of\s+(?:any\s+other|the\s+(?:official|built-in|original))\s+skill)`,
  },
]);

/** Unquoted prose addresses the agent; quoted text only mentions the phrase. */
function weighOrder(match: Match) {
  const quoted = /["'“‘`«]\s*$/.test(match.before) || /^[^.\n]{0,80}["'”’`»]/.test(match.after);
  const starts = /(?:^|[.!?:>*\-–—#]|\n)\s*(?:\*\*|please|now|you must|you should|important:?|note:?)?\s*$/i.test(
    match.before,
  );
  return match.file.kind === "prose" && starts && !quoted && !match.inCode ? "high" : true;
}

function weighConcealment(match: Match) {
  const { text, line, before } = match;
  // "Never do this without the user's knowledge" asks for the opposite.
  if (
    /^without/i.test(text) &&
    /\b(?:never|not|don['’]?t|no|cannot|can['’]t|must not|nothing|avoid)\b[^.\n]{0,80}$/i.test(before)
  )
    return false;
  // Advice on tone is not concealment.
  if (
    /\b(?:until|unless|before (?:you|the)|if (?:you (?:are|have) not|unsure|it (?:fails|failed))|yet|verif(?:y|ied)|confirm(?:ed)?)\b/i.test(
      line.slice(line.indexOf(text)),
    )
  )
    return "medium";
  return isNegativeExample({ ...match, line: line.replace(/\b(?:do not|don['’]?t|never)\b/gi, " ") }) ? "medium" : true;
}

function weighJailbreak(match: Match) {
  const quoted = /["'“‘`]\s*$/.test(match.before);
  return match.file.kind === "prose" && !match.inCode && !quoted ? "high" : true;
}
