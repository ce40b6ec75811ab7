const rules: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^Invalid input: expected \w+, received (?:undefined|null)$/, () => "Enter a value."],
  [/^Invalid input: expected number, received/, () => "Enter a number."],
  [/^Invalid input: expected int, received/, () => "Enter a whole number."],
  [/^Too small: expected string to have >=1 characters$/, () => "Enter a value."],
  [/^Too small: expected string to have >=(\d+) characters$/, ([, count]) => `Enter at least ${count} characters.`],
  [/^Too big: expected string to have <=(\d+) characters$/, ([, count]) => `Enter at most ${count} characters.`],
  [/^Too small: expected (?:number|int) to be >=(\S+)$/, ([, limit]) => `Enter a number of at least ${limit}.`],
  [/^Too small: expected (?:number|int) to be >(\S+)$/, ([, limit]) => `Enter a number above ${limit}.`],
  [/^Too big: expected (?:number|int) to be <=(\S+)$/, ([, limit]) => `Enter a number of at most ${limit}.`],
  [/^Too big: expected (?:number|int) to be <(\S+)$/, ([, limit]) => `Enter a number below ${limit}.`],
  [/^Too small: expected array to have >=1 items$/, () => "Select or enter at least one."],
  [/^Too small: expected array to have >=(\d+) items$/, ([, count]) => `Select or enter at least ${count}.`],
  [/^Too big: expected array to have <=(\d+) items$/, ([, count]) => `Select or enter at most ${count}.`],
  [/^Invalid option: expected/, () => "Select one of the options."],
  [/^Invalid email address$/, () => "Enter a valid email address."],
  [/^Invalid URL$/, () => "Enter a complete web address, such as https://example.org."],
  [/^Invalid ISO (?:date|datetime)$/, () => "Enter a valid date."],
  [/^Invalid string: must match pattern/, () => "Enter a value in the required format."],
  [/^Invalid input: expected (?:object|array|string|boolean), received/, () => "Enter a valid value."],
  [/^Invalid input$/, () => "Enter a valid value."],
];

/** Replaces zod's default messages (zod 4, English locale), which name types and operators; other messages stay. */
export function plainMessage(message: string): string {
  for (const [pattern, text] of rules) {
    const match = pattern.exec(message);
    if (match) return text(match);
  }
  return message;
}
