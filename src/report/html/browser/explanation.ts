import { byId } from './elements.ts';
import { Stepper } from './stepper.ts';
import { startThemeSwitch } from './theme.ts';

/** The script of the page that explains a parse: one frame of the search is shown at a time. */

startThemeSwitch(byId<HTMLSelectElement>('theme'));
const stepper = Stepper.in(document.body);
addEventListener('keydown', (event) => stepper?.press(event));
