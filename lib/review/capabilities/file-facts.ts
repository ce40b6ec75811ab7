import { isScript } from "@/lib/skill-format/executables";
import { type Card, eachLine, type Place, type ReadableSkill, type SkillText } from "./card";

/** Programs that use the network, other machines or accounts, or change a system. Listed before other programs. */
const NOTABLE_PROGRAMS = new Set(
  `sudo su doas curl wget nc ncat netcat socat telnet ssh scp sftp rsync ftp dig nslookup rm shred dd mkfs mount umount
   chmod chown chattr crontab at systemctl launchctl service kill pkill killall useradd usermod passwd iptables nft
   osascript powershell pwsh cmd reg schtasks security secret-tool gpg openssl base64 eval docker podman kubectl helm
   terraform aws gcloud az gh glab npx pip pip3 pipx uvx npm pnpm yarn brew apt apt-get yum dnf pacman apk cargo gem go
   git nmap tcpdump strace gdb psql mysql redis-cli mongosh sqlite3`.split(/\s+/),
);

const KNOWN_PROGRAMS = new Set(
  `awk bash bc bun bzip2 cat cd cmake column cp csvtool cut date deno df diff du echo ed emacs env ffmpeg ffprobe file find
   fish fzf gcc clang grep egrep gunzip gzip head hexdump htop iconv identify convert magick java javac join jq less ln ls
   lsof make mkdir mktemp mv ncdu node nohup nvim open paste patch perl php pandoc pdftotext printenv printf ps python
   python3 pytest readlink realpath rg ruby rustc sed seq sh sha256sum sips sleep sort soffice split stat strings tail tar
   tee tesseract test timeout touch tr tree ts-node tsc tsx uname uniq unzip uv vim wc which xargs xmllint xxd xz yq zip zsh
   vitest jest eslint prettier biome black ruff mypy mvn gradle dotnet swift xcodebuild playwright chromium`.split(
    /\s+/,
  ),
);

const CALL =
  /\b(?:subprocess\.\w+|os\.system|os\.popen|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|system)\(\s*\[?\s*["'`]([\w./-]+)/g;
const WORD =
  /(?<=^|[|;&(]|\$\(|`|\b(?:then|do|else|sudo|xargs|exec|nohup|time)\s)\s*(?:[A-Za-z_]\w*=\S*\s+){0,4}([a-z][\w.+-]{0,40})\b/g;
const PATH =
  /(?:^|[\s"'`=(:<>])((?:~|\$HOME|\$\{HOME\}|\/(?:etc|usr|var|tmp|opt|root|home|Users|proc|sys|dev|run|srv|mnt|Library|System))(?:\/[\w.@+~*-]{1,80}){0,8}|[A-Za-z]:\\[\w.\\ -]{1,100}|%(?:APPDATA|USERPROFILE|TEMP)%[\w.\\-]{0,100})/g;
const PLAIN_PATH =
  /^(?:\/dev\/(?:null|stdin|stdout|stderr)|\/usr\/bin\/env|\/tmp|\/(?:etc|usr|var|opt|home|dev|run|sys|proc|mnt|srv|root|Users|Library|System)|~)$/;
const NOTABLE_PATH =
  /\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|git-credentials|claude|codex|cursor|gemini|bashrc|zshrc|profile|bash_profile)\b|\/etc\/(?:passwd|shadow|sudoers|cron|hosts|ld\.so)|\/proc\/|docker\.sock|\/dev\/(?:tcp|udp)|Keychains|LaunchAgents|LaunchDaemons|systemd|crontab|\.env\b|wallet|Cookies|Login Data/i;

export function addFileFacts(card: Card, { texts }: Pick<ReadableSkill, "texts">): void {
  for (const { path, lines } of texts) {
    const [first = ""] = lines;
    if (!first.startsWith("#!")) continue;
    const interpreter = first.slice(2).trim();
    const fact = `${path} runs with ${interpreter}.`;
    card.add("files", { kind: "interpreter", value: `${path} ${interpreter}`, fact, at: { path, line: 1 } });
  }
  for (const text of texts) {
    const isShell = shellLines(text);
    for (const { content, at } of eachLine([text])) {
      if (content.includes("(")) {
        for (const [, program = ""] of content.matchAll(CALL)) addProgram(card, program.split("/").at(-1) ?? "", at);
      }
      if (!isShell(at.line - 1)) continue;
      for (const [, program = ""] of content.replace(/^\s*[$#>]\s+/, "").matchAll(WORD)) addProgram(card, program, at);
    }
  }
  for (const { content, at } of eachLine(texts)) {
    if ((at.line === 1 && content.startsWith("#!")) || !/[/~$\\%]/.test(content)) continue;
    for (const [, found = ""] of content.matchAll(PATH)) {
      const path = found.replace(/[.*]+$/, "").replace(/\/$/, "");
      if (PLAIN_PATH.test(path)) continue;
      const standsOut = NOTABLE_PATH.test(path);
      card.add("files", { kind: "path", value: path, fact: `Names the path ${path}.`, standsOut, at });
    }
  }
}

function addProgram(card: Card, program: string, at: Place): void {
  if (!KNOWN_PROGRAMS.has(program) && !NOTABLE_PROGRAMS.has(program)) return;
  const standsOut = NOTABLE_PROGRAMS.has(program);
  card.add("files", { kind: "program", value: program, fact: `Calls ${program}.`, standsOut, at });
}

/** Returns a test for line indexes: true in shell scripts and in code fences marked as shell. */
export function shellLines(text: SkillText): (index: number) => boolean {
  const isShellScript =
    /\.(sh|bash|zsh|fish|command)$/i.test(text.path) || /^#!.*\b(sh|bash|zsh|dash|ksh)\b/.test(text.lines[0] ?? "");
  if (isShellScript) return (index) => !/^\s*#/.test(text.lines[index] ?? "");
  if (isScript(text) || !/\.(md|mdx|markdown|txt)$/i.test(text.path)) return () => false;
  const inside = new Set<number>();
  let open: { fence: string; isShell: boolean } | null = null;
  for (const [index, line] of text.lines.entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(line);
    if (fence && open === null) open = { fence: fence[1] ?? "", isShell: isShellName(fence[2] ?? "") };
    else if (open !== null && line.trim().startsWith(open.fence)) open = null;
    else if (open?.isShell) inside.add(index);
  }
  return (index) => inside.has(index);
}

function isShellName(language: string): boolean {
  return ["bash", "sh", "shell", "zsh", "console", "terminal"].includes(language.toLowerCase());
}
