import type { Match, Rule } from "../scan/rule";
import { around, has, isKnownInstaller, isOwnOrPlaceholder, isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

/** Code that no honest program leaves in a start-up place: it fetches and runs, decodes and runs, hides, or sends. */
const PAYLOADS = [
  /(?:\b|\\[nt])(?:curl|wget|iwr|irm|fetch)\b[^\n]{0,300}\|\s*(?:sudo\s+)?(?:\/\S{0,20}\/)?(?:env\s+)?(?:ba|z|da|k|fi)?sh\b/,
  /(?:\b|\\[nt])(?:curl|wget)\b[^\n]{0,300}\|\s*(?:sudo\s+)?(?:\/\S{0,30}\/)?(?:python[\d.]*|node|perl|ruby|php|osascript)\b(?!\s+-\w*[cmepn]\s)/,
  /\b(?:ba|z)?sh\b[^\n]{0,20}(?:<\(|\$\(|`)\s*(?:curl|wget)/,
  /(?:\b|\\[nt])exec\s*\(\s*[^\n]{0,80}(?:urlopen|requests\.get|httpx\.get)/,
  /\b(?:iex|invoke-expression)\b[^\n]{0,120}(?:\birm\b|\biwr\b|downloadstring|invoke-(?:web|rest))|(?:\birm|\biwr|downloadstring)\b[^\n]{0,160}\|\s*(?:iex|invoke-expression)/i,
  /\bfetch\([^\n]{0,200}\.then\((?:eval|Function|\(?\w+\)?\s*=>\s*(?:eval|new Function))|\bhttps?\.get\([^\n]{0,200}\beval\(|\beval\(\s*await\s[^\n]{0,80}fetch\(/,
  /\/dev\/(?:tcp|udp)\/|\bbash\s+-i\b|\bnc(?:at)?\s[^\n]{0,60}\s-e\b/,
  /base64\s+(?:-d|-D|--decode)\b[^\n]{0,80}\|\s*(?:ba|z)?sh|FromBase64String|powershell[^\n]{0,80}\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{24}/i,
  /powershell[^\n]{0,80}-w(?:in\w*)?\s+(?:hidden|1)\b/i,
  /(?:\b|\\[nt])curl\b[^\n]{0,200}\s(?:-d|--data\S*|-T|--upload-file|--json)\s*["'\\]*(?:@?-(?=[\s"'\\])|\$\((?:env|cat|history|git\s+(?:bundle|diff|config))|@\S{0,40}(?:\.ssh|\.aws|\.env|history))/,
];
const ANY_PAYLOAD = new RegExp(PAYLOADS.map(({ source }) => source).join("|"), "i");

/** A program under a name that a listing of files does not show. */
const HIDDEN_PROGRAM =
  /(?:\/tmp|\/var\/tmp|\/dev\/shm)\/\.?\w|\bLibrary\/\.\w|ExecStart=(?:%[sh]|~|\$\{?HOME\}?|\/home\/\w+|\/root)\/\.(?!local\/bin|config|cargo|nvm|bun|deno|pyenv|asdf|volta|npm)[\w-]+\/|[~\w}]\/\.(?:cache|config|local(?:\/share)?)\/(?:[\w-]+\/)?\.\w|\\(?:Temp|Public|ProgramData)\\\w+\.(?:exe|dll|vbs|ps1)/i;
const BRINGS =
  /\bcurl\b[^\n]{0,200}\s-\w*[oO]|\bwget\b|urlretrieve|DownloadFile|-OutFile|\bcp\s+(?:-\w+\s+)?["']?\$0|base64\s+(?:-d|--decode)|\bcp\s+\S+\s+\S{0,80}\/\.(?![\w.-]{0,30}(?:bak|backup|old)\b)\w/;

// Grouped by their first letters, which the pattern engine needs to be fast.
const PLACES = [
  String.raw`\.(?:(?:ba|z)shrc|zshenv|z?profile|bash_(?:profile|login)|config["'/, ]+systemd|git["'/, ]+hooks|pth\b|Rprofile|vimrc)\b`,
  String.raw`/(?:etc/(?:cron\.\w|systemd/system|profile\.d)|var/spool/cron)|@reboot\b|\$PROFILE\b|__EventFilter`,
  String.raw`c(?:rontab\b|onfig\.fish|ore\.(?:hooksPath|fsmonitor)|ommandLineEventConsumer|urrentVersion\\+Run)`,
  String.raw`p(?:rofile_default/startup|rompt_command|ost(?:-(?:checkout|commit|merge)|createCommand|toolUse)|re(?:-push|toolUse))\b`,
  String.raw`s(?:ystemctl\s+(?:--user\s+)?enable|tart menu|essionStart|itecustomize|chtasks)\b`,
  String.raw`r(?:unAtLoad|c\.local|egister-scheduledTask)`,
  String.raw`l(?:ibrary["'/, \x60]+launch(?:agents|daemons)|d\.so\.preload|ogin\s+item)`,
  String.raw`u(?:serCustomize|serPromptSubmit|dev/rules)|f(?:ish/conf\.d|olderOpen)|git-templates|init\.templateDir|a(?:utostart/|dd-zsh-hook)|bash_env`,
].join("|");

const PLACE_HINTS = [
  "launchagents",
  "launchdaemons",
  "runatload",
  "systemd",
  "systemctl",
  "cron",
  "@reboot",
  "rc.local",
  "/etc/profile.d",
  ".bashrc",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".bash_profile",
  ".bash_login",
  ".profile",
  "config.fish",
  "fish/conf.d",
  "$profile",
  "currentversion",
  "start menu",
  "autostart/",
  "hooks",
  "init.templatedir",
  "git-templates",
  "core.fsmonitor",
  "sessionstart",
  "userpromptsubmit",
  "posttooluse",
  "pretooluse",
  "folderopen",
  ".pth",
  "customize",
  "register-scheduledtask",
  "schtasks",
  "ld.so.preload",
  "prompt_command",
  "bash_env",
  "add-zsh-hook",
  "login item",
  "profile_default",
  ".rprofile",
  ".vimrc",
  "udev/rules",
  "__eventfilter",
  "commandlineeventconsumer",
  "postcreatecommand",
  "post-checkout",
  "post-commit",
  "post-merge",
  "pre-push",
];

/** Code that starts again by itself, or in the projects and packages of others. */
export const START_PLACES: Rule[] = rulesOf([
  {
    id: "SYS-010",
    version: 3,
    severity: "critical",
    title: "Starts fetched or hidden code by itself",
    why: "Leaves code in a start-up place, a hook or a schedule that fetches and runs more, hides, or sends data.",
    owasp: ["ASI10", "ASI05"],
    asBad: "info",
    patterns: [
      // With the next line, so that a long list of places has fewer matches.
      { hints: PLACE_HINTS, re: String.raw`(?:${PLACES})[^\n]*(?:\n[^\n]*)?`, weigh: weighPlace },
      {
        // A worm writes into packages or repositories of the user and publishes them.
        hints: ["npm publish", "tojson(secrets)", "yarn publish", "pnpm publish"],
        re: String.raw`\b(?:npm|yarn|pnpm)\s+publish\b|toJSON\(\s*secrets\s*\)`,
        weigh: ({ text, file }) => {
          if (/secrets/i.test(text))
            return (
              has(
                file,
                /(?:\b|\\[nt])curl\b|https?:\/\/(?!github\.com)|base64|upload-artifact|\becho\b[^\n]{0,60}toJSON/,
              ) || "high"
            );
          return (
            file.kind === "script" &&
            has(file, /(?:pre|post)install/) &&
            has(file, /\bnpm pkg set\b|writeFile|json\.dump|\bjq\b[^\n]{0,80}scripts|\bsed\s+-i/)
          );
        },
      },
      {
        hints: ["config.sh"],
        re: String.raw`\./config\.sh\s[^\n]*--url\s+["']?https://github\.com/[\w.$\{-][^\n]*--token\b[^\n]*`,
        // A machine of the author's repository, which runs what that repository says.
        weigh: (match) =>
          match.file.kind === "script" && /\bnohup\b|\bsetsid\b|\/\.\w|>\s*\/dev\/null|RUNASROOT/.test(around(match)),
      },
      {
        // What a stranger writes below a repository becomes a command of this machine.
        hints: ["github.event."],
        re: String.raw`\brun:[^\n]{0,80}\$\{\{\s*github\.event\.(?:discussion|issue|comment|pull_request|review)\.(?:body|title)\b`,
        weigh: ({ before, file }) =>
          file.kind === "script" && (/runs-on:[^\n]{0,10}self-hosted/.test(before) || "high"),
      },
      {
        hints: ["install", "prepare"],
        re: String.raw`"(?:pre|post)?(?:install|prepare|prepublish|pack)"\s*:\s*"[^\n]*`,
        weigh: (match) => {
          const payload = match.file.kind === "config" ? ANY_PAYLOAD.exec(match.text)?.[0] : undefined;
          return payload !== undefined && !isKnownInstaller(payload);
        },
      },
    ],
  },
]);

/** The pattern of a search, which is not run. */
const LOOKED_FOR = /\b(?:[ef]?grep|rg)\s+(?:-\S{1,20}\s+){0,3}(?:'[^'\n]{0,200}'|"[^"$\x60\n]{0,200}")/g;

function weighPlace(match: Match) {
  const { file } = match;
  if (file.kind === "data" || (isProse(file) && !match.inCode)) return false;
  const near = around(match).replace(LOOKED_FOR, "");
  const payload = match.view !== "source" || has(file, ANY_PAYLOAD) ? ANY_PAYLOAD.exec(near)?.[0] : undefined;
  if (payload !== undefined) return !isKnownInstaller(payload) && !isOwnOrPlaceholder(payload);
  if (file.kind !== "script") return false;
  if (HIDDEN_PROGRAM.test(near) && has(file, BRINGS)) return true;
  // Content that is written far from the name of its place.
  return (
    has(file, WRITES) &&
    !has(file, INSTALLS) &&
    has(file, ANY_PAYLOAD) &&
    ANY_PAYLOAD.test(file.text.replace(LOOKED_FOR, ""))
  );
}

const WRITES =
  /writeFile|appendFile|write_text|write_bytes|\.write\(|\bcat\s*>|>>|plistlib\.dump|Add-Content|Set-Content|json\.dump/;
/** A page of a vendor's installer may also change the PATH. */
const INSTALLS = /\|\s*(?:sudo\s+)?(?:ba)?sh\s*(?:$|\n)|\bpip install\b|\bbrew install\b|\bapt(?:-get)? install\b/;
