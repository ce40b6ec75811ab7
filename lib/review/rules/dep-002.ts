import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";
import { SINK } from "./evidence/places";

const INDEXES =
  /https:\/\/(?:[a-z0-9-]+\.)*(?:pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|pytorch\.org|nvidia\.com|yarnpkg\.com|npm\.pkg\.github\.com|pkg\.dev|codeartifact\.[\w-]+\.amazonaws\.com|pkgs\.dev\.azure\.com|jsr\.io|npmmirror\.com|tuna\.tsinghua\.edu\.cn|aliyun\.com|anaconda\.org|gitlab\.com|jfrog\.io|rubygems\.org|crates\.io|googleapis\.com)(?:[/:]|$)/i;

export const packageFromElsewhere: Rule = {
  id: "DEP-002",
  version: 1,
  severity: "medium",
  title: "Package from outside the registry",
  why: "The package comes from an address or index of somebody's own, which can serve anything under any name.",
  owasp: ["ASI04", "LLM03"],
  patterns: [
    {
      hints: ["git+", "http"],
      re: String.raw`\b(?:pip[\d.]*\s+install|uv\s+(?:pip\s+install|add|tool\s+install)|pipx\s+install|uvx\s+--from|npm\s+(?:i|install)|npx|yarn\s+add|pnpm\s+add|gem\s+install|cargo\s+install)\b[^\n]*?(?:git\+(?:https?|ssh)://|\shttps?://|--git\s+https?://)[^\s"'\x60]+`,
      weigh: unlessShownAsBad("info", ({ text }) =>
        /index-url|registry|find-links|\s-i\s/i.test(text)
          ? false
          : SINK.test(text) || /\bhttp:\/\/(?!localhost|127\.)/i.test(text)
            ? "high"
            : true,
      ),
    },
    {
      hints: ["index-url", "registry", "trusted-host", "index_url", "find-links"],
      re: String.raw`(?:--(?:extra-)?index-url|--registry|--find-links|\bregistry\s*=|\b(?:extra-)?index[-_]url\s*=)[= ]*["']?(https?://[^\s"'\x60]+)`,
      weigh: unlessShownAsBad("info", ({ text, groups: [url = ""] }) => {
        if (INDEXES.test(url) || /localhost|127\.0\.0\.1|your|<|\$|example\.(?:com|org|net)/i.test(url)) return false;
        return SINK.test(text) || /^http:/i.test(url) ? "high" : true;
      }),
    },
  ],
};
