import type { Rule } from "../scan/rule";
import { unlessShownAsBad } from "./evidence/is-shown-as-bad";

export const reverseShell: Rule = {
  id: "EXF-006",
  version: 1,
  severity: "critical",
  title: "Reverse shell",
  why: "A shell of this machine is handed to somebody on the network.",
  owasp: ["ASI05", "ASI10"],
  patterns: [
    {
      lines: 6,
      hints: ["/dev/tcp/", "/dev/udp/"],
      re: String.raw`(?:(?:ba|z|k)?sh\s+-i\b[^\n]*/dev/(?:tcp|udp)/[^\s/]+/\S+|/dev/(?:tcp|udp)/[^\s/]+/[^\s]+[^\n]*(?:0>&1|0<&1|<&\d+[^\n]*>&\d+|\|\s*(?:ba)?sh)|exec\s+\d+<>\s*/dev/tcp/[^\n]+\n(?:[^\n]*\n){0,3}?[^\n]*(?:while\s+read|<&\d+|(?:ba)?sh\s+-i))`,
      weigh: unlessShownAsBad("medium"),
    },
    {
      hints: ["nc ", "ncat", "netcat", "nc.exe", "socat"],
      re: String.raw`\b(?:nc|ncat|netcat|nc\.exe|nc\.traditional)\s[^\n|;]*(?:-\w*[ec]\w*|--exec|--sh-exec)\s+["']?(?:/(?:usr/)?bin/)?(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)\b|\bmkfifo\s+\S+[^\n]*\|\s*(?:/bin/)?(?:ba)?sh\s+-i[^\n]*\|\s*(?:nc|ncat|openssl\s+s_client)\b|\bsocat\b[^\n]*\bexec:["']?(?:/bin/)?(?:ba)?sh`,
      weigh: unlessShownAsBad("medium"),
    },
    {
      lines: 26,
      hints: ["dup2", "pty.spawn", "subprocess"],
      re: String.raw`\bsocket\b[^\n]*(?:\n[^\n]*){0,10}?\bconnect\s*\([^\n]*(?:\n[^\n]*){0,10}?(?:\bos\.dup2\s*\(|\bdup2\s*\(\s*\w+\.fileno|pty\.spawn\s*\(|(?:subprocess\.(?:call|run|Popen)|os\.popen)\s*\(\s*\[?\s*["']/bin/(?:ba)?sh["'])`,
      weigh: unlessShownAsBad("medium"),
    },
    {
      lines: 20,
      hints: ["tcpclient"],
      re: String.raw`Net\.Sockets\.TCPClient\s*\([^\n]*(?:\n[^\n]*){0,10}?(?:\biex\b|Invoke-Expression|\.GetStream\(\)[^\n]*(?:\n[^\n]*){0,6}?\biex\b)`,
      weigh: unlessShownAsBad("medium"),
    },
    {
      lines: 24,
      hints: ["spawn", "net.connect", "net.socket", "fsockopen", "tcpsocket", "io::socket"],
      re: String.raw`(?:\bnet\.(?:connect|Socket|createConnection)\s*\([^\n]*(?:\n[^\n]*){0,10}?\.pipe\s*\(\s*\w+\.stdin|\bspawn\s*\(\s*["'](?:/bin/)?(?:ba)?sh["'][^\n]*(?:\n[^\n]*){0,8}?\b(?:net\.connect|\.connect\s*\(\s*\d|client\.pipe\s*\(|socket\.pipe\s*\()|\bfsockopen\s*\([^\n]*\b(?:exec|shell_exec|proc_open|system)\s*\(|TCPSocket\.(?:new|open)\s*\([^\n]*\b(?:exec|IO\.popen|spawn)\b|IO::Socket::INET[^\n]*\bexec\b)`,
      weigh: unlessShownAsBad("medium"),
    },
  ],
};
