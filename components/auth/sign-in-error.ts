type SignInErrorContext = {
  /** The name on its button. */
  provider?: string | undefined;
  retryAfterSeconds?: number | null;
};

/** The sentence for an `error` code of the sign-in routes. */
export function signInErrorText(code: string, about: SignInErrorContext = {}): string {
  const { provider = "The provider", retryAfterSeconds = null } = about;
  if (/throttl|rate.?limit|too.?many/i.test(code)) {
    return `Too many attempts. Try again in ${retryAfterSeconds ? waitText(retryAfterSeconds) : "a few minutes"}.`;
  }
  switch (code) {
    case "CredentialsSignin":
      return "The email or the password is wrong.";
    case "SessionRequired":
    case "session_ended":
      return "Your session has ended. Sign in again.";
    case "AccessDenied":
      return "This account may not sign in here. Ask an admin.";
    case "NotInvited":
      return `Your ${provider} account is not invited here. Ask an admin for an invitation.`;
    case "EmailNotVerified":
      return `${provider} has not verified your email address. Verify it there, or ask an admin.`;
    case "PersonDisabled":
      return "Your account here is disabled. Ask an admin to enable it.";
    case "ConnectFirst":
      return `An account with your email address already exists here. If it is yours, sign in as before and connect ${provider} in your profile.`;
    case "AlreadyConnected":
      return "Another person here already signs in with that account. Nothing was changed.";
    case "ProviderDenied":
      return `You declined the sign-in at ${provider}. Nothing was changed.`;
    case "ProviderUnavailable":
      return `${provider} could not be reached. Try again in a moment.`;
    case "ProviderAnswerRejected":
      return `The answer of ${provider} could not be verified. Try again. If it happens again, tell the operator of this server.`;
    case "SignInExpired":
      return "This sign-in took too long or started in another tab. Start again.";
    default:
      return "Sign-in failed. Try again.";
  }
}

function waitText(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
