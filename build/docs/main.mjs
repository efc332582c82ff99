// `npm run docs`, its second half: the documentation site, in `site/` or the folder that is named.
import { buildSite } from './site.mjs';

const [folder = 'site'] = process.argv.slice(2);
const pages = await buildSite(folder);
console.log(`${folder}: ${pages} pages; open ${folder}/index.html`);
