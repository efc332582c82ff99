type Theme = 'auto' | 'light' | 'dark';

const darkQuery = '(prefers-color-scheme: dark)';

/** The dark rules of all stylesheets, those of the pictures too; to be found before the first change of theme. */
function darkRules(): CSSMediaRule[] {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter((rule) => rule.media.mediaText === darkQuery);
}

/** Lets the user choose between light and dark, whatever the system prefers; paper is always light. */
export function startThemeSwitch(select: HTMLSelectElement): void {
  const rules = darkRules();
  const apply = (theme: Theme) => {
    const query = { auto: darkQuery, light: 'not all', dark: 'all' }[theme];
    for (const rule of rules) rule.media.mediaText = query;
    document.documentElement.style.colorScheme = theme === 'auto' ? '' : theme;
  };
  select.addEventListener('change', () => apply(select.value as Theme));
  addEventListener('beforeprint', () => apply('light'));
  addEventListener('afterprint', () => apply(select.value as Theme));
}
