const NUMBER = /^[+-]?\p{Nd}[\p{Nd}.,:/-]*$/u;

/** What every number becomes; no token's form, since forms hold no tabs. */
const NUMBER_FORM = '\t0';

/** A form as features see it: numbers (digits with . , : / - between them) are all one, others lower case. */
export function normalizeForm(form: string): string {
  return NUMBER.test(form) ? NUMBER_FORM : form.toLowerCase();
}
