const rightToLeftLetter =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const letter = /\p{L}/u;

/** Whether most words of a sentence that have letters have letters of a script that is written to the left. */
export function isRightToLeft(forms: readonly string[]): boolean {
  const words = forms.filter((form) => letter.test(form));
  return 2 * words.filter((form) => rightToLeftLetter.test(form)).length > words.length;
}
