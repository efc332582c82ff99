// The package in a CommonJS module.
const { loadParser } = require('parliament');

loadParser('graph.model').then(({ paradigm }) => {
  if (paradigm !== 'graph') throw new Error(`a parser of the paradigm ${paradigm}`);
});
