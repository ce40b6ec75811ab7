import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";

const PLACEHOLDER = /your|xxx|\.\.\.|example|T0{5,}|B0{5,}|123456789\b|1234567890|abcdef|<|\$\{|placeholder/i;

export const chatWebhook: Rule = {
  id: "EXF-002",
  version: 1,
  severity: "high",
  title: "Webhook of a chat",
  why: "A message channel of the author's is written into the skill; what is sent there, the author reads.",
  owasp: ["ASI02", "LLM02"],
  patterns: [
    {
      hints: [
        "/api/webhooks/",
        "hooks.slack.com",
        "api.telegram.org",
        "webhook.office.com",
        "open.feishu.cn",
        "oapi.dingtalk.com",
        "qyapi.weixin",
      ],
      re: String.raw`(?:discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{5,}/[\w-]{16,}|hooks\.slack\.com/(?:services|workflows)/T[A-Z0-9]{5,}/[AB][A-Z0-9]{5,}/\w{10,}|api\.telegram\.org/(?:file/)?bot\d{6,}:[\w-]{25,}|[\w-]+\.webhook\.office\.com/webhookb2/[0-9a-f-]{30,}|open\.feishu\.cn/open-apis/bot/v2/hook/[0-9a-f-]{30,}|oapi\.dingtalk\.com/robot/send\?access_token=[0-9a-f]{40,}|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[0-9a-f-]{30,})`,
      weigh: (match) => {
        const { text } = match;
        const random = new Set(text.slice(-24)).size >= 8;
        return PLACEHOLDER.test(text) || !random ? false : isShownAsBad(match) ? "info" : true;
      },
    },
    {
      hints: ["telegram"],
      re: String.raw`\b(?:bot_?token|telegram_?token|TOKEN)["']?\s*[:=]\s*["']\d{8,10}:[\w-]{35}["']`,
      weigh: ({ text }) => !PLACEHOLDER.test(text),
    },
  ],
};
