import { byId, fitTablesToPrint, startThemeSwitch } from '../html/browser/page.ts';
import { Stepper } from './stepper.ts';

/** The script of explanation pages: shows one frame of the search at a time. */

startThemeSwitch(byId<HTMLSelectElement>('theme'));
fitTablesToPrint();
const stepper = Stepper.in(document.body);
addEventListener('keydown', (event) => stepper?.press(event));
