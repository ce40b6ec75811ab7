const operatorsOwn = /^(SKILLGATE_|NEXTAUTH_|DATABASE_URL$|PUBLIC_URL$|HOST$|PORT$|NODE_ENV$|GITHUB_(API|RAW)_URL$)/;

/** Environment of tests, without the operator's settings, which could point to real data. */
export function testEnv(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !operatorsOwn.test(name)));
}
