const oldest = [20, 19];

/** Entry points call this first, so that an old Node prints a sentence instead of a stack. */
export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  console.error(
    `Skillgate needs Node.js ${oldest.join(".")} or newer; this is ${version}.\n` +
      "Install a current release (https://nodejs.org, nvm, fnm or your system's packages) and start again.",
  );
  process.exit(1);
}
