import type { Match, Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { around } from "./evidence/places";

const FETCHES =
  /\b(?:curl|wget|nc|ncat|iwr|iex|base64|bash -i|python[\d.]*\s+-c|perl\s+-e|powershell|osascript|eval)\b|\/dev\/tcp|https?:\/\/|\/tmp\/\.?\w|\/dev\/shm|\/var\/tmp|\/\.(?!local|config|claude|cargo|nvm|bun|deno|bashrc|zshrc|profile|bash_profile|zprofile|git|oh-my|npm|pyenv|rbenv|asdf|sdkman|volta|foundry|fly|cache|venv|ssh)[\w.-]+/i;
/** What tools put into a shell's start file for themselves. */
const ORDINARY =
  /\bexport\s+\w+=|\balias\s+\w+=|\beval\s+["']?\$\(\s*[\w./-]+\s+(?:init|hook|activate|env|completion|shellenv|shell)\b|\bsource\s|\bPATH\b|\bcompletion\b|\bautoload\b|\bfpath\b|\. "\$/;

export const persistence: Rule = {
  id: "SYS-002",
  version: 1,
  severity: "high",
  title: "Comes back by itself",
  why: "Something is left behind that starts again without the user, at sign-in or by the clock.",
  owasp: ["ASI10", "ASI05"],
  patterns: [
    {
      hints: ["crontab", "cron."],
      re: String.raw`(?:\|\s*(?:sudo\s+)?crontab\s+(?:-u\s+\S+\s+)?-|>>?\s*/etc/cron(?:tab|\.\w+/\S+)|>>?\s*/var/spool/cron\S*|@reboot\s+\S+)[^\n]*`,
      weigh,
    },
    {
      hints: [".bashrc", ".zshrc", ".profile", ".bash_profile", ".zshenv", ".zprofile", "config.fish", "$profile"],
      re: String.raw`(?:(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?(?:~|\$\{?HOME\}?|/home/\w+|/root|/Users/\w+)/\.(?:bashrc|zshrc|profile|bash_profile|zshenv|zprofile|bash_login)\b|(?:open|appendFile\w*)\s*\([^)\n]*\.(?:bashrc|zshrc|profile|bash_profile|zshenv)[^)\n]*["']a|Add-Content\s+[^\n]*\$PROFILE)`,
      weigh: (match) => {
        const weight = weigh(match, `${match.line}${match.before.slice(-300)}`);
        return weight === true &&
          ORDINARY.test(match.line) &&
          !/\b(?:curl|wget|nc|base64|iex)\b|\/dev\/tcp/i.test(match.line)
          ? "info"
          : weight === "medium"
            ? "info"
            : weight;
      },
    },
    {
      hints: ["launchagents", "launchdaemons", "launchctl"],
      re: String.raw`(?:(?:>|\btee|\bcp\s+\S+|\bmv\s+\S+|\bwriteFile\w*\(|\bopen\s*\()[^\n]*Library/Launch(?:Agents|Daemons)/[^\n]*|\blaunchctl\s+(?:load|bootstrap)\b[^\n]*\.plist)`,
      weigh: (match) =>
        isShownAsBad(match) ? "info" : match.file.kind === "script" && FETCHES.test(around(match)) ? true : "medium",
    },
    {
      hints: ["systemd", "systemctl", "loginctl", "rc.local", "init.d"],
      re: String.raw`(?:(?:>>?|\btee|\bcp\s+\S+|\bopen\s*\()\s*["']?(?:/etc/systemd/system|~/\.config/systemd/user|\$\{?HOME\}?/\.config/systemd/user|/lib/systemd/system)/\S+|>>\s*/etc/rc\.local|/etc/init\.d/\S+\s+<<)`,
      weigh: (match) =>
        isShownAsBad(match)
          ? "info"
          : /ExecStart\s*=[^\n]*(?:curl|wget|\bnc\b|base64|\/tmp\/|bash -i|\/dev\/tcp)/i.test(around(match))
            ? true
            : "medium",
    },
    {
      hints: ["currentversion", "schtasks", "register-scheduledtask", "startup"],
      re: String.raw`(?:\breg(?:\.exe)?\s+add\b[^\n]*\\CurrentVersion\\Run(?:Once)?\b|(?:Set|New)-ItemProperty\b[^\n]*\\CurrentVersion\\Run\b|winreg\.\w+\([^\n]*CurrentVersion\\+Run\b|\\Start Menu\\Programs\\Startup\\)[^\n]*`,
      weigh: (match) => (isShownAsBad(match) ? "info" : true),
    },
    {
      hints: ["schtasks", "register-scheduledtask"],
      re: String.raw`\b(?:schtasks(?:\.exe)?\s+/create|Register-ScheduledTask)\b[^\n]*`,
      weigh,
    },
    {
      hints: [".git/hooks", "core.hookspath"],
      re: String.raw`(?:(?:>>?|\btee\s+(?:-a\s+)?|\bcp\s+\S+\s+)\s*["']?[^\s"']*\.git/hooks/[\w-]+|\bgit\s+config\s+--global\s+core\.hooksPath)[^\n]*`,
      weigh: (match) =>
        weigh(match, `${match.line}${match.after.slice(0, 200)}`) === true &&
        /\b(?:curl|wget|nc|base64)\b/i.test(around(match))
          ? true
          : "info",
    },
  ],
};

/** A timer is a feature; one that fetches, decodes or runs from a hidden place is a foothold. */
function weigh(match: Match, near = `${match.line}${match.before.slice(-200)}`) {
  if (isShownAsBad(match)) return "info" as const;
  return FETCHES.test(near) ? true : ("medium" as const);
}
