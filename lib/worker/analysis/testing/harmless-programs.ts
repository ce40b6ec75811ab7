import { NODE_HEAD, PYTHON_HEAD } from "./hostile-programs";

/** Programs that do ordinary work, several of them the same task as a hostile one without its deed. */
export type HarmlessProgram = { name: string; text: string };

type Row = [name: string, text: string];

const SHELL: Row[] = [
  ["prints a greeting", "echo hello"],
  ["counts words of its input", "wc -w"],
  ["sorts a file of its own", "printf 'b\\na\\n' > /tmp/l; sort /tmp/l"],
  ["packs its own folder", "mkdir -p /tmp/d/e; echo x > /tmp/d/e/f; tar cf /tmp/x.tar -C /tmp/d ."],
  ["searches its own files", "grep -rl shell /skill || true"],
  ["posts a greeting", "curl -s -d 'text=hello' http://hooks.example/"],
  [
    "posts a file of its own in base64",
    "echo report > /tmp/r; base64 -w0 /tmp/r | curl -s -d @- http://reports.example/",
  ],
  ["gets a page over TLS", "curl -s https://docs.example/page"],
  ["posts a compressed file of its own", "seq 1 500 | gzip -c | curl -s --data-binary @- http://z.example:8080/"],
  ["prints the names of variables", "env | cut -d= -f1 | sort | head -3"],
  ["resolves a name", "getent hosts www.example; true"],
  ["resolves several names", "for h in a b c; do getent hosts $h.cdn.example; done; true"],
  ["writes a note into the home", "echo done > ~/result.txt; cat ~/result.txt"],
  ["keeps a cache", "mkdir -p ~/.cache/tool; date > ~/.cache/tool/at"],
  ["waits for a child", "sleep 0.05 & wait"],
  ["builds a pipe of programs", "seq 1 100 | grep 7 | tail -2 | tr -d '\\n'"],
  ["uses a temporary file", 'f=$(mktemp); echo x > "$f"; rm "$f"'],
  ["checks for a tool", "command -v jq || echo none"],
  ["shows who and where it is", "id -u; pwd; uname -s; hostname 2>/dev/null || true"],
  ["fails", "exit 3"],
];

const PYTHON: Row[] = [
  ["reads its input", "json.loads(sys.stdin.read() or '{}')"],
  ["writes a table", "import csv\nw=csv.writer(open('/tmp/t.csv','w'));w.writerow([1,2])"],
  ["walks its own folder", "for r,d,f in os.walk('/skill'):\n  for n in f: open(os.path.join(r,n),'rb').read()"],
  ["renames its own file", "open('/tmp/a','w').write('x');os.rename('/tmp/a','/tmp/b')"],
  ["links its own file", "open('/tmp/a','w').write('x');os.link('/tmp/a','/tmp/c');open('/tmp/c').read()"],
  ["reads the list of users", "import pwd\npwd.getpwnam('root')"],
  ["posts JSON", "urllib.request.urlopen('http://api.example/v1',json.dumps({'q':'weather'}).encode())"],
  ["gets JSON over TLS", "urllib.request.urlopen('https://api.example/v1?q=x').read()"],
  [
    "posts hex of a digest",
    "import hashlib\nurllib.request.urlopen('http://h.example/'+hashlib.sha256(b'x').hexdigest())",
  ],
  [
    "posts base64 of its own text",
    "urllib.request.urlopen('http://b.example/',base64.b64encode(zlib.compress(b'report '*50)))",
  ],
  ["connects to a port", "s=socket.create_connection(('203.0.113.9',4444));s.sendall(b'ping');s.close()"],
  ["starts a program", "import subprocess\nsubprocess.run(['ls','/skill'],check=True,capture_output=True)"],
  [
    "uses threads",
    "import threading\nt=[threading.Thread(target=time.sleep,args=(0.02,)) for _ in range(4)]\n[x.start() for x in t];[x.join() for x in t]",
  ],
  ["uses processes", "import subprocess\np=[subprocess.Popen(['true']) for _ in range(3)]\n[x.wait() for x in p]"],
  ["uses a temporary folder", "import tempfile\nwith tempfile.TemporaryDirectory() as d: open(d+'/x','w').write('y')"],
  [
    "uses a database in memory",
    "import sqlite3\nc=sqlite3.connect(':memory:');c.execute('create table t(a)');c.execute('select * from t').fetchall()",
  ],
  [
    "keeps settings of its own",
    "p=os.path.expanduser('~/.config/mytool');os.makedirs(p,exist_ok=True);open(p+'/c.json','w').write('{}')",
  ],
  ["imports a module beside it", "sys.path.insert(0,'/tmp');open('/tmp/beside.py','w').write('a=1');import beside"],
  ["prints the date", "import datetime\nprint(datetime.datetime.now())"],
  ["raises an error", "raise ValueError('no such city')"],
];

const NODE: Row[] = [
  ["prints JSON", "console.log(JSON.stringify({a:1}))"],
  ["reads its input", "let s='';process.stdin.on('data',d=>s+=d).on('end',()=>JSON.parse(s))"],
  ["reads its own file", "fs.readFileSync(__filename)"],
  ["copies its own file", "fs.copyFileSync(__filename,'/tmp/n')"],
  ["asks for its home", "os.homedir();os.tmpdir();fs.readdirSync('/tmp')"],
  ["looks whether a file exists", "fs.existsSync(os.homedir()+'/.toolrc')"],
  ["fetches a page", "fetch('http://f.example/?t=news').then(r=>r.text())"],
  ["fetches over TLS", "fetch('https://s.example/',{method:'POST',body:JSON.stringify({a:1})}).then(r=>r.text())"],
  [
    "posts base64url of its own file",
    "fetch('http://b.example/'+fs.readFileSync(__filename).toString('base64url').slice(0,500)).then(r=>r.text())",
  ],
  [
    "posts gzip of its own file",
    "fetch('http://g.example/',{method:'POST',body:zlib.gzipSync(fs.readFileSync(__filename))}).then(r=>r.text())",
  ],
  ["sends a header", "http.get({host:'203.0.113.5',port:8000,headers:{cookie:'a=b'}},r=>r.resume())"],
  ["looks up a name", "dns.lookup('cdn.example',()=>{})"],
  ["resolves a name", "dns.resolve4('www.example',()=>{})"],
  ["makes folders of its own", "fs.mkdirSync('/tmp/a/b/c',{recursive:true});fs.writeFileSync('/tmp/a/b/c/d','x')"],
  ["writes into its home", "fs.writeFileSync(os.homedir()+'/out.json','{}')"],
  ["waits for a child", "cp.spawnSync('sleep',['0.05'])"],
  ["runs a shell command", "cp.execSync('ls /skill | wc -l')"],
  [
    "serves itself",
    "const s=http.createServer((q,r)=>r.end('x')).listen(0,'127.0.0.1',()=>http.get({port:s.address().port,host:'127.0.0.1'},r=>{r.resume();s.close()}))",
  ],
  ["uses a worker thread", "const {Worker}=require('node:worker_threads');new Worker('process.exit(0)',{eval:true})"],
  ["throws", "throw new Error('no such city')"],
];

export const HARMLESS: Record<"sh" | "py" | "cjs", HarmlessProgram[]> = {
  sh: SHELL.map(([name, text]) => ({ name, text: `#!/bin/sh\n${text}\n` })),
  py: PYTHON.map(([name, text]) => ({ name, text: `${PYTHON_HEAD}${text}\n` })),
  cjs: NODE.map(([name, text]) => ({ name, text: `${NODE_HEAD}${text}\n` })),
};
