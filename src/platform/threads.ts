/** Worker threads; a page has none, but is in one itself (threads.browser.ts). */

export { Piscina } from 'piscina';
