import { ApiError, answerOf, api } from "@/lib/client/api";

type SignInOutcome = { ok: true } | { ok: false; code: string; retryAfterSeconds: number | null };

/** Signs in with email and password. A refusal is an outcome; only an unreachable server throws. */
export async function signIn(credentials: { email: string; password: string }): Promise<SignInOutcome> {
  const response = await postForm("/api/auth/callback/credentials", credentials);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  if (response.status === 429) return { ok: false, code: "throttled", retryAfterSeconds };

  const code = errorInUrl(await response.json().catch(() => null));
  if (code) return { ok: false, code, retryAfterSeconds };
  if (response.ok) return { ok: true };
  return { ok: false, code: response.status === 401 ? "CredentialsSignin" : "unknown", retryAfterSeconds };
}

type BeginOutcome = { ok: true; address: string } | { ok: false; code: string; retryAfterSeconds: number | null };

/**
 * Returns the sign-in address of a provider. With `connect`, the provider account is connected to the signed-in person
 * instead of signing in. A refusal is an outcome; only an unreachable server throws.
 */
export async function beginProviderSignIn(
  provider: string,
  fields: { callbackUrl?: string; connect?: "true" },
): Promise<BeginOutcome> {
  const response = await postForm(`/api/auth/signin/${provider}`, fields);
  const body: unknown = await response.json().catch(() => null);
  const address = urlOf(body);
  if (response.ok && address !== null) return { ok: true, address };
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  if (response.status === 429) return { ok: false, code: "throttled", retryAfterSeconds };
  const ended = response.status === 401 ? "SessionRequired" : "unknown";
  return { ok: false, code: errorInUrl(body) ?? ended, retryAfterSeconds };
}

export async function signOut(): Promise<void> {
  const response = await postForm("/api/auth/signout", {});
  if (!response.ok) {
    throw new ApiError({
      status: response.status,
      code: "sign_out_failed",
      detail: "You could not be signed out. Try again.",
    });
  }
  leave();
}

export async function signOutEverywhere(): Promise<void> {
  await api("/api/auth/sign-out-everywhere", { method: "POST" });
  leave();
}

async function postForm(path: string, fields: Record<string, string | undefined>): Promise<Response> {
  const { csrfToken } = await api("/api/auth/csrf", {
    shape: answerOf<{ csrfToken: string }>(),
    signInOn401: false,
  });
  try {
    return await fetch(path, {
      method: "POST",
      headers: { accept: "application/json" },
      body: formOf({ ...fields, csrfToken, json: "true" }),
      credentials: "same-origin",
    });
  } catch (cause) {
    throw new ApiError({ status: 0, code: "unreachable", detail: "The server cannot be reached.", cause });
  }
}

function formOf(fields: Record<string, string | undefined>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  return form;
}

/** next-auth answers a refusal with an address that carries its code; the address itself is never followed. */
function errorInUrl(body: unknown): string | null {
  const url = urlOf(body);
  if (url === null) return null;
  try {
    return new URL(url, window.location.origin).searchParams.get("error");
  } catch {
    return null;
  }
}

function urlOf(body: unknown): string | null {
  const url = typeof body === "object" && body !== null && "url" in body ? body.url : null;
  return typeof url === "string" ? url : null;
}

function leave(): void {
  // A whole page load, so that nothing of the session stays in memory.
  window.location.assign("/sign-in");
}
