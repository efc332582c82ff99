import { byId, startThemeSwitch } from '../html/browser/page.ts';
import { Stepper } from './stepper.ts';

/** The script of the page that explains a parse: one frame of the search is shown at a time. */

startThemeSwitch(byId<HTMLSelectElement>('theme'));
const stepper = Stepper.in(document.body);
addEventListener('keydown', (event) => stepper?.press(event));
