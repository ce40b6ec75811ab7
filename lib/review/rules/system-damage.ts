import type { Match, Rule } from "../scan/rule";
import { ASKS, around, has, isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

const FETCHES =
  /\b(?:curl|wget|nc|ncat|iwr|iex|base64|bash -i|python[\d.]*\s+-c|perl\s+-e|powershell|osascript|eval)\b|\/dev\/tcp|https?:\/\/|\/tmp\/\.?\w|\/dev\/shm|\/var\/tmp|\/\.(?!local|config|claude|cargo|nvm|bun|deno|bashrc|zshrc|profile|bash_profile|zprofile|git|oh-my|npm|pyenv|rbenv|asdf|sdkman|volta|foundry|fly|cache|venv|ssh)[\w.-]+/i;

const ORDINARY =
  /\bexport\s+\w+=|\balias\s+\w+=|\beval\s+["']?\$\(\s*[\w./-]+\s+(?:init|hook|activate|env|completion|shellenv|shell)\b|\bsource\s|\bPATH\b|\bcompletion\b|\bautoload\b|\bfpath\b|\. "\$/;

/** The whole disk or the whole home, and no folder in it. */
const WHOLE = /\s["']?(?:\/|\/\*|~\/?|~\/\*|\$\{?HOME\}?\/?\*?)["']?(?:\s|$|[;&|`)"'])/;

const OPENS_SUDO =
  /\bNOPASSWD\s*:\s*ALL\b[^\n]{0,80}(?:>|\btee\b)[^\n]{0,40}\/etc\/sudoers|\/etc\/sudoers[^\n]{0,60}(?:<<|write|open\()[^\n]{0,40}(?:\n[^\n]{0,120}){0,2}NOPASSWD\s*:\s*ALL/;
const FREES_AGENT =
  /"?defaultMode"?\s*:\s*"bypassPermissions"|"(?:Bash|Write)\((?:\*|:\*)\)"|\bapproval_policy\s*=\s*\\?["']never|\bsandbox_mode\s*=\s*\\?["']danger-full-access|dangerouslySkipPermissions"?\s*[:=]\s*true|--dangerously-skip-permissions|"autoApprove"\s*:\s*(?:true|\[\s*"\*")/;

export const SYSTEM_DAMAGE: Rule[] = rulesOf([
  {
    id: "SYS-001",
    severity: "high",
    title: "Destroys data",
    why: "Deletes or overwrites far more than the skill's own files.",
    owasp: ["ASI02", "ASI05", "LLM06"],
    asBad: "info",
    patterns: [
      {
        hints: ["rm "],
        re: String.raw`\brm\s+(?:-\w+\s+|--[\w-]+\s+)*-\w*[rR]\w*\s+(?:-\w+\s+|--[\w-]+\s+)*["']?(?:/|/\*|~/?|~/\*|\$\{?HOME\}?/?\*?|/(?:etc|home|usr|bin|boot|var|root|lib|opt|Users|System|Library)/?\*?|~/(?:Documents|Desktop|Pictures|Downloads|\.ssh|\.config)/?\*?|\*)["']?(?:\s|$|[;&|\x60)"'])`,
        weigh: ({ text, file, line }) => {
          // The severity of `rm -rf *` depends on the folder it runs in.
          if (/\s["']?\*["']?\W?$/.test(text)) return "info";
          if (isProse(file) && /^\s*[-|*].*`/.test(line)) return "medium";
          return /--no-preserve-root/.test(text) || (file.kind === "script" && WHOLE.test(text)) ? "critical" : true;
        },
      },
      {
        hints: ["mkfs", "dd ", "/dev/sd", "/dev/nvme", "/dev/disk"],
        re: String.raw`\bmkfs(?:\.\w+)?\s+(?:-\S+\s+)*/dev/\w+|\bdd\s+[^\n]*\bof=/dev/(?:sd|nvme|disk|hd|vd|mmcblk)\w*|>\s*/dev/(?:sd[a-z]|nvme\d)\b`,
        // Usually writes an SD card for a small computer (`medium`), unless the source is zeros or noise.
        weigh: ({ text, file }) => {
          if (!/if=\/dev\/(?:zero|u?random)|>\s*\/dev\/sd/.test(text)) return "medium";
          return file.kind === "script" ? "critical" : true;
        },
      },
      { hints: [":()", ": ()"], re: String.raw`:\s?\(\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;\s?:` },
      {
        hints: [
          "rmtree",
          "rimraf",
          "rmsync",
          "-delete",
          "remove-item",
          "del /",
          "format c",
          "vssadmin",
          "wbadmin",
          "cipher /w",
          "shred",
          "rm_r",
          "filepath.walk",
        ],
        re: String.raw`\bFileUtils\.rm_rf?\s*\(?\s*(?:Dir\.home\s*\)|File\.join\(\s*Dir\.home\s*,\s*\w+\s*\))|\bfilepath\.Walk(?:Dir)?\(\s*h(?:ome\w*)?\s*,[^\n]*(?:\n[^\n]*)?\bos\.(?:Remove|WriteFile)|\brmtree\s*\(\s*(?:os\.path\.expanduser\s*\(\s*["']~/?["']|Path\.home\(\)\s*[,)]|["'](?:/|~|/home|/Users)/?["'])|\b(?:rmSync|rimraf(?:\.sync)?|rm)\s*\(\s*(?:os\.homedir\(\)|process\.env\.HOME|["']/["'])\s*,|\bfind\s+(?:/|~|\$HOME)\s[^\n]*-delete\b|\bRemove-Item\b[^\n]*(?:C:\\(?:\*|\s|["'])|\$env:USERPROFILE\s|\$HOME\s)|\bdel\s+/[fsq]\s[^\n]*(?:C:\\\*|%USERPROFILE%)|\bformat\s+c:|\bvssadmin\s+delete\s+shadows|\bwbadmin\s+delete|\bshred\b[^\n]*\s(?:/dev/|~|/home)`,
        // A program does it; a page may explain it.
        weigh: ({ file }) => (file.kind === "script" ? "critical" : true),
      },
      {
        hints: ["delete", "erase", "wipe", "encrypt", "remove", "destroy"],
        re: String.raw`\b(?:delete|erase|wipe|destroy|encrypt|remove)\s+(?:all|every|the\s+entire|everything)\b[^.\n]{0,40}\b(?:in|on|under|from)\s+(?:the\s+)?(?:user['’]?s?\s+|their\s+)?(?:home\s+(?:directory|folder)|~/|\$HOME|documents\s+folder|hard\s+(?:drive|disk)|entire\s+(?:disk|system)|file\s*system|root\s+directory|/home\b|/Users\b|backups?\b)`,
        weigh: ({ file }) => isProse(file),
      },
    ],
  },
  {
    id: "SYS-002",
    severity: "high",
    title: "Installs persistent code",
    why: "Leaves code behind that starts again without the user, at sign-in or on a schedule.",
    owasp: ["ASI10", "ASI05"],
    asBad: "info",
    patterns: [
      {
        hints: ["crontab", "cron."],
        re: String.raw`(?:\|\s*(?:sudo\s+)?crontab\s+(?:-u\s+\S+\s+)?-|>>?\s*/etc/cron(?:tab|\.\w+/\S+)|>>?\s*/var/spool/cron\S*|@reboot\s+\S+)[^\n]*`,
        weigh: weighTimer,
      },
      {
        hints: [".bashrc", ".zshrc", ".profile", ".bash_profile", ".zshenv", ".zprofile", "config.fish", "$profile"],
        re: String.raw`(?:(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?(?:~|\$\{?HOME\}?|/home/\w+|/root|/Users/\w+)/\.(?:bashrc|zshrc|profile|bash_profile|zshenv|zprofile|bash_login)\b|(?:open|appendFile\w*)\s*\([^)\n]*\.(?:bashrc|zshrc|profile|bash_profile|zshenv)[^)\n]*["']a|Add-Content\s+[^\n]*\$PROFILE)`,
        weigh: (match) => {
          const { line, before } = match;
          const isOrdinary = ORDINARY.test(line) && !/\b(?:curl|wget|nc|base64|iex)\b|\/dev\/tcp/i.test(line);
          return (FETCHES.test(`${line}${before.slice(-300)}`) && !isOrdinary) || "info";
        },
      },
      {
        hints: ["launchagents", "launchdaemons", "launchctl"],
        re: String.raw`(?:(?:>|\btee|\bcp\s+\S+|\bmv\s+\S+|\bwriteFile\w*\(|\bopen\s*\()[^\n]*Library/Launch(?:Agents|Daemons)/[^\n]*|\blaunchctl\s+(?:load|bootstrap)\b[^\n]*\.plist)`,
        weigh: (match) => (match.file.kind === "script" && FETCHES.test(around(match))) || "medium",
      },
      {
        hints: ["systemd", "systemctl", "loginctl", "rc.local", "init.d"],
        re: String.raw`(?:(?:>>?|\btee|\bcp\s+\S+|\bopen\s*\()\s*["']?(?:/etc/systemd/system|~/\.config/systemd/user|\$\{?HOME\}?/\.config/systemd/user|/lib/systemd/system)/\S+|>>\s*/etc/rc\.local|/etc/init\.d/\S+\s+<<)`,
        weigh: (match) =>
          /ExecStart\s*=[^\n]*(?:curl|wget|\bnc\b|base64|\/tmp\/|bash -i|\/dev\/tcp)/i.test(around(match)) || "medium",
      },
      {
        hints: ["currentversion", "schtasks", "register-scheduledtask", "startup"],
        re: String.raw`(?:\breg(?:\.exe)?\s+add\b[^\n]*\\CurrentVersion\\Run(?:Once)?\b|(?:Set|New)-ItemProperty\b[^\n]*\\CurrentVersion\\Run\b|winreg\.\w+\([^\n]*CurrentVersion\\+Run\b|\\Start Menu\\Programs\\Startup\\)[^\n]*`,
      },
      {
        hints: ["schtasks", "register-scheduledtask"],
        re: String.raw`\b(?:schtasks(?:\.exe)?\s+/create|Register-ScheduledTask)\b[^\n]*`,
        weigh: weighTimer,
      },
      {
        hints: [".git/hooks", "core.hookspath"],
        re: String.raw`(?:(?:>>?|\btee\s+(?:-a\s+)?|\bcp\s+\S+\s+)\s*["']?[^\s"']*\.git/hooks/[\w-]+|\bgit\s+config\s+--global\s+core\.hooksPath)[^\n]*`,
        weigh: (match) =>
          (FETCHES.test(`${match.line}${match.after.slice(0, 200)}`) &&
            /\b(?:curl|wget|nc|base64)\b/i.test(around(match))) ||
          "info",
      },
    ],
  },
  {
    id: "SYS-003",
    version: 2,
    severity: "medium",
    title: "Raises privileges",
    why: "Runs as root, or opens files and commands to all users.",
    owasp: ["ASI03", "LLM06"],
    patterns: [
      {
        hints: ["nopasswd", "sudoers"],
        re: String.raw`\bNOPASSWD\s*:\s*ALL\b|(?:>>?|\btee\s+(?:-a\s+)?)\s*["']?/etc/sudoers(?:\.d/\S+)?`,
        // Root for all commands, and an agent that asks before none of them.
        weigh: ({ file }) =>
          file.kind === "script" && has(file, OPENS_SUDO) && has(file, FREES_AGENT) && !has(file, ASKS)
            ? "critical"
            : "high",
        asBad: "info",
      },
      {
        hints: ["chmod"],
        re: String.raw`\bchmod\s+(?:-R\s+)?(?:0?[0-7]?777|a\+rwx|u\+s|\+s|g\+s|[42]7[0-7]{2})\s[^\n]*`,
        weigh: ({ text }) => (/u\+s|\s\+s|\s47\d\d/.test(text) && /\/(?:bin|tmp)\//.test(text) ? "high" : true),
        asBad: "info",
      },
      {
        hints: ["sudo ", "setuid", "cap_"],
        re: String.raw`\bsudo\s+(?:-\S+\s+)*[\w./-]+|\bos\.set(?:e?uid|e?gid)\s*\(\s*0|\bsetcap\s+cap_\S+`,
        weigh: ({ text }) => (/\bsudo\b/.test(text) ? "info" : true),
      },
    ],
  },
  {
    id: "SYS-004",
    severity: "high",
    title: "Escapes a container",
    why: "Gives a process inside a container access to the host.",
    owasp: ["ASI03", "ASI05"],
    asBad: "info",
    patterns: [
      {
        hints: ["nsenter", "chroot /host", "release_agent", "/proc/1/root"],
        re: String.raw`\bnsenter\b[^\n]*(?:-t\s*1\b|--target[= ]1\b)|\bchroot\s+/(?:host|mnt)\w*\s+(?:/bin/)?(?:ba)?sh|\brelease_agent\b[^\n]*(?:=|>)|/proc/1/root/(?:etc|root|home)`,
      },
      {
        hints: ["docker", "podman"],
        re: String.raw`\b(?:docker|podman)\s+run\b[^\n]*(?:-v\s*/:/\w*|--volume[= ]/:/|--mount[^\n]*source=/,|--pid[= ]host[^\n]*--privileged|--privileged[^\n]*--pid[= ]host)`,
      },
      {
        hints: ["docker.sock", "--privileged", "privileged: true"],
        re: String.raw`/var/run/docker\.sock|\b(?:docker|podman)\s+run\b[^\n]*--privileged|\bprivileged:\s*true`,
        // Build machines and dashboards need it, but a reviewer should know.
        weigh: ({ line }) => /curl\b[^\n]*--unix-socket[^\n]*\/containers\/create/i.test(line) || "medium",
      },
    ],
  },
  {
    id: "SYS-005",
    severity: "critical",
    title: "Mines cryptocurrency",
    why: "Uses the machine and its electricity to earn money for another person.",
    owasp: ["ASI02", "LLM10"],
    asBad: "info",
    hints:
      `xmrig stratum+ minerd cryptonight randomx coinhive ethminer nbminer t-rex cpuminer minexmr supportxmr nanopool
      moneroocean nicehash hashvault 2miners f2pool unmineable herominers donate-level rx/0 kawpow cpu-max-threads
      client.anonymous wallet mining.subscribe mining.authorize mining.submit --user pool coinimp cryptoloot webminepool deepminer`.split(
        /\s+/,
      ),
    version: 3,
    re: String.raw`\bstratum\+(?:tcp|ssl|tls)://[^\s"']+|(?:\./|/|\bnohup\s+|\b(?:curl|wget)\b[^\n]*|\bsudo\s+|^\s*)(?:xmrig|minerd|ethminer|nbminer|cpuminer)\b(?:\s+-|-\d|\.tar|/releases|[^\n]*--donate)|\bcoinhive\.min\.js\b|\b(?:pool\.)?(?:minexmr|supportxmr|moneroocean|nanopool|hashvault|2miners|f2pool|unmineable|herominers|nicehash|c3pool|woolypooly|kryptex|zpool|ckpool|ethermine|flexpool|hiveon|viabtc|antpool|braiins|minergate|xmrpool|p2pool|monerop|gulf\.moneroocean)\.(?:com|org|stream|pro|to)(?:[:/][^\n]*|\b)|--?donate-level\b|(?:-a|--algo(?:=|\s))\s*(?:rx/0|kawpow|cn/\w+|randomx)|--cpu-max-threads-hint|\bClient\.Anonymous\s*\(|\b(?:coinimp|cryptoloot|webminepool|deepminer)\b[^\n]*\.js|["']mining\.(?:subscribe|authorize|submit)["']|\s(?:-u|-w|--user|--wallet)[= ]["']?(?-i:[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93})\b|"(?:donate-level|rx/0)"\s*:|\b(?:pool|wallet)\w*["']?\s*[:=][^\n]{0,120}\b(?-i:[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93})\b`,
  },
]);

/** A timer becomes a persistence mechanism when it downloads, decodes or runs from a hidden place. */
function weighTimer({ line, before }: Match) {
  return FETCHES.test(`${line}${before.slice(-200)}`) || ("medium" as const);
}
