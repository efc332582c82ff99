/** Characters of a file, at most, that a page can be asked to show. */
const LARGEST = 4 * 2 ** 20;

/** Puts the text of files that are dropped on an area, or chosen, into it. */
export function takeFiles(
  area: HTMLTextAreaElement,
  chooser: HTMLInputElement,
  refuse: (problem: string) => void,
): void {
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > LARGEST) return refuse(`${file.name} is too large for a page`);
    area.value = await file.text();
    area.focus();
  };
  chooser.addEventListener('change', () => void take(chooser.files?.[0]));
  const over = (isOver: boolean) => area.classList.toggle('over', isOver);
  area.addEventListener('dragover', (event) => {
    event.preventDefault();
    over(true);
  });
  area.addEventListener('dragleave', () => over(false));
  area.addEventListener('drop', (event) => {
    over(false);
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void take(file);
  });
}
