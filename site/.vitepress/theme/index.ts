import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import '../../generated/palette.css';
import tree from '../../generated/tree.svg?raw';
import './style.css';

const sentence = () =>
  h('div', {
    class: 'sentence',
    tabindex: 0,
    role: 'region',
    'aria-label': 'A parsed sentence',
    innerHTML: tree,
  });

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': sentence }),
};
