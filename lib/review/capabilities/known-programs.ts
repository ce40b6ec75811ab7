/** Programs that reach the network, other machines or accounts, or change a system. Listed first, nothing more. */
export const NOTABLE_PROGRAMS = new Set(
  `sudo su doas curl wget nc ncat netcat socat telnet ssh scp sftp rsync ftp dig nslookup rm shred dd mkfs mount umount
   chmod chown chattr crontab at systemctl launchctl service kill pkill killall useradd usermod passwd iptables nft
   osascript powershell pwsh cmd reg schtasks security secret-tool gpg openssl base64 eval docker podman kubectl helm
   terraform aws gcloud az gh glab npx pip pip3 pipx uvx npm pnpm yarn brew apt apt-get yum dnf pacman apk cargo gem go
   git nmap tcpdump strace gdb psql mysql redis-cli mongosh sqlite3`.split(/\s+/),
);

export const KNOWN_PROGRAMS = new Set(
  `awk bash bc bun bzip2 cat cd cmake column cp csvtool cut date deno df diff du echo ed emacs env ffmpeg ffprobe file find
   fish fzf gcc clang grep egrep gunzip gzip head hexdump htop iconv identify convert magick java javac join jq less ln ls
   lsof make mkdir mktemp mv ncdu node nohup nvim open paste patch perl php pandoc pdftotext printenv printf ps python
   python3 pytest readlink realpath rg ruby rustc sed seq sh sha256sum sips sleep sort soffice split stat strings tail tar
   tee tesseract test timeout touch tr tree ts-node tsc tsx uname uniq unzip uv vim wc which xargs xmllint xxd xz yq zip zsh
   vitest jest eslint prettier biome black ruff mypy mvn gradle dotnet swift xcodebuild playwright chromium`.split(
    /\s+/,
  ),
);
