/** Copies texts, and says so. */
export class Clipboard {
  constructor(private readonly say: (said: string) => void) {}

  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${what} is copied`);
    } catch {
      this.say(copySelected(text) ? `${what} is copied` : `${what} could not be copied`);
    }
  }
}

/** Browsers have no clipboard for pages that come over plain HTTP from another machine: what is selected they copy. */
function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
