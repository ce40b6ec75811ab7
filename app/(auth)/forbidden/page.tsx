import { forbidden } from "next/navigation";

/** An address for the 403 page, answered with that status. */
export default function ForbiddenPage(): never {
  forbidden();
}
