import { z } from "zod";
import { newPasswordProblem } from "@/components/auth/new-password-problem";

/** A change of the caller's password. */
export const NewPassword = z.object({
  current: z.string(),
  password: z.string().superRefine((password, issues) => {
    const message = newPasswordProblem(password);
    if (message) issues.addIssue({ code: "custom", message });
  }),
});
