/** Gives the user a file to keep. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A title as the name of a file. */
export function fileName(title: string, extension: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['page'];
  return `${words.slice(0, 8).join('-')}.${extension}`;
}

/** A button that says what it saves. */
export function saveButton(kind: string, title: string, save: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = kind;
  button.setAttribute('aria-label', `${kind}: ${title}`);
  button.title = 'Save as a file';
  button.addEventListener('click', save);
  return button;
}
